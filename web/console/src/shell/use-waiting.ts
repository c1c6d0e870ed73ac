import { queryOptions, useQuery } from '@tanstack/react-query';
import { listConversations } from '#client/sdk.gen.js';
import { dataOf } from '../api/client.js';

/** More are shown as this many. */
const MOST = 99;

export const waitingQuery = queryOptions({
  queryKey: ['conversations', 'waiting'],
  queryFn: ({ signal }) =>
    dataOf(listConversations, { query: { state: 'waiting', sort: 'activity', per_page: MOST }, signal }),
});

/** How many conversations wait for a person. */
export function useWaiting(): number {
  const { data } = useQuery(waitingQuery);
  return data?.data.length ?? 0;
}
