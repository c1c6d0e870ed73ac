import { domainError } from '../../common/errors/domain-error.js';

/** The assistant's owner lets visitors write, and not call. */
export class VisitorCallsNotAllowedError extends domainError('forbidden', 'web_calls.not_allowed') {}

/** The voice process is being loaded. */
export class VoiceStartingError extends domainError('unavailable', 'web_calls.starting') {
  override readonly retryAfterSeconds = 2;
}

/** There is no voice process now, and this installation has one otherwise. */
export class NoVoiceProcessError extends domainError('unavailable', 'web_calls.no_process') {
  override readonly retryAfterSeconds = 10;
}

/** This installation has no voice role: to ask again is of no use. */
export class WebCallsUnavailableError extends domainError('unavailable', 'web_calls.unavailable') {
  override readonly retryAfterSeconds = null;
}

/** There is no assistant of that uuid. */
export class WebCallAssistantNotFoundError extends domainError(
  'not-found',
  'conversations.assistant_not_found',
) {}
