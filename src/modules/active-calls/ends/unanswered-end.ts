import type { CallMove } from '../../calls/call-states.js';

/** The end of a call that nobody answered. */
export interface UnansweredEnd {
  readonly callId: number;
  readonly move: CallMove;
  /** Of whoever monitors it; null for nobody. */
  readonly token: string | null;
  /** It failed, and the carrier cannot say whether it dialled. */
  readonly isInDoubt: boolean;
}
