import {
  APIConnectionError,
  type APIConnectOptions,
  AsyncIterableQueue,
  createTimedString,
  DEFAULT_API_CONNECT_OPTIONS,
  tts,
  USERDATA_TIMED_TRANSCRIPT,
} from '@livekit/agents';
import type { AudioFrame } from '@livekit/rtc-node';
import { SentencePieces } from '../../../common/spoken-text/sentences/sentence-pieces.js';
import { type Candidate, type Candidates, restingName, tellableReason } from './candidates.js';
import { within } from './deadline.js';
import { EndlessVoiceError, speakWith, type SpokenFrames, SYNTHESIZER_RATE_HZ } from './speak-with.js';
import { unheardPart } from './unheard-part.js';
import { LineStream } from '../line-stream.js';

/** Sentences that are made at the same time: the one that is heard and the one after it. */
const SENTENCES_AHEAD = 2;

export interface SynthesizerDeadlines {
  /** From the request to its first sound. */
  readonly firstSoundMs: number;
  /** Between two sounds of one sentence. */
  readonly gapMs: number;
  /** For a provider's object to be ready; a local model is loaded in this time. */
  readonly openMs: number;
}

export const SYNTHESIZER_DEADLINES: SynthesizerDeadlines = {
  firstSoundMs: 4_000,
  gapMs: 2_500,
  openMs: 20_000,
};

/** The last provider is waited for longer. */
const PATIENCE_WITH_LAST = 4;

/** Tries are ours: a provider that fails is replaced, not waited for. */
const NO_RETRY: APIConnectOptions = { ...DEFAULT_API_CONNECT_OPTIONS, maxRetry: 0, timeoutMs: 4_000 };

/** Names the provider that speaks from now on, and the account whose key it is asked with, where others may stand in. */
export function speakerOf(voice: tts.TTS): string {
  return voice instanceof FallbackSynthesizer ? voice.speaker : voice.provider;
}

/**
 * A voice that continues with another provider when one fails. Text is spoken sentence by sentence. Where a provider
 * refuses, breaks off or misses a deadline, the next one speaks the rest of the sentence. It also speaks everything
 * that follows in the call.
 * The library's own `FallbackAdapter` gives up after the first sound, has no deadline, and handles only its own
 * errors.
 */
export class FallbackSynthesizer extends tts.TTS {
  readonly label = 'prosa.FallbackSynthesizer';
  private active: tts.TTS | null = null;

  /** @param language of what is said, as a tag such as `pt-BR`; it decides where sentences end */
  constructor(
    private readonly candidates: Candidates<tts.TTS>,
    private readonly deadlines: SynthesizerDeadlines = SYNTHESIZER_DEADLINES,
    private readonly onHeard: (provider: string) => void = () => {},
    readonly language = '',
  ) {
    super(SYNTHESIZER_RATE_HZ, 1, { streaming: true, alignedTranscript: true });
    // An emitter without a listener throws; who wants to know adds another one.
    this.on('error', () => {});
  }

  override get provider(): string {
    return this.active?.provider ?? this.candidates.current.provider;
  }

  override get model(): string {
    return this.active?.model ?? 'unknown';
  }

  get speaker(): string {
    return restingName(this.candidates.current);
  }

  synthesize(text: string, connOptions?: APIConnectOptions, abortSignal?: AbortSignal): tts.ChunkedStream {
    return new FallbackChunkedStream(text, this, connOptions ?? NO_RETRY, abortSignal);
  }

  stream(options?: { connOptions?: APIConnectOptions }): tts.SynthesizeStream {
    return new FallbackSynthesizeStream(this, options?.connOptions ?? NO_RETRY);
  }

  override async close(): Promise<void> {
    await this.candidates.close();
  }

  /**
   * The frames of one sentence, mono PCM16 at `SYNTHESIZER_RATE_HZ`.
   *
   * @throws APIConnectionError when every provider failed
   */
  async *say(text: string, signal: AbortSignal): SpokenFrames {
    let rest = text;
    for (;;) {
      const candidate = this.candidates.current;
      let heardMs = 0;
      try {
        const { openMs, ...deadlines } = this.deadlinesFor(candidate);
        const voice = await within(this.candidates.open(candidate), openMs, 'The voice');
        this.active = voice;
        const rules = { signal, ...deadlines, connect: NO_RETRY };
        for await (const frame of speakWith(voice, rest, rules)) {
          if (heardMs === 0) this.onHeard(candidate.provider);
          heardMs += (frame.samplesPerChannel / frame.sampleRate) * 1_000;
          yield frame;
        }
        return;
      } catch (error) {
        if (signal.aborted) return;
        const reason = tellableReason(error, candidate.own);
        const isThereAnother = this.candidates.leave(candidate, error);
        // The sentence was somewhere in it.
        if (error instanceof EndlessVoiceError) return;
        if (!isThereAnother) {
          throw new APIConnectionError({ message: `No provider could speak: ${reason}` });
        }
        rest = unheardPart(rest, heardMs);
      }
    }
  }

