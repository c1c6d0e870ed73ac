import type { TURN_ROLES } from '../turns/call-turn.entity.js';

/**
 * Who has the customer. `queue`: the caller waits for a line. `transfer`: the customer is being connected to another number,
 * or talks to it. `agent`: a person has taken over from the assistant.
 */
export const CALL_HOLDERS = ['assistant', 'agent', 'queue', 'transfer'] as const;

/** What happens in a call that is not over. */
export interface LiveState {
  readonly callId: number;
  /** Since it was answered; before, since it rings; before that, since it exists. */
  readonly since: Date;
  readonly holder: (typeof CALL_HOLDERS)[number];
  /** The member who has the customer; null where no member has. */
  readonly memberName: string | null;
  /** How many people listen now. */
  readonly listeners: number;
  /** Null while nothing is on record. */
  readonly lastTurn: {
    readonly role: (typeof TURN_ROLES)[number];
    readonly text: string;
    /** When it began. */
    readonly at: Date;
  } | null;
  /** Null for a caller who does not wait for a line. */
  readonly waiting: {
    /** Among the callers of its number, from 1. */
    readonly position: number;
    readonly since: Date;
  } | null;
}
