import { queryOptions, useQuery } from '@tanstack/react-query';
import { getOwnRights } from '#client/sdk.gen.js';
import type { RightsResponse } from '#client/types.gen.js';
import { dataOf } from '../api/client.js';

export type Scope = NonNullable<RightsResponse['scopes']>[number];

/** Rights of the person, refetched now and then because a role can change. */
export const rightsQuery = queryOptions({
  queryKey: ['rights'],
  queryFn: ({ signal }) => dataOf(getOwnRights, { signal }),
  staleTime: 60_000,
});

export function includes({ scopes }: RightsResponse, scope: Scope): boolean {
  return scopes === null || scopes.includes(scope);
}

/** Whether to offer actions of the scope. The server enforces it. */
export function useIsAllowed(scope: Scope): boolean {
  const { data } = useQuery(rightsQuery);
  return data !== undefined && includes(data, scope);
}
