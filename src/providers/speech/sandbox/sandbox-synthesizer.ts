import { type APIConnectOptions, AudioByteStream, DEFAULT_API_CONNECT_OPTIONS, tts } from '@livekit/agents';
import { AudioFrame, AudioResampler } from '@livekit/rtc-node';
import type { EspeakLine, EspeakProcess, SpokenLine } from './espeak-process.js';

const SAMPLE_RATE_HZ = 24_000;
const FRAMES_PER_SECOND = 50;

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
    const frames = framesOf(await this.voice.speak(this.inputText));
    for (const [index, frame] of frames.entries()) {
      if (this.queue.closed) return;
      this.queue.put({ requestId, segmentId: requestId, frame, final: index === frames.length - 1 });
    }
    this.queue.close();
  }
}

/** Mono frames of 20 ms at the voice's rate. */
function framesOf({ samples, sampleRateHz }: SpokenLine): AudioFrame[] {
  const bytes = new AudioByteStream(SAMPLE_RATE_HZ, 1, SAMPLE_RATE_HZ / FRAMES_PER_SECOND);
  const resampler = new AudioResampler(sampleRateHz, SAMPLE_RATE_HZ, 1);
  try {
    const resampled = [
      ...resampler.push(new AudioFrame(samples, sampleRateHz, 1, samples.length)),
      ...resampler.flush(),
    ];
    const frames = resampled.flatMap(({ data }) =>
      bytes.write(data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength) as ArrayBuffer),
    );
    return [...frames, ...bytes.flush()];
  } finally {
    resampler.close();
  }
}
