import { useQuery } from '@tanstack/react-query';
import { listConversations } from '#client/sdk.gen.js';
import { dataOf } from '../api/client.js';

/** More are shown as this many. */
const MOST = 99;

/** How many conversations wait for a person. */
export function useWaiting(): number {
  const { data } = useQuery({
    queryKey: ['conversations', 'waiting'],
    queryFn: ({ signal }) =>
      dataOf(
        listConversations({
          query: { state: 'waiting', sort: 'activity', per_page: MOST },
          signal,
          throwOnError: true,
        }),
      ),
  });
  return data?.data.length ?? 0;
}
