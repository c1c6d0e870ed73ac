import { queryOptions } from '@tanstack/react-query';
import { getNumberRouting, listNumberLookups } from '#client/sdk.gen.js';
import { dataOf } from '../../../api/client.js';
import { phoneNumbersQuery } from '../../../catalog/queries.js';

/** Hours begin and end, and calls come in, while the page is open. */
const REFETCH_MS = 60_000;

export const routingQuery = (id: number) =>
  queryOptions({
    queryKey: [...phoneNumbersQuery.queryKey, id, 'routing'],
    queryFn: async ({ signal }) => (await dataOf(getNumberRouting, { path: { id }, signal })).data,
    refetchInterval: REFETCH_MS,
  });

/** The last lookups of callers of a number. */
export const lookupsQuery = (id: number) =>
  queryOptions({
    queryKey: [...phoneNumbersQuery.queryKey, id, 'lookups'],
    queryFn: async ({ signal }) => (await dataOf(listNumberLookups, { path: { id }, signal })).data,
    refetchInterval: REFETCH_MS,
  });
