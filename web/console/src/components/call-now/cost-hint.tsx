import { useQuery } from '@tanstack/react-query';
import { listCalls } from '#client/sdk.gen.js';
import { Dimmed } from '../dimmed.js';
import { dataOf } from '../../api/client.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';

const RECENT = 10;
const SECONDS_A_MINUTE = 60;

/** What a minute has cost in recent calls of the assistant. Nothing before its first call. */
export function CostHint({ assistantId }: { readonly assistantId: number }) {
  const t = useTexts('callNow');
  const format = useFormat();
  const { data } = useQuery({
    queryKey: ['calls', 'cost-of', assistantId],
    queryFn: ({ signal }) =>
      dataOf(listCalls, {
        query: { assistant_id: assistantId, status: 'completed', type: 'outbound', per_page: RECENT },
        signal,
      }),
    staleTime: 60_000,
  });
  const calls = data?.data ?? [];
  const seconds = calls.reduce((sum, { duration }) => sum + duration, 0);
  const cost = calls.reduce((sum, { total_cost: usd }) => sum + usd, 0);
  if (seconds === 0 || cost === 0) return null;
  return <Dimmed>{t.cost(format.money((cost / seconds) * SECONDS_A_MINUTE))}</Dimmed>;
}
