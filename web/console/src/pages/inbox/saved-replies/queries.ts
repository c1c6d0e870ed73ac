import { queryOptions } from '@tanstack/react-query';
import { listSavedReplies } from '#client/sdk.gen.js';
import { dataOf } from '../../../api/client.js';

export const savedRepliesQuery = queryOptions({
  queryKey: ['saved-replies'],
  queryFn: ({ signal }) => dataOf(listSavedReplies, { signal }),
  select: ({ data }) => data,
  staleTime: 60_000,
});
