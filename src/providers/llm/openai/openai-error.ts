import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai';
import { errors } from 'undici';
import { ModelError, type ModelErrorCode } from '../model-error.js';

/**
 * Reads the SDK's and the HTTP client's errors. Own ModelErrors pass unchanged.
 *
 * @param forbidden what 403 means. Of a request that holds a person's words it is the request that is not allowed: OpenRouter
 * answers so to words that its moderation flags, and who wrote them must not make a good key look bad
 * @see https://openrouter.ai/docs/api/reference/errors-and-debugging
 */
export function toModelError(error: unknown, forbidden: ModelErrorCode = 'rejected'): ModelError {
  if (error instanceof ModelError) return error;
  if (error instanceof APIConnectionTimeoutError) return new ModelError('timeout', { cause: error });
  if (error instanceof APIConnectionError) return new ModelError('unavailable', { cause: error });
  if (error instanceof APIError) {
    const status = error.status ?? statusInEvent(error);
    const code = status === 403 ? forbidden : codeOf(error, status);
    return new ModelError(code, { cause: error, retryAfterMs: retryAfterMs(error.headers) });
  }
  // What is left comes from reading the body: JSON.parse on an event, or the stream under it.
  const unreadable =
    error instanceof Error &&
    (error.name === 'SyntaxError' || error instanceof errors.ResponseExceededMaxSizeError);
  return new ModelError(unreadable ? 'malformed' : 'truncated', { cause: error });
}

/**
 * The same error without what the server has said, which may repeat the key and the prompt: where they are a customer's,
 * they are nothing for the installation's log. The status stays, and why there was no connection.
 */
export function withoutServersWords({
  code,
  cause,
  retryAfterMs: waitMs,
  isTooLong,
}: ModelError): ModelError {
  return new ModelError(code, { cause: wordless(cause), retryAfterMs: waitMs, isTooLong });
}

function wordless(cause: unknown): unknown {
  if (cause instanceof APIConnectionError) return cause;
  if (cause instanceof APIError && cause.status !== undefined) {
    return new Error(`the server answered with status ${cause.status}`);
  }
  return undefined;
}

function codeOf(error: APIError, status: number | null): ModelErrorCode {
  // Not a rate: the account's credit is spent, and waiting does not help.
  if (error.code === 'insufficient_quota' || error.type === 'insufficient_quota') return 'rejected';
  return status === null ? codeOfType(error.type ?? '') : codeOfStatus(status);
}

/** An error sent inside a stream that began with 200; vLLM puts the status into `code`. */
function statusInEvent(error: APIError): number | null {
  const status = Number(error.code ?? Number.NaN);
  return Number.isInteger(status) && status >= 400 && status < 600 ? status : null;
}

function codeOfType(type: string): ModelErrorCode {
  if (type.includes('rate_limit')) return 'rate-limited';
  return type.includes('invalid_request') ? 'rejected' : 'unavailable';
}

function codeOfStatus(status: number): ModelErrorCode {
  if (status === 401) return 'unauthorized';
  if (status === 429) return 'rate-limited';
  if (status === 408 || status === 504) return 'timeout';
  return status >= 500 || status === 409 ? 'unavailable' : 'rejected';
}

/** `retry-after-ms` is OpenAI's own; `retry-after` holds seconds or a date (RFC 9110, 10.2.3). */
function retryAfterMs(headers: Headers | undefined): number | null {
  const ownMs = Number.parseFloat(headers?.get('retry-after-ms') ?? '');
  if (ownMs >= 0) return ownMs;
  const header = headers?.get('retry-after') ?? '';
  const seconds = Number(header === '' ? Number.NaN : header);
  const waitMs = Number.isNaN(seconds) ? Date.parse(header) - Date.now() : seconds * 1000;
  return Number.isNaN(waitMs) ? null : Math.max(0, waitMs);
}
