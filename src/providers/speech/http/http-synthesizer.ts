import {
  APIConnectionError,
  type APIConnectOptions,
  DEFAULT_API_CONNECT_OPTIONS,
  tts,
} from '@livekit/agents';
import { timeoutSignal } from '../../../common/time/timeout-signal.js';
import type { ProviderAnswer } from '../../llm/openai/keep-alive-fetch.js';
import { LineStream } from '../line-stream.js';
import { putSound } from '../sound-frames.js';
import { PCM_RATE_HZ, soundOf } from './sound-body.js';
import { libraryError, successful } from './vendor-answer.js';

/** Of one request with its whole answer. The caller has shorter deadlines for the first sound and for gaps. */
const REQUEST_TIMEOUT_MS = 60_000;

/** How a vendor is asked for the sound of one line. */
interface LineRequest {
  /** As people call the vendor. */
  readonly vendor: string;
  readonly model: string;
  /** Asks for raw PCM16, mono, at `PCM_RATE_HZ`. Aborting the signal closes the connection. */
  send(text: string, signal: AbortSignal): Promise<ProviderAnswer>;
}

/** Text to speech by one HTTP request a line, whose sound is heard while it arrives. */
export class HttpSynthesizer extends tts.TTS {
  readonly label = 'prosa.HttpSynthesizer';

  constructor(readonly line: LineRequest) {
    super(PCM_RATE_HZ, 1, { streaming: false });
    // An emitter without a listener throws; failures are seen where the line is read.
    this.on('error', () => {});
  }

  override get provider(): string {
    return this.line.vendor;
  }

  override get model(): string {
    return this.line.model;
  }

  synthesize(text: string, connOptions?: APIConnectOptions, abortSignal?: AbortSignal): tts.ChunkedStream {
    return new HttpChunkedStream(text, this, connOptions ?? DEFAULT_API_CONNECT_OPTIONS, abortSignal);
  }

  stream(): tts.SynthesizeStream {
    throw new Error('This voice takes whole lines: see capabilities.streaming');
  }
}

class HttpChunkedStream extends LineStream<HttpSynthesizer> {
  readonly label = 'prosa.HttpChunkedStream';

  protected async run(): Promise<void> {
    const { line } = this.voice;
    const requestId = `${line.vendor}-${performance.now()}`;
    try {
      const signal = AbortSignal.any([this.abortSignal, timeoutSignal(REQUEST_TIMEOUT_MS)]);
      const answer = await successful(line.vendor, await line.send(this.inputText, signal));
      const type = String(answer.headers['content-type'] ?? '');
      if (!/^(audio\/|application\/octet-stream)/i.test(type)) {
        answer.body.destroy();
        throw new APIConnectionError({
          message: `${line.vendor} answered with ${type || 'nothing'}, not with sound`,
        });
      }
      // Some vendors name raw samples `audio/basic`. What was asked for counts; what is no PCM is still found out.
      await putSound(this.queue, requestId, soundOf(answer.body, 'audio/pcm'), PCM_RATE_HZ);
    } catch (error) {
      if (!this.abortSignal.aborted) throw libraryError(line.vendor, error);
    } finally {
      if (!this.queue.closed) this.queue.close();
    }
  }
}
