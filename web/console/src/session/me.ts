import { queryOptions } from '@tanstack/react-query';
import { getMe, getSettings } from '../../../../clients/typescript/src/sdk.gen.js';
import { dataOf } from '../api/client.js';

/** Who is signed in, and the balance. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => dataOf(getMe({ signal, throwOnError: true })),
  staleTime: 60_000,
});

/** The time zone of times without a zone of their own, and the country. It changes as good as never. */
export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: ({ signal }) => dataOf(getSettings({ signal, throwOnError: true })),
  staleTime: Infinity,
});
