import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { dropPrefetched } from '../api/prefetch.js';
import { setExpired } from './expiry.js';

/**
 * Signs in from a page outside the console, and shows the console.
 *
 * @param signIn begins a session in this browser
 */
export function useEntry<Values = void>(signIn: (values: Values) => Promise<unknown>) {
  const queries = useQueryClient();
  const router = useRouter();
  return useMutation({
    mutationFn: signIn,
    onSuccess: () => {
      setExpired(false);
      queries.clear();
      dropPrefetched();
      router.history.replace(router.basepath);
    },
  });
}
