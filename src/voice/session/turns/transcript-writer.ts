import type { llm } from '@livekit/agents';
import type { TranscriptTurn, TurnAssistant } from '../../../runtime/call/session/call-setup.js';
import type { HeardSpeech } from '../../engine/session-output.js';

/** Writes down who said what, and when, in milliseconds of the call: what was heard, not what was generated. */
export class TranscriptWriter {
  /** Messages whose words were typed: they are turns already when the engine tells of them. */
  private readonly typedIds = new Set<string>();
  private lastSpeech: HeardSpeech | null = null;
  /** The turn that is being spoken, as it was reported before. */
  private toldTurn: TranscriptTurn | null = null;
  /** What was understood of the customer, and is no message yet: the engine makes one when it answers. */
  private unanswered: { text: string; startMs: number; endMs: number } | null = null;

  /** Before this, nothing that the customer said was a turn. */
  private ignoredUntilMs = 0;
  /** When the customer began to speak after that. */
  private spokeAgainMs: number | null = null;

  /**
   * @param elapsedMs since the call was answered
   * @param onTurn given `earlier`, the turn takes its place
   * @param assistant who speaks now, as in TranscriptTurn
   */
  constructor(
    private readonly elapsedMs: () => number,
    private readonly onTurn: (turn: TranscriptTurn, earlier?: TranscriptTurn) => void,
    private readonly assistant: () => TurnAssistant | undefined = () => undefined,
  ) {}

  customerTyped(words: string): TranscriptTurn {
    const atMs = this.elapsedMs();
    const said = { text: words, startMs: atMs, endMs: atMs, interrupted: false };
    const turn: TranscriptTurn = { speaker: 'customer', ...said };
    this.onTurn(turn);
    return turn;
  }

  /** Words that the engine does not know: of a person in place of the assistant, or an announcement. */
  said(turn: TranscriptTurn): void {
    this.onTurn(turn);
  }

  /** Words of the customer, before the engine knows whether they are a turn. */
  customerHeard(words: string): void {
    const text = words.trim();
    if (text === '') return;
    const atMs = this.elapsedMs();
    const before = this.unanswered;
    this.unanswered = {
      text: before ? `${before.text} ${text}` : text,
      startMs: before?.startMs ?? atMs,
      endMs: atMs,
    };
  }

  customerSpeaks(): void {
    this.spokeAgainMs ??= this.elapsedMs();
  }

  /** What was heard so far was no turn. The engine counts it to the next one. */
  customerIgnored(): void {
    this.ignoredUntilMs = this.elapsedMs();
    this.spokeAgainMs = null;
  }

  /** They stay unanswered. */
  dropUnanswered(): void {
    this.unanswered = null;
  }

  /** No answer came, because the call is over or a person has taken over: they were said all the same. */
  keepUnanswered(): TranscriptTurn | null {
    const { unanswered } = this;
    this.unanswered = null;
    if (!unanswered) return null;
    const said: TranscriptTurn = { speaker: 'customer', ...unanswered, interrupted: false };
    this.onTurn(said);
    return said;
  }

  /** The message's words were typed, and reported when they came. */
  isTyped({ id }: llm.ChatMessage): void {
    this.typedIds.add(id);
  }

  /** A message has become part of the engine's conversation. */
  added(message: llm.ChatMessage): void {
    if (message.role === 'user') this.customerSaid(message);
    // What was never heard is not part of the conversation; the engine keeps all of it where a set text was said.
    else if (this.lastSpeech?.interrupted && (message.interrupted || begins(message, this.lastSpeech)))
      message.content = [this.lastSpeech.text];
  }

  /** What of a speech was heard so far. */
  assistantSays({ text, startedAtMs, endedAtMs, interrupted }: HeardSpeech): void {
    if (text === '') return;
    const atMs = (ofProcessMs: number) => Math.max(this.elapsedMs() - (performance.now() - ofProcessMs), 0);
    const earlier = this.toldTurn ?? undefined;
    const startMs = earlier?.startMs ?? atMs(startedAtMs);
    const assistant = earlier ? earlier.assistant : this.assistant();
    const said = { text, startMs, endMs: atMs(endedAtMs), interrupted, ...(assistant ? { assistant } : {}) };
    this.toldTurn = { speaker: 'assistant', ...said };
    this.onTurn(this.toldTurn, earlier);
  }

  /** A speech is over. */
  assistantSaid(speech: HeardSpeech): void {
    this.lastSpeech = speech;
    this.assistantSays(speech);
    this.toldTurn = null;
  }

  private customerSaid(message: llm.ChatMessage): void {
    if (this.typedIds.delete(message.id)) return;
    const text = message.textContent?.trim() ?? '';
    if (text === '') return;
    this.unanswered = null;
    const { startedSpeakingAt, stoppedSpeakingAt } = message.metrics;
    const atMs = (seconds: number | undefined) =>
      Math.max(this.elapsedMs() - (seconds === undefined ? 0 : Date.now() - seconds * 1_000), 0);
    const [begunMs, endMs] = [atMs(startedSpeakingAt ?? stoppedSpeakingAt), atMs(stoppedSpeakingAt)];
    const startMs = begunMs < this.ignoredUntilMs ? (this.spokeAgainMs ?? this.ignoredUntilMs) : begunMs;
    this.onTurn({
      speaker: 'customer',
      text,
      startMs: Math.min(startMs, endMs),
      endMs,
      interrupted: false,
    });
  }
}

/** Of an answer that a realtime model broke off the engine knows no interruption. */
function begins({ textContent }: llm.ChatMessage, { text }: HeardSpeech): boolean {
  return text !== '' && textContent?.startsWith(text) === true;
}
