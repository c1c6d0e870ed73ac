import { queryOptions } from '@tanstack/react-query';
import { getMe, getSettings } from '#client/sdk.gen.js';
import { dataOf } from '../api/client.js';

/** The signed-in person, and the balance. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => dataOf(getMe, { signal }),
  staleTime: 60_000,
});

/** Time zone and country of the account. They rarely change. */
export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: ({ signal }) => dataOf(getSettings, { signal }),
  staleTime: Infinity,
});
