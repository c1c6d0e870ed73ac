import type { BranchAction } from '../../../common/phone/call-routing.js';

/** How a caller waits for a line. Stored with the call: whichever process has the call goes on with it. */
export interface QueueTerms {
  /** Who talks to the caller once a line is free. */
  readonly assistantId: number;
  /** In the carrier's time, from the answer. */
  readonly maxSeconds: number;
  /** What the caller hears first; null: the position alone. */
  readonly message: string | null;
  /** Language tag such as `pt-BR`, of the words that the caller hears. */
  readonly language: string;
  /** What is done when no line was free in time. */
  readonly fallback: BranchAction;
}

/** The place of a waiting call. */
export interface QueuePlace {
  readonly callId: number;
  readonly userId: number;
  /** Among the callers of its number, from 1. */
  readonly position: number;
}