  private deadlinesFor(candidate: Candidate<tts.TTS>): SynthesizerDeadlines {
    const hasNext = candidate === this.candidates.current && this.candidates.next !== null;
    const { firstSoundMs, gapMs, openMs } = this.deadlines;
    const patience = hasNext ? 1 : PATIENCE_WITH_LAST;
    return { firstSoundMs: firstSoundMs * patience, gapMs, openMs: openMs * patience };
  }
}

class FallbackChunkedStream extends LineStream<FallbackSynthesizer> {
  readonly label = 'prosa.FallbackChunkedStream';

  protected async run(): Promise<void> {
    const requestId = `line-${performance.now()}`;
    try {
      for await (const { frame, isLast } of markLast(this.voice.say(this.inputText, this.abortSignal))) {
        if (this.queue.closed) return;
        this.queue.put({ requestId, segmentId: requestId, frame, final: isLast });
      }
    } catch (error) {
      // Not thrown: the library turns it into an unhandled rejection.
      this.voice.emit('error', {
        type: 'tts_error',
        timestamp: Date.now(),
        label: this.voice.label,
        error: error as Error,
        recoverable: false,
      });
    } finally {
      if (!this.queue.closed) this.queue.close();
    }
  }
}

/** One sentence on its way: its frames arrive while an earlier one is still being said. */
interface Line {
  /** With the space between the sentence before and this one. */
  readonly text: string;
  readonly frames: AsyncIterableQueue<AudioFrame>;
  readonly done: Promise<void>;
}

class FallbackSynthesizeStream extends tts.SynthesizeStream {
  readonly label = 'prosa.FallbackSynthesizeStream';
  private readonly sentences: SentencePieces;
  private readonly pieces = new AsyncIterableQueue<string>();
  private readonly lines = new AsyncIterableQueue<Line>();
  private readonly requestId = `speech-${performance.now()}`;
  private spokenSeconds = 0;

  constructor(
    private readonly voice: FallbackSynthesizer,
    connOptions: APIConnectOptions,
  ) {
    super(voice, connOptions);
    this.sentences = new SentencePieces(voice.language);
  }

  protected async run(): Promise<void> {
    await Promise.all([this.readText(), this.startLines(), this.emitLines()]);
  }

  private async readText(): Promise<void> {
    for await (const token of this.input) {
      if (this.abortSignal.aborted) break;
      const isFlush = typeof token === 'symbol';
      for (const piece of isFlush ? this.sentences.end() : this.sentences.push(token)) this.pieces.put(piece);
    }
    for (const piece of this.sentences.end()) this.pieces.put(piece);
    this.pieces.close();
  }

  private async startLines(): Promise<void> {
    const running: Promise<void>[] = [];
    for await (const piece of this.pieces) {
      if (this.abortSignal.aborted) break;
      if (running.length >= SENTENCES_AHEAD) await running.shift();
      this.markStarted();
      const line = this.startLine(piece);
      // The producer of the line handles its failure; here only its end counts.
      running.push(line.done.catch(() => {}));
      this.lines.put(line);
    }
    this.lines.close();
  }

  private startLine(text: string): Line {
    const frames = new AsyncIterableQueue<AudioFrame>();
    const make = async () => {
      try {
        for await (const frame of this.voice.say(text.trim(), this.abortSignal)) frames.put(frame);
      } finally {
        frames.close();
      }
    };
    return { text, frames, done: make() };
  }

  private async emitLines(): Promise<void> {
    for await (const line of this.lines) {
      // The failure is thrown below, after the sounds that came before it.
      line.done.catch(() => {});
      await this.emitLine(line);
      if (!this.abortSignal.aborted) await line.done;
    }
    if (!this.queue.closed) this.queue.put(tts.SynthesizeStream.END_OF_STREAM);
  }

  private async emitLine({ text, frames }: Line): Promise<void> {
    const words = createTimedString({ text, startTime: this.spokenSeconds });
    let isFirst = true;
    for await (const { frame, isLast } of markLast(frames)) {
      if (this.abortSignal.aborted || this.queue.closed) return;
      if (isFirst) frame.userdata[USERDATA_TIMED_TRANSCRIPT] = [words];
      isFirst = false;
      this.spokenSeconds += frame.samplesPerChannel / frame.sampleRate;
      this.queue.put({ requestId: this.requestId, segmentId: this.requestId, frame, final: isLast });
    }
  }
}

async function* markLast(
  frames: AsyncIterable<AudioFrame>,
): AsyncGenerator<{ frame: AudioFrame; isLast: boolean }> {
  let held: AudioFrame | null = null;
  for await (const frame of frames) {
    if (held) yield { frame: held, isLast: false };
    held = frame;
  }
  if (held) yield { frame: held, isLast: true };
}
