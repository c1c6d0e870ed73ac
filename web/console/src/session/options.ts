import { queryOptions } from '@tanstack/react-query';
import { getSignInOptions } from '#client/sdk.gen.js';
import { dataOf } from '../api/client.js';

/** The ways to sign in to this server. They change with its configuration alone. */
export const optionsQuery = queryOptions({
  queryKey: ['sign-in-options'],
  queryFn: ({ signal }) => dataOf(getSignInOptions, { signal }),
  staleTime: Infinity,
});
