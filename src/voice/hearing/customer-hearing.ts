import { stt, type VADEvent, VADEventType } from '@livekit/agents';
import { rmsOf } from '@prosa/audio';
import type { IgnoredWords } from '../../runtime/call/session/session-facts.js';
import type { VoiceSettings } from '../../runtime/call/settings/voice-settings.js';
import { beginsBackchannel, isBackchannel } from './backchannels.js';
import { beginsHallucination, hasNoWords, type HeardSound, isHallucination } from './hallucinations.js';
import { SpeechDetector } from './speech-detector.js';

/** How long a question may be answered while the assistant continues to speak. */
const ANSWER_MS = 2_000;
/**
 * Without any words, speech over the assistant's interrupts it when it lasts so long: in one run, or with its pauses left out.
 * Signs of listening are shorter, and those that are longer come in parts ("uhum, tá bom").
 */
const WORDLESS_RUN_MS = 900;
const WORDLESS_MS = 1_400;
/** Stretches with a shorter pause between them are one utterance. */
const UTTERANCE_PAUSE_MS = 600;
/** What was heard before has nothing to do with words that come now. */
const FORGOTTEN_MS = 15_000;
/** Below any duration that interrupts. */
const NO_INTERRUPTION_MS = -1;

const { FINAL_TRANSCRIPT, INTERIM_TRANSCRIPT, PREFLIGHT_TRANSCRIPT } = stt.SpeechEventType;
const TRANSCRIPTS: readonly stt.SpeechEventType[] = [
  FINAL_TRANSCRIPT,
  INTERIM_TRANSCRIPT,
  PREFLIGHT_TRANSCRIPT,
];

export interface CustomerHearingHost {
  /** Of the assistant that speaks now. */
  voice(): VoiceSettings;
  /** What the assistant does now; `asking`: it asks a question, or did so within the last milliseconds. */
  assistantDoes(withinMs: number): 'nothing' | 'speaking' | 'asking';
  /** Whether the customer may interrupt what is being said. */
  mayInterrupt(): boolean;
  /** The customer's sound interrupts current speech. */
  onInterruption(): void;
  /** Words over speech that may not be interrupted; to be answered after it. */
  onWordsKept(words: string): void;
  onIgnored(ignored: IgnoredWords): void;
  /** Speech that the engine has paused for ignored words continues; the engine would wait for more than a second. */
  resume(): void;
}

/** Sound that the detector takes for one stretch of speech. */
interface Stretch extends HeardSound {
  readonly startedAtMs: number;
  speechMs: number;
  peakRms: number;
  /** The longest run without any pause. */
  runMs: number;
  endedAtMs: number | null;
  /** It began while the assistant spoke and asked nothing. */
  readonly isOverSpeech: boolean;
  /** Words were heard in it that are more than a sign of listening. */
  hasWords: boolean;
  /** All its words were ignored. */
  isIgnored: boolean;
  interrupts: boolean;
}

/**
 * Decides which of the customer's sounds and a recognizer's words are a turn. Signs of listening while the assistant
 * speaks do not interrupt it, and are not answered. Words that recognizers write for noise are dropped. All others go
 * to the engine.
 */
export class CustomerHearing {
  /** Of which no words have come. */
  private stretches: Stretch[] = [];
  /** The last signs of listening: with more words in the same utterance they are the beginning of a sentence. */
  private held: { readonly stretch: Stretch; readonly words: string } | null = null;
  private ignoredAtMs = -Infinity;

  constructor(private readonly host: CustomerHearingHost) {}

  /** For one session of the engine. */
  detector(): SpeechDetector {
    return new SpeechDetector((event) => this.sensed(event));
  }

  /**
   * Whether nothing is missed where no words have come since a moment: they were ignored, or all that was heard was a sound over
   * the assistant's speech, which went on.
   *
   * @param atMs of `Date.now()`
   */
  missesNothingSince(atMs: number): boolean {
    if (this.ignoredAtMs >= atMs) return true;
    const unheard = this.stretches.filter(({ endedAtMs }) => endedAtMs === null || endedAtMs >= atMs);
    return (
      this.ignoresBackchannels && unheard.length > 0 && unheard.every(({ isOverSpeech }) => isOverSpeech)
    );
  }

