import { Line, RATE_HZ, silence } from './sounds.js';
import type { Situation, Stretch } from './situations.js';

const FRAME_MS = 20;
const FRAME = (RATE_HZ * FRAME_MS) / 1_000;
/** What a call is listened to at most. */
const LONGEST_MS = 60_000;
/** After a recording and a person have said all they say. */
const AFTERWARDS_MS = 22_000;

const ASSISTANT = {
  greetsAtMs: 300,
  greetingMs: 3_600,
  answerMs: 3_000,
  /** Speech of the far end that stops it. */
  interruptedAfterMs: 500,
  /** From the far end's last sound to the answer: end of turn, model, voice. */
  answersAfterMs: 1_700,
};
/** Streaming: words as they are said, and the end of them. Else: all at once. */
const RECOGNISER = { delayMs: 300, finalMs: 500, wholeMs: 950, interimMs: 300 };
const PERSON = { waitsMs: 3_500, talksOverMs: 900 };

export interface Detector {
  hear(frame: Int16Array, assistantSpeaks: boolean): string | null;
  words(text: string, areFinal: boolean): string | null;
}

export interface Outcome {
  readonly decision: string;
  readonly atMs: number | null;
  readonly wasGreeted: boolean;
}

/** Plays a call to a detector, with an assistant that greets, is interrupted and answers. */
export class Simulation {
  private readonly line: Line;
  private readonly random: () => number;
  private nowMs = 0;
  private assistantUntilMs = 0;
  private assistantSince: number | null = null;
  private assistantTurns = 0;
  private isOwed = false;
  private overlapMs = 0;
  private lastSpeechMs = -Infinity;
  private lastAssistantMs = -Infinity;
  private stretch: { readonly of: Stretch; readonly fromMs: number; at: number } | null = null;
  private script: Stretch[];
  private replies: Stretch[];
  private repliedTo = 0;
  private due: { readonly atMs: number; readonly text: string; readonly isFinal: boolean }[] = [];
  private greetedAtMs: number | null = null;

  constructor(
    private readonly situation: Situation,
    private readonly detector: Detector,
  ) {
    this.random = randomOf(situation.seed);
    this.line = new Line(situation.condition, this.random);
    this.script = [...situation.script];
    this.replies = [...situation.replies];
  }

  run(): Outcome {
    let decision = 'unknown';
    let atMs: number | null = null;
    let idleMs = 0;
    while (this.nowMs < LONGEST_MS && idleMs < AFTERWARDS_MS) {
      for (const news of this.step()) {
        decision = news;
        atMs = this.nowMs;
      }
      if (decision === 'machine') break;
      idleMs = this.stretch || this.script.length > 0 || this.replies.length > 0 ? 0 : idleMs + FRAME_MS;
      // A person who has said all hangs up.
      if (this.situation.truth === 'human' && idleMs > 3_000) break;
      this.nowMs += FRAME_MS;
    }
    const wasGreeted = this.greetedAtMs !== null && (atMs === null || this.greetedAtMs <= atMs);
    return { decision, atMs, wasGreeted };
  }

  private step(): string[] {
    const frame = this.farEnd();
    this.assist();
    const isSpeaking = this.nowMs < this.assistantUntilMs;
    const heard = this.detector.hear(this.line.carry(frame), isSpeaking);
    const news = heard === null ? [] : [heard];
    for (const { text, isFinal } of this.takeDue()) {
      const understood = this.detector.words(text, isFinal);
      if (understood !== null) news.push(understood);
    }
    return news;
  }

  private farEnd(): Int16Array {
    this.stretch ??= this.nextStretch();
    const { stretch } = this;
    const frame = silence(FRAME_MS);
    if (!stretch || this.nowMs < stretch.fromMs) return frame;
    frame.set(stretch.of.samples.subarray(stretch.at, stretch.at + FRAME));
    stretch.at += FRAME;
    if (stretch.of.text !== '') this.lastSpeechMs = this.nowMs;
    if (stretch.at >= stretch.of.samples.length) this.stretch = null;
    return frame;
  }

  private nextStretch(): NonNullable<Simulation['stretch']> | null {
    const next = this.script.shift() ?? this.nextReply();
    if (!next) return null;
    const fromMs = this.nowMs + next.afterMs;
    if (next.text !== '') this.recognise(next, fromMs);
    return { of: next, fromMs, at: 0 };
  }

  /** A person waits for the assistant, or begins to speak over it, and asks again where nothing comes. */
  private nextReply(): Stretch | undefined {
    const [next] = this.replies;
    if (!next) return undefined;
    const quietMs = this.nowMs - Math.max(this.lastSpeechMs, this.lastAssistantMs);
    const isSpeaking = this.nowMs < this.assistantUntilMs;
    const hasHeard = this.assistantTurns > this.repliedTo && !isSpeaking && quietMs >= 200;
    const interrupts =
      this.situation.talksOver && isSpeaking && this.nowMs - (this.assistantSince ?? 0) >= PERSON.talksOverMs;
    if (next.text !== '' && !hasHeard && !interrupts && quietMs < PERSON.waitsMs) return undefined;
    this.repliedTo = this.assistantTurns;
    return this.replies.shift();
  }

  private recognise({ text, samples }: Stretch, fromMs: number): void {
    const { missedWords } = this.situation.condition;
    const words = text.split(' ').filter(() => this.random() >= missedWords);
    const lengthMs = (samples.length / RATE_HZ) * 1_000;
    const endMs = fromMs + lengthMs;
    const { isStreaming } = this.situation;
    const interims = isStreaming ? Math.ceil(lengthMs / RECOGNISER.interimMs) - 1 : 0;
    for (let ms = RECOGNISER.interimMs; ms <= interims * RECOGNISER.interimMs; ms += RECOGNISER.interimMs) {
      const said = words.slice(0, Math.floor((words.length * ms) / lengthMs)).join(' ');
      if (said !== '') this.due.push({ atMs: fromMs + ms + RECOGNISER.delayMs, text: said, isFinal: false });
    }
    const finalMs = endMs + (isStreaming ? RECOGNISER.finalMs : RECOGNISER.wholeMs);
    if (words.length > 0) this.due.push({ atMs: finalMs, text: words.join(' '), isFinal: true });
  }

  private takeDue(): Simulation['due'] {
    const ready = this.due.filter(({ atMs }) => atMs <= this.nowMs);
    this.due = this.due.filter(({ atMs }) => atMs > this.nowMs);
    return ready;
  }

  private assist(): void {
    const { nowMs } = this;
    const isHeard = this.lastSpeechMs === nowMs;
    if (nowMs < this.assistantUntilMs) {
      this.lastAssistantMs = nowMs;
      this.overlapMs = isHeard ? this.overlapMs + FRAME_MS : this.overlapMs;
      if (this.overlapMs >= ASSISTANT.interruptedAfterMs) this.assistantUntilMs = nowMs;
    } else if (nowMs === ASSISTANT.greetsAtMs) this.speak(ASSISTANT.greetingMs);
    else if (this.isOwed && nowMs - this.lastSpeechMs >= ASSISTANT.answersAfterMs)
      this.speak(ASSISTANT.answerMs);
    if (isHeard) this.isOwed = true;
    if (nowMs + FRAME_MS === this.assistantUntilMs) this.greetedAtMs ??= nowMs;
  }

  private speak(ms: number): void {
    this.assistantSince = this.nowMs;
    this.assistantUntilMs = this.nowMs + ms;
    this.assistantTurns++;
    this.overlapMs = 0;
    this.isOwed = false;
  }
}

function randomOf(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 8) / 2 ** 24;
  };
}
