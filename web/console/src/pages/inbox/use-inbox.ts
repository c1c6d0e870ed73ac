import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getInboxConversation, listAssignees, listMessages } from '#client/sdk.gen.js';
import { dataOf } from '../../api/client.js';
import type { InboxFilters } from './list/filters.js';
import { conversationsQuery } from './list/list-query.js';

const MESSAGES_A_PAGE = 50;
const PEOPLE_STAY_MS = 300_000;

export const conversationKey = (id: string) => ['conversations', 'one', id];
export const threadKey = (id: string) => ['conversations', 'thread', id];

/** The conversations of customers, by latest activity. */
export function useConversations(filters: InboxFilters) {
  return useInfiniteQuery(conversationsQuery(filters));
}

export function useConversation(id: string) {
  return useQuery({
    queryKey: conversationKey(id),
    queryFn: ({ signal }) => dataOf(getInboxConversation, { path: { uuid: id }, signal }),
  });
}

/** The people a conversation can be assigned to. */
export function useAssignees() {
  return useQuery({
    queryKey: ['assignees'],
    queryFn: ({ signal }) => dataOf(listAssignees, { signal }),
    select: ({ data }) => data,
    staleTime: PEOPLE_STAY_MS,
  });
}

/** Messages in pages, newest first: page 0 has the latest. */
export function useThread(id: string) {
  return useInfiniteQuery({
    queryKey: threadKey(id),
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      dataOf(listMessages, {
        path: { uuid: id },
        query: { limit: MESSAGES_A_PAGE, ...(pageParam ? { before: pageParam } : {}) },
        signal,
      }),
    getNextPageParam: ({ data, has_more }) => (has_more ? data[0]?.id : undefined),
  });
}
