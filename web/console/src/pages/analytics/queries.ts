import { useQuery } from '@tanstack/react-query';
import { getAnalytics } from '#client/sdk.gen.js';
import type { GetAnalyticsData } from '#client/types.gen.js';
import { dataOf } from '../../api/client.js';
import { useFormat } from '../../texts/use-format.js';

type Grouping = NonNullable<NonNullable<GetAnalyticsData['query']>['group_by']>;

const DAY_MS = 86_400_000;

/** Figures of the last days, today included, in the time zone of the account. */
export function useAnalytics(days: number, grouping: Grouping) {
  const to = useFormat().today();
  const from = new Date(Date.parse(to) - (days - 1) * DAY_MS).toISOString().slice(0, to.length);
  return useQuery({
    queryKey: ['analytics', from, to, grouping],
    queryFn: ({ signal }) =>
      dataOf(getAnalytics({ query: { from, to, group_by: grouping }, signal, throwOnError: true })),
  });
}
