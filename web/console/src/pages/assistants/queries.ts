import { queryOptions } from '@tanstack/react-query';
import { getAssistant, listFolders } from '#client/sdk.gen.js';
import { dataOf } from '../../api/client.js';

const MOST_FOLDERS = 100;

export const assistantQuery = (id: number) =>
  queryOptions({
    queryKey: ['assistants', id],
    queryFn: ({ signal }) => dataOf(getAssistant, { path: { id }, signal }),
  });

export const foldersQuery = queryOptions({
  queryKey: ['folders'],
  queryFn: async ({ signal }) =>
    (await dataOf(listFolders, { query: { per_page: MOST_FOLDERS }, signal })).data,
});
