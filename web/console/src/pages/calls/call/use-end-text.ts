import type { CallDetailsResponse } from '#client/types.gen.js';
import { useRoutingWords } from '../../../components/routing/routing-words.js';
import { useTexts } from '../../../texts/texts.js';

/** Why a call is over, in words; empty where that is not known. */
export function useEndText(call: CallDetailsResponse): string {
  const { ended, unanswered } = useTexts('callPage');
  const routingWords = useRoutingWords();
  const { status, end_reason: reason, routing, type } = call;
  if (reason !== null) return ended[reason];
  if (type === 'inbound' && routing && status === 'busy')
    return routingWords.call(routing, call.assistant_name);
  if (status === 'busy' || status === 'no-answer' || status === 'failed') return unanswered[status];
  if (status === 'ended_by_customer') return ended.customer;
  return status === 'ended_by_assistant' ? ended.assistant : '';
}