  /** @returns what the engine is to see of an event of its detector */
  sensed(event: VADEvent): VADEvent {
    const current = this.current();
    if (event.type === VADEventType.START_OF_SPEECH) this.begin(event);
    else if (event.type === VADEventType.END_OF_SPEECH && current) this.end(current);
    else if (event.type === VADEventType.INFERENCE_DONE && current && event.speaking) {
      measure(current, event);
      if (this.isHeldBack(current)) return { ...event, speechDuration: NO_INTERRUPTION_MS };
      this.interrupt(current, event.speechDuration);
    }
    return event;
  }

  /** @returns what the engine is to see of an event of the recognizer; null: nothing */
  sift(event: stt.SpeechEvent): stt.SpeechEvent | null {
    const words = event.alternatives?.[0].text ?? '';
    if (!TRANSCRIPTS.includes(event.type) || words === '') return event;
    const isFinal = event.type === FINAL_TRANSCRIPT;
    const stretches = this.stretchesOf(event.speechEndTime);
    const kind = this.kindOf(words, stretches, isFinal);
    if (isFinal) this.transcribed(stretches);
    if (kind !== null) {
      if (isFinal) this.ignore(kind, words, stretches);
      return null;
    }
    if (!isFinal && beginsHallucination(words, this.spoken)) return event;
    for (const stretch of stretches) [stretch.isIgnored, stretch.hasWords] = [false, true];
    if (!this.host.mayInterrupt()) {
      if (isFinal) this.keep(words);
      return null;
    }
    if (!isFinal) return event;
    this.host.onInterruption();
    return this.withHeld(event, stretches);
  }

  private kindOf(
    words: string,
    stretches: readonly Stretch[],
    isFinal: boolean,
  ): IgnoredWords['kind'] | null {
    const { spoken } = this;
    if (hasNoWords(words) || isHallucination(words, soundOf(stretches))) return 'noise';
    if (!this.ignoresBackchannels || !stretches.every(({ isOverSpeech }) => isOverSpeech)) return null;
    const isSign = isFinal ? isBackchannel(words, spoken) : beginsBackchannel(words, spoken);
    return isSign ? 'backchannel' : null;
  }

  private ignore(kind: IgnoredWords['kind'], words: string, stretches: readonly Stretch[]): void {
    const last = stretches.at(-1);
    if (kind === 'backchannel' && last)
      this.held = { stretch: last, words: [...this.heldBefore(stretches), words].join(' ') };
    this.ignoredAtMs = Date.now();
    this.host.onIgnored({ kind, text: words });
    for (const stretch of stretches) [stretch.isIgnored, stretch.hasWords] = [true, false];
    if (stretches.every(({ isIgnored, endedAtMs }) => isIgnored && endedAtMs !== null)) this.host.resume();
  }

  /** Where the assistant may not be interrupted, the words wait until it has finished; elsewhere they are lost. */
  private keep(words: string): void {
    this.ignoredAtMs = Date.now();
    if (!this.host.voice().interruptions.allowed) this.host.onWordsKept(words);
  }

  private withHeld(event: stt.SpeechEvent, stretches: readonly Stretch[]): stt.SpeechEvent {
    const held = this.heldBefore(stretches);
    this.held = null;
    const [first, ...others] = event.alternatives ?? [];
    if (held.length === 0 || !first) return event;
    const text = [...held, first.text].join(' ');
    return { ...event, alternatives: [{ ...first, text }, ...others] };
  }

  private heldBefore([first]: readonly Stretch[]): string[] {
    if (!this.held || !first) return [];
    const { stretch, words } = this.held;
    const pauseMs = first.startedAtMs - (stretch.endedAtMs ?? first.startedAtMs);
    return first === stretch || pauseMs < UTTERANCE_PAUSE_MS ? [words] : [];
  }

