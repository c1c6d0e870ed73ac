import { notifications } from '@mantine/notifications';
import { type Mutation, MutationCache, QueryCache, QueryClient, type QueryKey } from '@tanstack/react-query';
import { ApiError } from './api-error.js';

const FRESH_MS = 15_000;
const MAX_TRIES = 2;

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: {
      /** Queries that a success makes stale. They are read anew before `onSuccess` of the mutation is called. */
      readonly changes?: readonly QueryKey[];
      /** Shown after a success. */
      readonly saved?: string;
    };
  }
}

/** Of the mutations that begin a session: a 401 of theirs is a wrong password. */
export const SIGN_IN_KEY = ['sign-in'];

/** Changes that were refused because the session had expired. */
const refused = new Set<Mutation<unknown, unknown>>();

/** Makes these changes once the same person has signed in again. */
export function repeatRefused(): void {
  for (const mutation of refused) void mutation.execute(mutation.state.variables).catch(() => undefined);
  refused.clear();
}

/** When another person has signed in. */
export function forgetRefused(): void {
  refused.clear();
}

/** @param onExpired called when the session has expired */
export function createQueryClient(onExpired: () => void): QueryClient {
  const isExpired = (error: unknown) => error instanceof ApiError && error.status === 401;
  const watch = (error: unknown) => {
    if (isExpired(error)) onExpired();
  };
  const queries = new QueryClient({
    queryCache: new QueryCache({ onError: watch }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => {
        if (isExpired(error) && mutation.options.mutationKey !== SIGN_IN_KEY) refused.add(mutation);
        watch(error);
      },
      onSuccess: async (_answer, _variables, _result, { meta: { saved, changes = [] } = {} }) => {
        if (saved !== undefined) notifications.show({ message: saved, color: 'green' });
        await Promise.all(changes.map((queryKey) => queries.invalidateQueries({ queryKey })));
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        // Retries lost requests only: a refusal would be repeated.
        retry: (failures, error) =>
          failures < MAX_TRIES && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
      },
      mutations: { retry: false },
    },
  });
  return queries;
}
