import {
  type APIConnectOptions,
  type AudioBuffer,
  DEFAULT_API_CONNECT_OPTIONS,
  normalizeLanguage,
  stt,
  tts,
} from '@livekit/agents';
import { LineStream } from '../line-stream.js';
import { joined, putSound } from '../sound-frames.js';
import { toRate } from '../to-rate.js';
import type { LocalEars, LocalVoice } from './local-models.js';
import type { LocalProcess } from './local-process.js';

const LARGEST_SAMPLE = 32_767;

export interface LocalManner {
  readonly voice: LocalVoice;
  readonly speaker: number;
  readonly speed: number;
  readonly language: string;
}

/** A voice of this machine. Sentences come whole. */
export class LocalSynthesizer extends tts.TTS {
  readonly label = 'prosa.LocalSynthesizer';

  constructor(
    private readonly process: LocalProcess,
    private readonly manner: LocalManner,
    /** What comes out; the model's own rate is converted to it. */
    sampleRateHz: number,
  ) {
    super(sampleRateHz, 1, { streaming: false });
  }

  override get provider(): string {
    return 'local';
  }

  override get model(): string {
    return this.manner.voice.name;
  }

  synthesize(text: string, connOptions?: APIConnectOptions, abortSignal?: AbortSignal): tts.ChunkedStream {
    return new LocalChunkedStream(text, this, connOptions ?? DEFAULT_API_CONNECT_OPTIONS, abortSignal);
  }

  stream(): tts.SynthesizeStream {
    throw new Error('Local voices speak whole sentences: see capabilities.streaming');
  }

  /** PCM16 and its rate. */
  async speak(text: string): Promise<{ pcm: Int16Array; sampleRateHz: number }> {
    const reply = await this.process.run({ task: 'speak', text, ...this.manner });
    if (!('samples' in reply)) throw new Error('The process answered another question');
    const pcm = Int16Array.from(reply.samples, (sample) =>
      Math.round(Math.max(-1, Math.min(1, sample)) * LARGEST_SAMPLE),
    );
    return { pcm, sampleRateHz: reply.sampleRateHz };
  }
}

class LocalChunkedStream extends LineStream<LocalSynthesizer> {
  readonly label = 'prosa.LocalChunkedStream';

  protected async run(): Promise<void> {
    const requestId = `local-${performance.now()}`;
    const { pcm, sampleRateHz } = await this.voice.speak(this.inputText);
    const { sampleRate } = this.voice;
    await putSound(this.queue, requestId, [toRate(pcm, sampleRateHz, sampleRate)], sampleRate);
    if (!this.queue.closed) this.queue.close();
  }
}

/** Ears of this machine, for whole utterances. */
export class LocalRecognizer extends stt.STT {
  readonly label = 'prosa.LocalRecognizer';

  constructor(
    private readonly process: LocalProcess,
    private readonly ears: LocalEars,
    /** Null: the model finds out. */
    private readonly language: string | null,
  ) {
    super({ streaming: false, interimResults: false });
  }

  override get provider(): string {
    return 'local';
  }

  override get model(): string {
    return this.ears.name;
  }

  stream(): stt.SpeechStream {
    throw new Error('Local ears want whole utterances: see capabilities.streaming');
  }

  protected async _recognize(buffer: AudioBuffer): Promise<stt.SpeechEvent> {
    const { data, sampleRate } = joined([buffer].flat());
    const reply = await this.process.run({
      task: 'hear',
      ears: this.ears,
      language: this.language,
      samples: Float32Array.from(data, (sample) => sample / (LARGEST_SAMPLE + 1)),
      sampleRateHz: sampleRate,
    });
    if (!('text' in reply)) throw new Error('The process answered another question');
    const language = normalizeLanguage(reply.language ?? this.language ?? '');
    const endTime = data.length / sampleRate;
    return {
      type: stt.SpeechEventType.FINAL_TRANSCRIPT,
      alternatives: [{ text: reply.text, language, startTime: 0, endTime, confidence: 1 }],
    };
  }
}
