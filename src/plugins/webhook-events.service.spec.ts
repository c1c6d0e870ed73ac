import { afterAll, describe, expect, it } from '@jest/globals';
import type { Tx } from '../database/transactions.js';
import {
  addedWebhookEvents,
  addWebhookEvent,
  type WebhookEventDefinition,
} from '../modules/webhooks/webhook-events.js';
import { ACCOUNT_EVENTS, WEBHOOK_KINDS } from '../modules/webhooks/webhook-kinds.js';
import type { WebhooksService } from '../modules/webhooks/webhooks.service.js';
import { type PublishedPluginEvent, WebhookEventsService } from './webhook-events.service.js';

class Payload {}

describe('WebhookEventsService', () => {
  addWebhookEvent({ kind: 'shop.sold', payload: Payload, when: 'When something is sold', published: true });
  addWebhookEvent({ kind: 'shop.asked', payload: Payload, when: 'When a customer asks' });

  // Specs of one worker share the product, and the document of the next one does not know these.
  afterAll(() => {
    const added = addedWebhookEvents as WebhookEventDefinition[];
    for (const event of added.filter(({ payload }) => payload === Payload)) {
      added.splice(added.indexOf(event), 1);
      for (const kinds of [WEBHOOK_KINDS, ACCOUNT_EVENTS])
        if (kinds.includes(event.kind)) kinds.splice(kinds.indexOf(event.kind), 1);
    }
  });

  const written: object[] = [];
  const webhooks = {
    publish: (event: object) => {
      written.push(event);
      return Promise.resolve(true);
    },
  } as unknown as WebhooksService;
  const service = new WebhookEventsService(webhooks);
  const tx = {} as Tx;
  const publish = (event: Pick<PublishedPluginEvent, 'kind' | 'payload'>) =>
    service.publish({ userId: 1, subjectId: '7', ...event }, tx);

  it('publishes what a plugin has declared, of at most 64 KiB as JSON', async () => {
    // With the quotes and braces around it.
    const payload = { text: 'é'.repeat((64 * 1024 - 12) / 2) };
    expect(Buffer.byteLength(JSON.stringify(payload))).toBeLessThanOrEqual(64 * 1024);
    expect(await publish({ kind: 'shop.sold', payload })).toBe(true);
    expect(written).toEqual([{ userId: 1, kind: 'shop.sold', subjectId: '7', data: payload }]);
    written.length = 0;
    await expect(publish({ kind: 'shop.sold', payload: { text: `${payload.text}é` } })).rejects.toThrow(
      /^The payload of the webhook event shop\.sold has 65537 bytes; 65536 are allowed\./,
    );
    expect(written).toEqual([]);
  });

  it.each(['shop.asked', 'shop.unheard', 'call.ended'] as const)(
    'refuses %s, which no plugin publishes',
    async (kind) => {
      await expect(publish({ kind, payload: {} })).rejects.toThrow(
        `No plugin publishes the webhook event ${kind}: name it in webhookEvents of definePlugin, with published: true.`,
      );
      expect(written).toEqual([]);
    },
  );
});
