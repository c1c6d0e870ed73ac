import { DomainError, domainError } from '../../common/errors/domain-error.js';
import type { DestinationRefusal } from '../../common/phone/destination-refusal.js';
import { text } from '../../i18n/catalogue.js';
import type { CallMove } from './call-states.js';

export class CallNotFoundError extends domainError('not-found', 'calls.not_found') {}

/** The call was not recorded, or its recording is not (or no longer) stored. */
export class RecordingNotFoundError extends domainError('not-found', 'calls.no_recording') {}

/** The part of a recording that was asked for lies beyond its end. */
export class NoSuchPartError extends domainError('no-such-part', 'calls.no_such_part') {}

export class IllegalCallMoveError extends DomainError {
  readonly kind = 'conflict';

  constructor({ from, to }: CallMove) {
    super(text('calls.illegal_move', { from, to }));
  }
}

export class CallStillRunningError extends domainError('conflict', 'calls.still_running') {}

/** There is nothing left to hang up. */
export class CallOverError extends domainError('conflict', 'calls.over') {}

/** The number to call is none. */
export class BadPhoneNumberError extends domainError('refused', 'calls.bad_number') {}

/** The account is calling this number already, and the call is not answered yet. */
export class CallBeingPlacedError extends domainError('conflict', 'calls.being_placed') {}

/** There is no number to call from. */
export class NoCallerNumberError extends domainError('limit', 'calls.no_caller_number') {}

/** The account does not call this number, for any purpose. */
export class DoNotCallError extends domainError('limit', 'calls.do_not_call') {}

/** The operator does not let calls go to this number. */
export class DestinationRefusedError extends DomainError {
  readonly kind = 'limit';

  constructor(readonly reason: DestinationRefusal) {
    super(text(reason === 'country' ? 'calls.destination_country' : 'calls.destination_type'));
  }
}

/** Why a number may not be called at all, or not now. */
export type CalleeRefusal = DestinationRefusedError | DoNotCallError | OutsideCallingHoursError;

/** It is too early or too late, or a day of rest, where the number is at home. */
export class OutsideCallingHoursError extends domainError('limit', 'calls.outside_hours') {}

/** As many lines are open as the plan, the platform, or the SIP trunk allows, or as many callers wait as may. */
export class ParallelCallsLimitError extends DomainError {
  readonly kind = 'limit';

  constructor(
    readonly scope: 'plan' | 'platform' | 'trunk' | 'queue',
    limit: number,
  ) {
    super(
      scope === 'platform'
        ? text('calls.platform_busy')
        : text(scope === 'plan' ? 'calls.parallel_limit' : 'calls.trunk_limit', { limit }),
    );
  }
}

/** Visitors have as many calls from browsers at once as they may. */
export class VisitorCallsLimitError extends domainError('too-many', 'web_calls.too_many') {
  override readonly retryAfterSeconds = 30;
}

/** The carrier takes no calls for now. */
export class CarrierUnavailableError extends DomainError {
  readonly kind = 'unavailable';

  constructor(override readonly retryAfterSeconds: number) {
    super(text('calls.carrier_unavailable', { seconds: retryAfterSeconds }));
  }
}

/** A refusal for money's sake, as `make_call` answers it. */
export class CallNotAffordableError extends DomainError {
  readonly kind = 'limit';

  constructor(cause: DomainError) {
    super(cause.text, { cause });
  }
}

/** Another process has the call, or has ended it: nothing of what this one found out may be written. */
export class CallLostError extends Error {
  override readonly name = 'CallLostError';
}
