import type { CallRoutingResponse, RoutingNowResponse } from '#client/types.gen.js';
import { type Texts, useTexts } from '../../texts/texts.js';

type Words = Texts['routing'];

/** Routings as sentences for people. */
export function useRoutingWords() {
  const t = useTexts('routing');
  return {
    /** `Now: open → Store`. */
    now: (now: RoutingNowResponse) => t.now(now.open !== false, targetNow(now, t)),
    /** `Closed (outside opening hours) → message`. */
    call: ({ branch, action, reason, forwarded_to: number }: CallRoutingResponse, assistantName: string) =>
      `${branchText(branch, reason, t)} → ${targetText(action, assistantName || (number ?? ''), t)}`,
  };
}

/** In open hours the busy tone is never what someone chose: it means that nothing else can answer. */
function targetNow(now: RoutingNowResponse, t: Words): string {
  const { open, action, assistant_name: name, phone_number: number } = now;
  return action === 'busy' && open !== false ? t.noOne : targetText(action, name ?? number ?? '', t);
}

/** @param name of the assistant, or the number of a forward */
function targetText(action: RoutingNowResponse['action'], name: string, t: Words): string {
  return (action === 'assistant' || action === 'forward') && name !== '' ? name : t.targets[action];
}

function branchText(
  branch: CallRoutingResponse['branch'],
  reason: CallRoutingResponse['reason'],
  t: Words,
): string {
  const isPlain = reason === null || branch === 'lookup';
  return isPlain ? t.branches[branch] : `${t.branches[branch]} (${t.reasons[reason]})`;
}
