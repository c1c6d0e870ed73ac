import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.js';

const FRESH_MS = 15_000;
const MAX_TRIES = 2;

/** @param onExpired called when the session has expired */
export function createQueryClient(onExpired: () => void): QueryClient {
  const watch = (error: unknown) => {
    if (error instanceof ApiError && error.status === 401) onExpired();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError: watch }),
    mutationCache: new MutationCache({ onError: watch }),
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
}
