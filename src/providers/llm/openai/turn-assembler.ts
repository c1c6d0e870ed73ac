import type { ChatChunk, FinishReason, TokenUsage } from '../chat-model.js';
import { ModelError } from '../model-error.js';
import { tokenUsageOf } from '../token-usage.js';
import { ToolCallAssembler } from './tool-call-assembler.js';
import { arrayOf, isRecord, stringOf } from './wire-value.js';

const MAX_TEXT_CHARS = 200_000;

/**
 * Puts one streamed turn together from the chunks of `/chat/completions`, as OpenAI documents them
 * and as compatible servers really send them. A chunk is trusted for nothing but being JSON.
 */
export class TurnAssembler {
  private readonly toolCalls = new ToolCallAssembler();
  private finishReason: string | null = null;
  private usage: TokenUsage | null = null;
  private textChars = 0;

  /** Whether the model has said that it is done; only usage figures can still come. */
  get finished(): boolean {
    return this.finishReason !== null;
  }

  /** @returns the new text of this chunk, empty when it brings none. */
  accept(chunk: unknown): string {
    if (!isRecord(chunk)) throw new ModelError('malformed');
    this.usage = readUsage(chunk['usage']) ?? this.usage;
    const [choice] = arrayOf(chunk['choices']);
    if (choice === undefined) return '';
    if (!isRecord(choice)) throw new ModelError('malformed');

    const delta = isRecord(choice['delta']) ? choice['delta'] : {};
    for (const piece of arrayOf(delta['tool_calls'])) this.toolCalls.accept(piece);
    this.finishReason = stringOf(choice['finish_reason']) || this.finishReason;
    return this.acceptText(stringOf(delta['content']) || stringOf(delta['refusal']));
  }

  /** The tool calls and the finish chunk. Throws `truncated` when the turn broke off. */
  finish(): ChatChunk[] {
    if (this.finishReason === null) throw new ModelError('truncated');
    const reason = toFinishReason(this.finishReason);
    if (reason === 'length' && !this.toolCalls.complete) throw new ModelError('truncated');
    // A turn which the provider withheld in part has no calls worth acting on.
    const toolCalls = reason === 'content-filter' ? [] : this.toolCalls.take();
    return [
      ...toolCalls.map((toolCall): ChatChunk => ({ type: 'tool-call', toolCall })),
      { type: 'finish', reason: toolCalls.length > 0 ? 'tool-calls' : reason, usage: this.usage },
    ];
  }

  private acceptText(text: string): string {
    this.textChars += text.length;
    if (this.textChars > MAX_TEXT_CHARS) throw new ModelError('malformed');
    return text;
  }
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
