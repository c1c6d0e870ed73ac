import { useQuery } from '@tanstack/react-query';
import { getAssistant, getCall } from '#client/sdk.gen.js';
import { dataOf } from '#web/console/src/api/client.js';

/**
 * What the customer of a call hears before a person hears the call, with its placeholders.
 *
 * @returns null where nothing is said, or that could not be read; undefined while it is read
 */
export function useAnnouncement(callId: number): string | null | undefined {
  const { data, isError } = useQuery({
    queryKey: ['calls', 'announcement', callId],
    // The assistant may be edited; its call keeps what it began with. Hints of calls must not refetch it.
    staleTime: 'static',
    queryFn: async ({ signal }) => {
      const call = await dataOf(getCall, { path: { id: callId }, signal });
      if (call.assistant_id === null) return null;
      const path = { id: call.assistant_id };
      const assistant = await dataOf(getAssistant, { path, signal });
      return assistant.monitoring_announcement?.text ?? null;
    },
  });
  return isError ? null : data;
}
