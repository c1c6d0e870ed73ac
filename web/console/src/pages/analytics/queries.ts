import { useQuery } from '@tanstack/react-query';
import { getAnalytics, getInboundAnalytics } from '#client/sdk.gen.js';
import type { GetAnalyticsData, GetInboundAnalyticsData } from '#client/types.gen.js';
import { dataOf } from '../../api/client.js';
import { useFormat } from '../../texts/use-format.js';

type GroupingOf<Data extends { query?: { group_by?: string } }> = NonNullable<
  NonNullable<Data['query']>['group_by']
>;

const DAY_MS = 86_400_000;

/** Figures of the last days, today included, in the time zone of the account. */
export function useAnalytics(days: number, grouping: GroupingOf<GetAnalyticsData>) {
  const period = usePeriod(days);
  return useQuery({
    queryKey: ['analytics', period, grouping],
    queryFn: ({ signal }) => dataOf(getAnalytics, { query: { ...period, group_by: grouping }, signal }),
  });
}

/** The same of inbound calls, and how they were routed. */
export function useInboundAnalytics(days: number, grouping: GroupingOf<GetInboundAnalyticsData>) {
  const period = usePeriod(days);
  return useQuery({
    queryKey: ['analytics', 'inbound', period, grouping],
    queryFn: ({ signal }) =>
      dataOf(getInboundAnalytics, { query: { ...period, group_by: grouping }, signal }),
  });
}

function usePeriod(days: number) {
  const to = useFormat().today();
  const from = new Date(Date.parse(to) - (days - 1) * DAY_MS).toISOString().slice(0, to.length);
  return { from, to };
}
