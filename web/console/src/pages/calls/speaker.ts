import type { CallTurnResponse } from '#client/types.gen.js';

interface Names {
  readonly customer: string;
  readonly assistant: string;
  /** A person of the account without a name: the owner, or an API key. */
  readonly agent: string;
}

/** Who said a turn. */
export function speakerOf(turn: CallTurnResponse, names: Names): string {
  if (turn.role === 'customer') return names.customer;
  if (turn.role === 'agent') return turn.member_name ?? names.agent;
  return turn.assistant_name || names.assistant;
}
