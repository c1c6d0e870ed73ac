import { domainError, limitError } from '../../common/errors/domain-error.js';

/** Nothing can be heard of the call yet. */
export class CallNotAnsweredError extends domainError('conflict', 'call_monitors.not_answered') {}

/** Nothing but words goes over the line, as on calls of the sandbox without sound. */
export class CallWithoutSoundError extends domainError('conflict', 'call_monitors.no_sound') {}

/** As many people listen to the call as may. */
export class TooManyListenersError extends limitError('conflict', 'call_monitors.too_many') {}

/** No voice process has the call: there is none, or another one is about to take the call over. */
export class NoProcessOfCallError extends domainError('unavailable', 'call_monitors.no_process') {
  override readonly retryAfterSeconds = 2;
}
