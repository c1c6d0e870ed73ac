import { type APIConnectOptions, DEFAULT_API_CONNECT_OPTIONS, tts } from '@livekit/agents';
import type { EspeakLine, EspeakProcess, SpokenLine } from './espeak-process.js';
import { LineStream } from '../line-stream.js';
import { putSound } from '../sound-frames.js';
import { toRate } from '../to-rate.js';

const SAMPLE_RATE_HZ = 24_000;

/** The sandbox's voice. Lines come whole: espeak-ng is many times faster than speech. */
export class SandboxSynthesizer extends tts.TTS {
  readonly label = 'prosa.SandboxSynthesizer';

  constructor(
    private readonly espeak: EspeakProcess,
    private readonly manner: Omit<EspeakLine, 'text'>,
  ) {
    super(SAMPLE_RATE_HZ, 1, { streaming: false });
    this.on('error', () => {});
  }

  override get provider(): string {
    return 'sandbox';
  }

  override get model(): string {
    return 'espeak-ng';
  }

  synthesize(text: string, connOptions?: APIConnectOptions, abortSignal?: AbortSignal): tts.ChunkedStream {
    return new SandboxChunkedStream(text, this, connOptions ?? DEFAULT_API_CONNECT_OPTIONS, abortSignal);
  }

  stream(): tts.SynthesizeStream {
    throw new Error('The sandbox voice speaks whole lines: see capabilities.streaming');
  }

  speak(text: string): Promise<SpokenLine> {
    return this.espeak.speak({ text, ...this.manner });
  }
}

class SandboxChunkedStream extends LineStream<SandboxSynthesizer> {
  readonly label = 'prosa.SandboxChunkedStream';

  protected async run(): Promise<void> {
    const requestId = `espeak-${performance.now()}`;
    const { samples, sampleRateHz } = await this.voice.speak(this.inputText);
    await putSound(this.queue, requestId, [toRate(samples, sampleRateHz, SAMPLE_RATE_HZ)], SAMPLE_RATE_HZ);
    if (!this.queue.closed) this.queue.close();
  }
}
