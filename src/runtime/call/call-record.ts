import type { AnsweredBy } from '../../providers/telephony/call-carrier.js';
import type { ChatMessage, TokenUsage } from '../../providers/llm/chat-model.js';
import type { CallAction, CallListener, ModelUsage, TranscriptTurn } from './call-engine.js';

type Untimed<Action> = Action extends CallAction ? Omit<Action, 'atMs'> : never;

/** What is written down of a call while it goes on. */
export class CallRecord {
  readonly turns: TranscriptTurn[];
  readonly actions: CallAction[] = [];
  answeredBy: AnsweredBy | null = null;
  private readonly messages: ChatMessage[];
  private readonly usage = new Map<string, ModelUsage>();

  /** @param atMs the time since the answer */
  constructor(
    earlier: readonly TranscriptTurn[],
    private readonly atMs: () => number,
    private readonly listener: CallListener = {},
  ) {
    this.turns = [...earlier];
    this.messages = [];
    for (const { speaker, text } of earlier)
      this.remember(speaker === 'customer' ? 'user' : 'assistant', text);
  }

  /** What a model is shown of the conversation; customer and assistant take turns in it. */
  get history(): readonly ChatMessage[] {
    return [...this.messages];
  }

  get modelUsage(): readonly ModelUsage[] {
    return [...this.usage.values()];
  }

  /** In the order of the words; what of it has been answered, is told by `remember`. */
  turn(speaker: TranscriptTurn['speaker'], text: string): void {
    const atMs = this.atMs();
    const turn = { speaker, text, startMs: atMs, endMs: atMs, interrupted: false };
    this.turns.push(turn);
    this.listener.onTurn?.(turn);
  }

  remember(role: 'user' | 'assistant', text: string): void {
    const last = this.messages.at(-1);
    if (last?.role === role) this.messages.splice(-1, 1, { role, content: `${last.content}\n${text}` });
    else this.messages.push({ role, content: text });
  }

  action(action: Untimed<CallAction>): void {
    const timed = { ...action, atMs: this.atMs() } as CallAction;
    this.actions.push(timed);
    this.listener.onAction?.(timed);
  }

  hint(answeredBy: AnsweredBy): void {
    this.answeredBy = answeredBy;
    this.listener.onAnsweredBy?.(answeredBy);
  }

  error(error: unknown): void {
    this.listener.onError?.(error);
  }

  used(model: string, usage: TokenUsage | null): void {
    const before = this.usage.get(model) ?? { model, requests: 0, inputTokens: null, outputTokens: null };
    this.usage.set(model, {
      model,
      requests: before.requests + 1,
      inputTokens: usage ? (before.inputTokens ?? 0) + usage.inputTokens : before.inputTokens,
      outputTokens: usage ? (before.outputTokens ?? 0) + usage.outputTokens : before.outputTokens,
    });
  }
}
