import { APIConnectionError, APIError } from 'openai';
import { isRecord } from '../wire-value.js';

/** Of what a server says; it may repeat the whole prompt. */
const MAX_WORDS_CHARS = 4_000;
/**
 * Statuses of a request that could not be understood. 404: OpenRouter without an endpoint that takes all parameters. 500, 501:
 * llama.cpp and others whose chat template fails.
 */
const STATUSES: ReadonlySet<number> = new Set([400, 404, 405, 415, 422, 500, 501]);

const TOO_LONG = /context[ _](?:length|window|size)|too (?:long|many tokens)|reduce the length/;

/** Why a server did not take a request. */
export interface Refusal {
  /** In lower case. */
  readonly words: string;
  readonly isTemplate: boolean;
}

/** @returns null for what another form of the request would not change */
export function refusalIn(error: unknown): Refusal | null {
  if (!(error instanceof APIError) || error instanceof APIConnectionError) return null;
  const status = error.status ?? statusOf(error);
  if (status !== null && !STATUSES.has(status)) return null;
  if (error.code === 'content_filter' || error.code === 'context_length_exceeded') return null;
  const body = JSON.stringify(error.error ?? '') ?? '';
  const words = `${error.param ?? ''} ${error.message} ${body}`.slice(0, MAX_WORDS_CHARS).toLowerCase();
  // Another form of the same messages is as long.
  if (TOO_LONG.test(words)) return null;
  return { words, isTemplate: status !== null && status >= 500 };
}

/** Of an error within a stream that began with 200. */
function statusOf({ code, error }: APIError): number | null {
  const stated: unknown = isRecord(error) ? error['status_code'] : null;
  const status = Number(stated ?? code ?? Number.NaN);
  return Number.isInteger(status) ? status : null;
}

/**
 * Whether the model has written a call that its server could not read: the same request may succeed the next time.
 * @see https://console.groq.com/docs/tool-use
 */
export function isFailedToolUse(error: unknown): boolean {
  if (!(error instanceof APIError)) return false;
  return error.code === 'tool_use_failed' || /failed to call a function|tool_use_failed/i.test(error.message);
}

/** Whether the model is none for chats, as one that embeds. */
export function isNoChatModel(error: unknown): boolean {
  if (!(error instanceof APIError)) return false;
  return /(?:does not|doesn't|not) support (?:chat|generate|completion)|not a chat model|not supported in the v1\/chat/i.test(
    error.message.slice(0, MAX_WORDS_CHARS),
  );
}
