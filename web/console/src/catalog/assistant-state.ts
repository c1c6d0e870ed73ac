import type { AssistantResponse } from '#client/types.gen.js';

/** `inactive`: its first use makes it active. `deactivated`: its owner has decided against that. */
export type AssistantState = AssistantResponse['status'] | 'deactivated';

export function stateOf({
  status,
  activates_by_use: byUse,
}: Pick<AssistantResponse, 'status' | 'activates_by_use'>): AssistantState {
  return status === 'inactive' && byUse === false ? 'deactivated' : status;
}
