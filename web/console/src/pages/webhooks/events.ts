import { queryOptions } from '@tanstack/react-query';
import { listWebhookEvents } from '../../../../../clients/typescript/src/sdk.gen.js';
import { dataOf } from '../../api/client.js';

/** The events that this server sends, which change with its plugins alone. */
export const eventsQuery = queryOptions({
  queryKey: ['webhook-events'],
  queryFn: ({ signal }) => dataOf(listWebhookEvents({ signal, throwOnError: true })),
  staleTime: Number.POSITIVE_INFINITY,
});

/** What an event is called; one of a plugin by its own name. */
export const eventName = (names: Readonly<Record<string, string>>, kind: string) => names[kind] ?? kind;