  /** Languages of the assistant, ISO 639-1. */
  private get spoken(): string[] {
    return this.host.voice().languages.map(({ iso2 }) => iso2);
  }

  private get ignoresBackchannels(): boolean {
    const { mode, interruptions } = this.host.voice();
    return mode === 'pipeline' && interruptions.ignoreBackchannels;
  }

  private begin({ speechDuration }: VADEvent): void {
    const nowMs = Date.now();
    this.stretches = this.stretches.filter(({ endedAtMs }) => nowMs - (endedAtMs ?? nowMs) < FORGOTTEN_MS);
    const isOverSpeech = this.host.assistantDoes(ANSWER_MS + speechDuration) === 'speaking';
    const interrupts = !isOverSpeech || !this.ignoresBackchannels;
    const sound = { speechMs: speechDuration, runMs: 0, peakRms: 0, hasWords: false, isIgnored: false };
    this.stretches.push({
      ...sound,
      interrupts,
      isOverSpeech,
      startedAtMs: nowMs - speechDuration,
      endedAtMs: null,
    });
    if (interrupts) this.host.onInterruption();
  }

  private end(stretch: Stretch): void {
    stretch.endedAtMs = Date.now();
    if (stretch.isIgnored) this.host.resume();
  }

  private current(): Stretch | null {
    const last = this.stretches.at(-1);
    return last && last.endedAtMs === null ? last : null;
  }

  private isHeldBack({ isOverSpeech, hasWords, speechMs, runMs }: Stretch): boolean {
    return (
      this.ignoresBackchannels &&
      isOverSpeech &&
      !hasWords &&
      runMs < WORDLESS_RUN_MS &&
      speechMs < WORDLESS_MS
    );
  }

  private interrupt(stretch: Stretch, durationMs: number): void {
    if (stretch.interrupts || durationMs < this.host.voice().interruptions.minDurationMs) return;
    stretch.interrupts = true;
    this.host.onInterruption();
  }

  /** Those of one utterance; where the detector has found none, the words are taken for said now. */
  private stretchesOf(speechEndMs = Infinity): Stretch[] {
    const heard = this.stretches.filter(({ startedAtMs }) => startedAtMs <= speechEndMs);
    const isLater = ({ startedAtMs }: Stretch, index: number) =>
      index > 0 && startedAtMs - (heard[index - 1]?.endedAtMs ?? startedAtMs) >= UTTERANCE_PAUSE_MS;
    if (heard.length > 0) return heard.slice(Math.max(heard.findLastIndex(isLater), 0));
    const isOverSpeech = this.host.assistantDoes(ANSWER_MS) === 'speaking';
    const nowMs = Date.now();
    const unknown = { speechMs: 0, runMs: 0, peakRms: 0, hasWords: false, isIgnored: false };
    return [{ ...unknown, interrupts: false, isOverSpeech, startedAtMs: nowMs, endedAtMs: nowMs }];
  }

  /** More words may come of a stretch that is not over; of those before it none will. */
  private transcribed(stretches: readonly Stretch[]): void {
    const last = stretches.at(-1);
    this.stretches = this.stretches.filter(
      ({ startedAtMs, endedAtMs }) => endedAtMs === null || (last && startedAtMs > last.startedAtMs),
    );
  }
}

function measure(stretch: Stretch, event: VADEvent): void {
  const {
    rawAccumulatedSilence,
    rawAccumulatedSpeech,
    frames: [frame],
  } = event;
  if (!frame) return;
  stretch.runMs = Math.max(stretch.runMs, rawAccumulatedSpeech);
  stretch.peakRms = Math.max(stretch.peakRms, rmsOf(frame.data));
  if (rawAccumulatedSilence === 0) stretch.speechMs += (frame.samplesPerChannel * 1_000) / frame.sampleRate;
}

function soundOf(stretches: readonly Stretch[]): HeardSound {
  return {
    speechMs: stretches.reduce((sum, { speechMs }) => sum + speechMs, 0),
    peakRms: Math.max(...stretches.map(({ peakRms }) => peakRms)),
  };
}
