import { DomainError } from '../../common/errors/domain-error.js';
import { text } from '../../texts/catalogue.js';
import type { CallMove } from './call-states.js';

export class CallNotFoundError extends DomainError {
  readonly kind = 'not-found';

  constructor() {
    super(text('calls.not_found'));
  }
}

export class IllegalCallMoveError extends DomainError {
  readonly kind = 'conflict';

  constructor({ from, to }: CallMove) {
    super(text('calls.illegal_move', { from, to }));
  }
}

export class DoNotCallError extends Error {}
export class OutsideCallingHoursError extends Error {}
export class ParallelCallsLimitError extends Error {}
