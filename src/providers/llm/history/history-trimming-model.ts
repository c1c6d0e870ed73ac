import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ChatChunk, ChatMessage, ChatModel, ChatRequest, ChatStreamOptions } from '../chat-model.js';
import { ModelError } from '../model-error.js';
import { historyRefusalIn } from './history-refusal.js';
import {
  bytesOf,
  unansweredIn,
  withNewerHalf,
  withoutHistory,
  withShortResults,
} from './trimmed-messages.js';

/** 60 messages, halved until none is left, then the results of tools. */
const MAX_ATTEMPTS = 9;
const MAX_REMEMBERED = 1_000;
/** A server may be started again with another context. */
const LIFE_MS = 60 * 60 * 1_000;

type Messages = readonly ChatMessage[];

/**
 * A chat model that is asked again with less of the conversation where the provider refuses what was said before: the newer
 * half where it is too long, and without the messages that were never answered where one of them may be the reason. So a
 * message that was filtered once does not make all later ones fail. What a model refused is remembered for an hour.
 */
export class HistoryTrimmingModel implements ChatModel {
  readonly provider: ChatModel['provider'];
  readonly capabilities: ChatModel['capabilities'];
  /** The smallest request that was too long for a model, in bytes. */
  private readonly tooLong = new LRUCache<string, number>({ max: MAX_REMEMBERED, ttl: LIFE_MS });
  /** Unanswered messages without which a model has answered; their hashes. */
  private readonly refused = new LRUCache<string, true>({ max: MAX_REMEMBERED, ttl: LIFE_MS });

  constructor(private readonly model: ChatModel) {
    this.provider = model.provider;
    this.capabilities = model.capabilities;
  }

  async *stream(request: ChatRequest, options?: ChatStreamOptions): AsyncGenerator<ChatChunk> {
    const startedAt = performance.now();
    const leftOut: Messages[] = [];
    let messages = this.fitting(request);
    for (let attempt = 1; ; attempt++) {
      let hasBegun = false;
      try {
        const asked = { ...request, messages };
        for await (const chunk of this.model.stream(
          asked,
          timeLeft(options, performance.now() - startedAt),
        )) {
          if (!hasBegun && isWithheld(chunk) && trimmed(messages, 'filtered')) throw withheld();
          if (!hasBegun) this.remember(leftOut.flat(), request);
          hasBegun = true;
          yield chunk;
        }
        return;
      } catch (error) {
        const next =
          hasBegun || attempt === MAX_ATTEMPTS ? null : this.afterRefusal(error, request, messages);
        if (next === null) throw named(error);
        leftOut.push(next.leftOut);
        messages = next.messages;
      }
    }
  }

  private afterRefusal(error: unknown, { model }: ChatRequest, messages: Messages) {
    const refusal = error instanceof ModelError ? historyRefusalIn(error) : null;
    if (refusal === null) return null;
    if (refusal === 'too-long') {
      const bytes = bytesOf(messages);
      this.tooLong.set(model, Math.min(bytes, this.tooLong.get(model) ?? bytes));
    }
    return trimmed(messages, refusal);
  }

  /** What of the request is not known to be refused. */
  private fitting({ model, messages }: ChatRequest): Messages {
    return shortenedTo(this.tooLong.get(model) ?? Infinity, this.withoutRefused(model, messages));
  }

  private withoutRefused(model: string, messages: Messages): Messages {
    if (this.refused.size === 0) return messages;
    const instructions = messages[0];
    const refused = unansweredIn(messages).filter((message) =>
      this.refused.has(keyOf(model, message, instructions)),
    );
    return messages.filter((message) => !refused.includes(message));
  }

  private remember(leftOut: Messages, { model, messages: [instructions] }: ChatRequest): void {
    for (const message of leftOut) this.refused.set(keyOf(model, message, instructions), true);
  }
}

/** With so much of the history left out that there are fewer bytes, as far as there is history. */
function shortenedTo(bytes: number, messages: Messages): Messages {
  if (bytes === Infinity || bytesOf(messages) < bytes) return messages;
  const shorter = withNewerHalf(messages);
  return shorter === null ? messages : shortenedTo(bytes, shorter);
}

interface Trimmed {
  readonly messages: Messages;
  /** Unanswered messages that may be the reason of the refusal. */
  readonly leftOut: Messages;
}

/** Null where nothing can be left out. */
function trimmed(messages: Messages, refusal: 'too-long' | 'filtered' | 'other'): Trimmed | null {
  if (refusal === 'too-long') {
    const shorter = withNewerHalf(messages) ?? withShortResults(messages);
    return shorter && { messages: shorter, leftOut: [] };
  }
  const leftOut = unansweredIn(messages);
  if (leftOut.length > 0)
    return { messages: messages.filter((message) => !leftOut.includes(message)), leftOut };
  const last = refusal === 'filtered' ? withoutHistory(messages) : null;
  return last && { messages: last, leftOut: [] };
}

/** Whether a provider has withheld the whole answer. */
function isWithheld(chunk: ChatChunk): boolean {
  return chunk.type === 'finish' && chunk.reason === 'content-filter';
}

function withheld(): ModelError {
  return new ModelError('rejected', { cause: { code: 'content_filter' } });
}

/** The error with what is known of it once nothing more can be left out. */
function named(error: unknown): unknown {
  if (!(error instanceof ModelError) || historyRefusalIn(error) !== 'too-long') return error;
  const { code, cause, retryAfterMs } = error;
  return new ModelError(code, { cause, retryAfterMs, isTooLong: true });
}

/** Of a message to an assistant: its instructions come with it, so that assistants share no memory. */
function keyOf(model: string, { content }: ChatMessage, instructions: ChatMessage | undefined): string {
  return createHash('sha256')
    .update(JSON.stringify([model, instructions?.content, content]))
    .digest('base64');
}

function timeLeft(options: ChatStreamOptions | undefined, usedMs: number): ChatStreamOptions | undefined {
  if (options?.timeoutMs === undefined) return options;
  return { ...options, timeoutMs: Math.max(1, options.timeoutMs - usedMs) };
}
