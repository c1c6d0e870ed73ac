import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getCall } from '#client/sdk.gen.js';
import { dataOf } from '#web/console/src/api/client.js';
import { assistantQuery } from '#web/console/src/pages/assistants/queries.js';

/**
 * What the customer of a call is told before a person hears it, with its placeholders.
 *
 * @returns null where nothing is said, or that could not be read; undefined while it is read
 */
export function useAnnouncement(callId: number): string | null | undefined {
  const queries = useQueryClient();
  const { data, isError } = useQuery({
    queryKey: ['calls', 'announcement', callId],
    // The assistant may be edited; its call keeps what it began with.
    staleTime: Infinity,
    queryFn: async ({ signal }) => {
      const { assistant_id: id } = await dataOf(
        getCall({ path: { id: callId }, signal, throwOnError: true }),
      );
      if (id === null) return null;
      const { monitoring_announcement: announcement } = await queries.fetchQuery(assistantQuery(id));
      return announcement?.text ?? null;
    },
  });
  return isError ? null : data;
}
