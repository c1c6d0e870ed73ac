import { STATUS_CODES } from 'node:http';
import { HttpException } from '@nestjs/common';
import { KIND_OF_STATUS } from './error-statuses.js';
import type { RenderedError } from './route-families.js';

/** Messages that the framework writes itself: for a route that does not exist, and for a guard that refuses. */
const FRAMEWORK_MESSAGE = /^Cannot [A-Z]+ \/|^Forbidden resource$/;

/** What a developer's exception answers. */
export interface ThrownAnswer {
  readonly status: number;
  readonly error: RenderedError;
}

/**
 * Status and words of an `HttpException` that a controller, a service or a plugin throws. Null for one without words of its
 * own, and for the framework's own exceptions: those have texts in the catalogue.
 */
export function thrownAnswerOf(exception: unknown): ThrownAnswer | null {
  if (!isHttpException(exception) || isWrapped(exception)) return null;
  const status = exception.getStatus();
  const message = wordsOf(exception);
  if (message === null || message === STATUS_CODES[status] || FRAMEWORK_MESSAGE.test(message)) return null;
  return { status, error: { kind: kindOf(status), message } };
}

/** The body of an exception whose status the catalogue has no text for: the standard name of the status. */
export function namedAnswerOf(exception: unknown): ThrownAnswer | null {
  if (!isHttpException(exception)) return null;
  const status = exception.getStatus();
  const name = STATUS_CODES[status];
  return name === undefined ? null : { status, error: { kind: kindOf(status), message: name } };
}

/** A plugin may bring a second copy of the framework, whose classes are not ours. */
export function isHttpException(exception: unknown): exception is HttpException {
  if (exception instanceof HttpException) return true;
  return (
    exception instanceof Error &&
    'getStatus' in exception &&
    typeof exception.getStatus === 'function' &&
    'getResponse' in exception &&
    typeof exception.getResponse === 'function'
  );
}

/** The framework wraps what the body parser, the router and the reader of uploads throw, and keeps it as the cause. */
function isWrapped({ cause, message }: HttpException): boolean {
  if (!(cause instanceof Error)) return false;
  if (isOfUpload(cause, message)) return true;
  if (cause.message !== message) return false;
  return cause instanceof SyntaxError || cause instanceof URIError || 'expose' in cause;
}

/** Messages of `transformException` in `@nestjs/platform-express`: those of multer, and those of busboy. */
function isOfUpload(cause: Error, message: string): boolean {
  if (cause.name === 'MulterError' || cause.message.startsWith('Unsupported content type')) return true;
  return message.startsWith('Multipart: ') && message.endsWith(cause.message);
}

/** Statuses that the product itself does not answer have the body of a refusal, or of an outage. */
function kindOf(status: number): RenderedError['kind'] {
  if (status === 500) return 'internal';
  return KIND_OF_STATUS.get(status) ?? (status > 500 ? 'unavailable' : 'refused');
}

/** An exception carries its words as a text, or as the `message` of an object: one text or a list. */
function wordsOf(exception: HttpException): string | null {
  const response = exception.getResponse();
  if (typeof response === 'string') return response;
  const { message } = response as { readonly message?: unknown };
  const words = [message].flat().filter((word): word is string => typeof word === 'string' && word !== '');
  return words.length > 0 ? words.join(', ') : null;
}
