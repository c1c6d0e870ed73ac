import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { SessionResponse } from '#client/types.gen.js';
import { enter } from './enter.js';
import { setExpired } from './expiry.js';

/**
 * Signs in after a password was set from a link, and shows the console.
 *
 * * @param begin uses up the link
 */
export function useEntry<Values extends { readonly password: string }>(
  begin: (values: Values) => Promise<SessionResponse>,
) {
  const queries = useQueryClient();
  const router = useRouter();
  return useMutation({
    mutationFn: async (values: Values) => enter(await begin(values), values.password),
    onSuccess: () => {
      setExpired(false);
      queries.clear();
      router.history.replace(router.basepath);
    },
  });
}
