import { queryOptions } from '@tanstack/react-query';
import { listWebhookEvents } from '#client/sdk.gen.js';
import { dataOf } from '../../api/client.js';

/** Events that this server sends. They change only with its plugins. */
export const eventsQuery = queryOptions({
  queryKey: ['webhook-events'],
  queryFn: ({ signal }) => dataOf(listWebhookEvents, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Label of an event; an event of a plugin has its own name. */
export const eventName = (names: Readonly<Record<string, string>>, kind: string) => names[kind] ?? kind;
