export const CALL_TYPES = ['inbound', 'outbound', 'web'] as const;
export type CallType = (typeof CALL_TYPES)[number];

export const CALL_STATUSES = [
  'initiated',
  'ringing',
  'busy',
  'in-progress',
  'ended',
  'completed',
  'ended_by_customer',
  'ended_by_assistant',
  'no-answer',
  'failed',
] as const;
export type CallStatus = (typeof CALL_STATUSES)[number];

/** The states of a call that is not over, in their order. */
export const LIVE_STATUSES = ['initiated', 'ringing', 'in-progress'] as const satisfies readonly CallStatus[];

export function isLive(status: CallStatus): boolean {
  return (LIVE_STATUSES as readonly CallStatus[]).includes(status);
}

/** Who picked up, as far as is known. */
export const ANSWERERS = ['human', 'machine', 'unknown'] as const;
export type Answerer = (typeof ANSWERERS)[number];

/**
 * Why a talk ended. `max_hold`: the far end kept the call on hold for longer than MAX_HOLD_SECONDS. `line_lost`: the carrier
 * ended the call, as the far end did not answer any more. `failed`: no model or voice was left to talk with.
 */
export const END_REASONS = [
  'customer',
  'assistant',
  'silence',
  'max_duration',
  'max_hold',
  'transfer',
  'stopped',
  'line_lost',
  'failed',
] as const;
export type EndReason = (typeof END_REASONS)[number];

/**
 * Every allowed move. A call whose conversation is over (`ended…`) becomes `completed` when the work after it, such as
 * evaluation and cost, is done. `initiated` fails without ringing when the carrier refuses the call or never tells.
 */
export const CALL_MOVES: Readonly<Record<CallStatus, readonly CallStatus[]>> = {
  initiated: ['ringing', 'failed'],
  ringing: ['in-progress', 'busy', 'no-answer', 'failed'],
  'in-progress': ['ended_by_customer', 'ended_by_assistant', 'ended'],
  ended_by_customer: ['completed'],
  ended_by_assistant: ['completed'],
  ended: ['completed'],
  busy: [],
  'no-answer': [],
  failed: [],
  completed: [],
};

export interface CallMove {
  readonly from: CallStatus;
  readonly to: CallStatus;
}

export function isAllowed({ from, to }: CallMove): boolean {
  return CALL_MOVES[from].includes(to);
}

/** The moves that lead from one state to another, none when it is there already. @throws Error when there is no way */
export function movesBetween(from: CallStatus, to: CallStatus): readonly CallMove[] {
  const moves = search(from, to);
  if (!moves) throw new Error(`no call gets from ${from} to ${to}`);
  return moves;
}

function search(from: CallStatus, to: CallStatus): CallMove[] | null {
  if (from === to) return [];
  if (CALL_MOVES[from].includes(to)) return [{ from, to }];
  for (const next of CALL_MOVES[from]) {
    const rest = search(next, to);
    if (rest) return [{ from, to: next }, ...rest];
  }
  return null;
}
