import { type APIConnectOptions, DEFAULT_API_CONNECT_OPTIONS, tts } from '@livekit/agents';
import { AudioFrame, AudioResampler } from '@livekit/rtc-node';
import type { EspeakLine, EspeakProcess, SpokenLine } from './espeak-process.js';
import { framesOf } from '../sound-frames.js';

const SAMPLE_RATE_HZ = 24_000;
const PARTS_PER_SECOND = 10;

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

class SandboxChunkedStream extends tts.ChunkedStream {
  readonly label = 'prosa.SandboxChunkedStream';

  constructor(
    text: string,
    private readonly voice: SandboxSynthesizer,
    connOptions: APIConnectOptions,
    abortSignal?: AbortSignal,
  ) {
    super(text, voice, connOptions, abortSignal);
  }

  protected async run(): Promise<void> {
    const requestId = `espeak-${performance.now()}`;
    const spoken = await this.voice.speak(this.inputText);
    for await (const frame of framesOf(resampled(spoken), SAMPLE_RATE_HZ)) {
      if (this.queue.closed) return;
      this.queue.put({ requestId, segmentId: requestId, frame, final: false });
    }
    this.queue.close();
  }
}

/** At the voice's rate, in parts: resampled at once, a long line would take its time. */
function* resampled({ samples, sampleRateHz }: SpokenLine): Generator<Int16Array> {
  const resampler = new AudioResampler(sampleRateHz, SAMPLE_RATE_HZ, 1);
  const part = sampleRateHz / PARTS_PER_SECOND;
  try {
    for (let at = 0; at < samples.length; at += part) {
      const data = samples.slice(at, at + part);
      for (const frame of resampler.push(new AudioFrame(data, sampleRateHz, 1, data.length)))
        yield frame.data;
    }
    for (const frame of resampler.flush()) yield frame.data;
  } finally {
    resampler.close();
  }
}
