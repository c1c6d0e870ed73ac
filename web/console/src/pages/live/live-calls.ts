import { queryOptions } from '@tanstack/react-query';
import { listCalls } from '#client/sdk.gen.js';
import type { CallResponse, LiveCallResponse } from '#client/types.gen.js';
import { dataOf } from '../../api/client.js';
import { customerName } from '../../components/customer-name.js';

/** As many as one request returns. */
const CALLS_A_PAGE = 100;
const MOST_PAGES = 3;
/** Hints of the server name calls that begin, change their state or end. What is said in them sends no hints. */
const POLL_MS = 5_000;

export interface LiveCall extends CallResponse {
  readonly live: LiveCallResponse;
}

export interface LiveCalls {
  readonly calls: readonly LiveCall[];
  /** Also of those that are not read. */
  readonly total: number;
}

/** Without an open event stream, `LiveHintsProvider` refetches at its own interval, so an empty list needs no polling. */
export const liveCallsQuery = queryOptions({
  queryKey: ['calls', 'live'],
  queryFn: async ({ signal }): Promise<LiveCalls> => {
    const read = (page: number) =>
      dataOf(listCalls, { query: { live: 'true', per_page: CALLS_A_PAGE, page }, signal });
    const first = await read(1);
    const further = Array.from({ length: Math.min(MOST_PAGES, first.last_page) - 1 }, (_, index) =>
      read(index + 2),
    );
    const pages = [first, ...(await Promise.all(further))];
    // A new call moves the others, so that two pages can have the same one.
    const byId = new Map(pages.flatMap(({ data }) => data).map((call) => [call.id, call]));
    return { calls: sortForOperators([...byId.values()].filter(isLiveCall)), total: first.total };
  },
  refetchInterval: ({ state }) => (state.data && state.data.calls.length > 0 ? POLL_MS : false),
});

/** Name of the customer where the call knows it, or the number. */
export function customerOf({ variables, client_phone_number: phone }: LiveCall, web: string): string {
  return customerName({ id: '', variables }, () => phone || web);
}

/** It can end between the list and what happens in it. */
function isLiveCall(call: CallResponse): call is LiveCall {
  return call.live !== undefined && call.live !== null;
}

/** Callers who wait first, and then those who have been on the line for the longest time. */
function sortForOperators(calls: readonly LiveCall[]): readonly LiveCall[] {
  return calls.toSorted(
    ({ live: one, id: oneId }, { live: other, id: otherId }) =>
      Number(other.waiting !== null) - Number(one.waiting !== null) ||
      (one.waiting?.since ?? one.since).localeCompare(other.waiting?.since ?? other.since) ||
      oneId - otherId,
  );
}
