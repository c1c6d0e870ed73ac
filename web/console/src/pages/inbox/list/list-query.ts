import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { listConversations } from '#client/sdk.gen.js';
import { dataOf } from '../../../api/client.js';
import type { InboxFilters } from './filters.js';

const CONVERSATIONS_A_PAGE = 30;

/** A separate file, so that the route can request the list before the page has loaded. */
export function conversationsQuery({ state = 'open', assignee, unread, tag, q, sort }: InboxFilters) {
  return infiniteQueryOptions({
    queryKey: ['conversations', 'list', { state, assignee, unread, tag, q, sort }],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      dataOf(listConversations, {
        query: {
          type: 'widget',
          sort: sort ? 'oldest_activity' : 'activity',
          state,
          per_page: CONVERSATIONS_A_PAGE,
          ...(assignee ? { assignee } : {}),
          ...(unread ? { unread: 'true' } : {}),
          ...(tag ? { tag } : {}),
          ...(q ? { q } : {}),
          ...(pageParam ? { cursor: pageParam } : {}),
        },
        signal,
      }),
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: keepPreviousData,
  });
}
