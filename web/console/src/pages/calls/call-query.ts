import { queryOptions } from '@tanstack/react-query';
import { getCall } from '#client/sdk.gen.js';
import { dataOf } from '../../api/client.js';
import { isLive } from '../../components/call-status.js';

/** Poll interval of a running call: turns send no hints. */
const LIVE_EVERY_MS = 2_000;

export function callQuery(id: number) {
  return queryOptions({
    queryKey: ['calls', 'one', id],
    queryFn: ({ signal }) => dataOf(getCall, { path: { id }, signal }),
    refetchInterval: ({ state }) => (state.data && isLive(state.data.status) ? LIVE_EVERY_MS : false),
  });
}
