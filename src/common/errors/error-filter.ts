import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { render, text, type TextKey } from '../../i18n/catalogue.js';
import type { Language, TextRef } from '../../i18n/text.js';
import { Logger } from '../observability/logger.js';
import { requestIdOf } from '../observability/request-id.js';
import { DomainError, type ErrorKind, type FieldIssue } from './domain-error.js';
import { nameError } from './error-header.js';
import { isHttpException, namedAnswerOf, thrownAnswerOf } from './http-exception.js';
import { STATUS_OF } from './error-statuses.js';
import { errorBodyFor, LANGUAGE_HEADER, languageOfRequest, type RenderedError } from './route-families.js';

/** How the framework's and the body parser's own refusals are named in our words. */
const FRAMEWORK_ERRORS: Readonly<Record<number, { kind: ErrorKind; key: TextKey }>> = {
  400: { kind: 'malformed', key: 'http.bad_request' },
  401: { kind: 'unauthorized', key: 'http.unauthorized' },
  403: { kind: 'forbidden', key: 'http.forbidden' },
  404: { kind: 'not-found', key: 'http.not_found' },
  406: { kind: 'not-acceptable', key: 'http.not_acceptable' },
  413: { kind: 'too-large', key: 'http.too_large' },
  415: { kind: 'unsupported-media', key: 'http.unsupported_media_type' },
  503: { kind: 'unavailable', key: 'http.unavailable' },
};

interface Described {
  readonly status: number;
  readonly error: RenderedError;
  /** The text that leads the body; undefined for the own words of an HttpException. */
  readonly reason?: TextRef<TextKey>;
}

/** Turns every error of every route into status and body. Faults say an id and nothing else. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    // Not `request.path`: on an unknown route the router has taken off the prefix.
    const [path = ''] = request.originalUrl.split('?');
    const { status, error, reason } = this.describe(
      exception,
      request,
      languageOfRequest(path, request.headers[LANGUAGE_HEADER]),
    );
    if (response.headersSent) {
      response.end();
      return;
    }
    const retryAfter = retryAfterOf(exception, status);
    if (retryAfter !== null && !response.hasHeader('Retry-After'))
      response.setHeader('Retry-After', String(retryAfter));
    if (reason) nameError(response, reason);
    response.status(status).json(errorBodyFor(path, error));
  }

  private describe(exception: unknown, request: Request, language: Language): Described {
    if (exception instanceof DomainError) {
      const { kind, issues, data } = exception;
      const [firstIssue] = issues;
      const retryAfterSeconds = exception.retryAfterSeconds ?? undefined;
      if (kind === 'unavailable') this.logger.warn('dependency unavailable', { err: exception });
      const words = firstIssue
        ? renderIssues(issues, language)
        : { message: render(exception.text, language), data, retryAfterSeconds };
      return {
        status: STATUS_OF[kind],
        error: { kind, ...words },
        reason: firstIssue?.text ?? exception.text,
      };
    }
    const thrown = thrownAnswerOf(exception);
    if (thrown) {
      if (thrown.status >= 500) this.logger.error('request failed', { err: exception });
      return thrown;
    }
    const known = FRAMEWORK_ERRORS[statusOfForeign(exception)];
    if (known) {
      const key = isJsonSyntaxError(exception)
        ? 'http.malformed_json'
        : (parserTextOf(exception) ?? known.key);
      return {
        status: STATUS_OF[known.kind],
        error: { kind: known.kind, message: render(text(key), language) },
        reason: text(key),
      };
    }
    const named = statusOfForeign(exception) === 500 ? null : namedAnswerOf(exception);
    if (named) return named;
    const requestId = requestIdOf(request);
    this.logger.error('unexpected error', { err: exception, requestId, method: request.method });
    const reason = text('http.internal', { requestId });
    return {
      status: 500,
      error: { kind: 'internal', message: render(reason, language) },
      reason,
    };
  }
}

/** In seconds; null where it is not known when to come back, or of no use. */
function retryAfterOf(exception: unknown, status: number): number | null {
  const named = exception instanceof DomainError ? exception.retryAfterSeconds : undefined;
  return named === undefined && status === 503 ? 1 : (named ?? null);
}

/** The first text leads, with a count of the others, as the field's clients know it. */
export function renderIssues(
  issues: readonly FieldIssue[],
  language: Language,
): { message: string; fields: Record<string, string[]> } {
  // Names of fields are the caller's words: `__proto__` is one as any other.
  const texts = new Map<string, string[]>();
  for (const { field, text: words } of issues) {
    texts.set(field, [...(texts.get(field) ?? []), render(words, language)]);
  }
  const fields = Object.fromEntries(texts);
  const first = Object.values(fields)[0]?.[0] ?? '';
  const message =
    issues.length > 1
      ? render(text('validation.more', { first, count: issues.length - 1 }), language)
      : first;
  return { message, fields };
}

/** Status of an error that is not ours: Nest's, or `http-errors` from Express and the body parser. */
function statusOfForeign(exception: unknown): number {
  if (isHttpException(exception)) return exception.getStatus();
  if (exception instanceof Error && 'status' in exception && typeof exception.status === 'number') {
    return exception.status;
  }
  // A path that is not valid percent-encoding names nothing.
  return exception instanceof URIError ? 404 : 500;
}

/** What the body parser cannot read is not always the type of the content. */
function parserTextOf(exception: unknown): TextKey | undefined {
  const cause = isHttpException(exception) ? exception.cause : exception;
  const type = typeof cause === 'object' && cause !== null && 'type' in cause ? cause.type : undefined;
  if (type === 'charset.unsupported') return 'http.unsupported_charset';
  return type === 'encoding.unsupported' ? 'http.unsupported_encoding' : undefined;
}

/** The framework wraps the body parser's syntax error into a 400 of its own. */
function isJsonSyntaxError(exception: unknown): boolean {
  return (
    exception instanceof SyntaxError || (exception instanceof Error && exception.cause instanceof SyntaxError)
  );
}
