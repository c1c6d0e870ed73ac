import { queryOptions } from '@tanstack/react-query';
import { getMe } from '../../../../clients/typescript/src/sdk.gen.js';
import { dataOf } from '../api/client.js';

/** Who is signed in, and the balance. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => dataOf(getMe({ signal, throwOnError: true })),
  staleTime: 60_000,
});
