import type { CallMove } from '../../calls/call-states.js';

/** The end of an unanswered call. */
export interface UnansweredEnd {
  readonly callId: number;
  readonly move: CallMove;
  /** Lease token of the process that monitors it; null without one. */
  readonly token: string | null;
  /** It failed, and the carrier cannot say whether it dialled. */
  readonly isInDoubt: boolean;
}
