import { randomUUID } from 'node:crypto';
import type { ChatChunk, FinishReason, TokenUsage, ToolCall, ToolDefinition } from '../chat-model.js';
import { ModelError } from '../model-error.js';
import { tokenUsageOf } from '../token-usage.js';
import { AnswerFilter } from './answer/answer-filter.js';
import type { TextCall } from './answer/text-calls.js';
import { ProviderFieldsAssembler } from './provider-fields.js';
import { ToolCallAssembler } from './tool-call-assembler.js';
import { arrayOf, isRecord, stringOf, textOf } from './wire-value.js';

const MAX_TEXT_CHARS = 200_000;
/** Fields in which servers send thoughts that they tell from the answer themselves. */
const THOUGHT_FIELDS = ['reasoning_content', 'reasoning', 'reasoning_details'] as const;
/** Gemini, where the model has written a call that cannot be read. */
const MALFORMED_CALL = /malformed_function_call/i;

export interface TurnAssemblerOptions {
  /** Those of the request. */
  readonly tools: readonly ToolDefinition[];
  /** Whether the model may call them; left out: it may. A call that it writes as text is none otherwise, and no words. */
  readonly mayCall?: boolean;
  /** How the model begins its answers, as far as is known. */
  readonly beginning: 'unknown' | 'plain' | 'lone-end';
}

/**
 * Puts one streamed turn together from the chunks of `/chat/completions`, as OpenAI documents them
 * and as compatible servers really send them. A chunk is trusted for nothing but being JSON.
 */
export class TurnAssembler {
  private readonly toolCalls = new ToolCallAssembler();
  private readonly messageFields = new ProviderFieldsAssembler();
  private readonly filter: AnswerFilter;
  private finishReason: string | null = null;
  private usage: TokenUsage | null = null;
  private textChars = 0;
  private hasThoughtField = false;
  private hasCalls = false;
  /** The choice whose text is the answer: others, if any, are variants of it. */
  private textChoice: unknown = null;

  private readonly mayCall: boolean;

  constructor({ tools, mayCall = true, beginning }: TurnAssemblerOptions) {
    this.mayCall = mayCall;
    this.filter = new AnswerFilter({
      tools,
      isHolding: beginning !== 'plain',
      expectsThought: beginning === 'lone-end',
    });
  }

  /** Whether the model has said that it is done; only usage figures can still come. */
  get finished(): boolean {
    return this.finishReason !== null;
  }

  /** Whether anything of an answer has come. */
  get hasBegun(): boolean {
    return this.textChars > 0 || this.hasCalls;
  }

  /** Whether the model wrote a call that its server could not read, and nothing else. */
  get isFailedCall(): boolean {
    return !this.hasBegun && MALFORMED_CALL.test(this.finishReason ?? '');
  }

  /** Whether the text began with a thought that it only ended. */
  get hasLoneEnd(): boolean {
    return this.filter.hasLoneEnd;
  }

  /** Whether the text shows how the model begins its answers. */
  get hasText(): boolean {
    return this.textChars > 0;
  }

  /** Whether all text so far was no answer; true once. */
  takeRetraction(): boolean {
    return this.filter.takeRetraction();
  }

  /** @returns the new text of this chunk that may be shown, empty when it brings none. */
  accept(chunk: unknown): string {
    if (!isRecord(chunk)) throw new ModelError('malformed');
    this.usage = readUsage(chunk['usage']) ?? this.usage;
    let text = '';
    for (const choice of arrayOf(chunk['choices'])) text += this.acceptChoice(choice);
    return text;
  }

  /** The last text, the tool calls and the finish chunk. Throws `truncated` when the turn broke off. */
  finish(): ChatChunk[] {
    if (this.finishReason === null || this.finishReason === 'error') throw new ModelError('truncated');
    const reason = toFinishReason(this.finishReason);
    if (reason === 'length' && !this.toolCalls.complete) throw new ModelError('truncated');
    const { text, calls } = this.filter.end(reason === 'length');
    // A turn which the provider withheld in part has no calls worth acting on.
    const toolCalls = reason === 'content-filter' ? [] : this.takeCalls(calls);
    return [
      ...(this.takeRetraction() ? [{ type: 'retract' } as const] : []),
      ...(text === '' ? [] : [{ type: 'text', text } as const]),
      ...toolCalls.map((toolCall): ChatChunk => ({ type: 'tool-call', toolCall })),
      { type: 'finish', reason: toolCalls.length > 0 ? 'tool-calls' : reason, usage: this.usage },
    ];
  }

  private acceptChoice(choice: unknown): string {
    if (!isRecord(choice)) throw new ModelError('malformed');
    const sent = choice['delta'] ?? choice['message'];
    const delta = isRecord(sent) ? sent : {};
    const index = typeof choice['index'] === 'number' ? choice['index'] : 0;
    this.acceptCalls(delta, index);
    this.messageFields.accept(delta);
    this.finishReason = stringOf(choice['finish_reason']) || this.finishReason;
    if (!this.hasThoughtField && THOUGHT_FIELDS.some((field) => delta[field])) {
      this.hasThoughtField = true;
      this.filter.stopHolding();
    }
    return this.acceptText(textOf(delta['content']) || stringOf(delta['refusal']), index);
  }

  private acceptCalls(delta: Readonly<Record<string, unknown>>, choice: number): void {
    const legacy = delta['function_call'];
    const pieces = isRecord(legacy) ? [{ index: 0, function: legacy }] : arrayOf(delta['tool_calls']);
    for (const piece of pieces) {
      this.hasCalls = true;
      this.toolCalls.accept(piece, choice);
    }
  }

  private acceptText(text: string, choice: number): string {
    if (text === '') return '';
    this.textChoice ??= choice;
    if (this.textChoice !== choice) return '';
    this.textChars += text.length;
    if (this.textChars > MAX_TEXT_CHARS) throw new ModelError('malformed');
    return this.filter.push(text);
  }

  /**
   * The fields of the message go with its first call.
   *
   * @param written as text: some servers send the same call in both ways
   */
  private takeCalls(written: readonly TextCall[]): ToolCall[] {
    const [first, ...others] = this.toolCalls.take();
    if (!first) return this.mayCall ? written.map(toToolCall) : [];
    const message = this.messageFields.take();
    return [message ? { ...first, providerFields: { ...first.providerFields, message } } : first, ...others];
  }
}

function toToolCall(call: TextCall): ToolCall {
  return { id: `call_${randomUUID()}`, ...call };
}

/** Words outside OpenAI's list (`eos`, `end_turn`…) all mean that the model stopped by itself. */
function toFinishReason(reason: string): FinishReason {
  if (reason === 'length') return 'length';
  return reason === 'content_filter' ? 'content-filter' : 'stop';
}

function readUsage(usage: unknown): TokenUsage | null {
  if (!isRecord(usage)) return null;
  const details = usage['prompt_tokens_details'];
  return tokenUsageOf({
    inputTokens: usage['prompt_tokens'],
    cachedInputTokens: isRecord(details) ? details['cached_tokens'] : null,
    outputTokens: usage['completion_tokens'],
  });
}
