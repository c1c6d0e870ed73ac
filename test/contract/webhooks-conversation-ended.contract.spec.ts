import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { IdleConversationsService } from '../../src/modules/conversations/endings/idle-conversations.service.js';
import { type TestAccount, TestApp } from '../support/app.js';
import {
  createAssistant,
  type CreatedAssistant,
  openConversation,
  sendMessage,
} from '../support/builders.js';
import { answerJson, LocalServer } from '../support/http-server.js';
import { until } from '../support/until.js';

const SAO_PAULO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}-03:00$/;

describe('webhooks', () => {
  let app: TestApp;
  let account: TestAccount;
  let assistant: CreatedAssistant;
  let receiver: LocalServer;

  beforeAll(async () => {
    app = await TestApp.start({ PROSA_ROLES: 'api,worker', EGRESS_ALLOW_CIDRS: '127.0.0.1/32' });
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    receiver = await LocalServer.start((_request, response) => answerJson(response, { ok: true }));
    account = await app.account({ balanceUsd: 5 });
  });
  afterEach(() => receiver.stop());

  describe('Conversation-ended webhook', () => {
    const passMinutes = (uuid: string, minutes: number) =>
      app.query('UPDATE conversations SET idle_at = idle_at - make_interval(mins => $2) WHERE id = $1', [
        uuid,
        minutes,
      ]);
    const endIdle = () => app.app.get(IdleConversationsService, { strict: false }).endIdle();

    async function open(overrides: Record<string, unknown> = {}): Promise<string> {
      assistant = await createAssistant(app, account, {
        conversation_ended_webhook_url: `${receiver.url}/ended`,
        conversation_inactivity_timeout: 10,
        variables: { nome: '' },
        ...overrides,
      });
      return openConversation(app, assistant, { variables: { nome: 'Ana' } });
    }

    // spec: events.conversation-ended-webhook
    it('is sent when a chat conversation ends after conversation_inactivity_timeout minutes', async () => {
      const uuid = await open();
      await sendMessage(app, uuid, 'Que horas abre?').expect(200);
      await passMinutes(uuid, 9);
      await endIdle();
      expect(receiver.requests).toHaveLength(0);
      await sendMessage(app, uuid, 'Oi?').expect(200);
      await passMinutes(uuid, 9);
      await endIdle();
      await passMinutes(uuid, 1);
      await Promise.all([endIdle(), endIdle(), endIdle()]);
      await until(async () => receiver.requests.length > 0);

      const payload = JSON.parse(receiver.requests[0]?.body ?? '');
      expect(payload).toEqual({
        id: expect.any(Number),
        conversation_id: uuid,
        assistant_id: assistant.uuid,
        type: 'widget',
        message_count: 5,
        status: 'ended',
        extracted_variables: { status: expect.any(Boolean), summary: expect.any(String) },
        input_variables: { nome: 'Ana' },
        transcript: expect.any(Array),
        formatted_transcript: expect.stringMatching(
          /^AI: Olá! Como posso ajudar\?\nCustomer: Que horas abre\?\nAI: /,
        ),
        attachments: [],
        customer_phone: null,
        customer_name: null,
        sender: null,
        created_at: expect.stringMatching(SAO_PAULO),
        ended_at: expect.stringMatching(SAO_PAULO),
      });
      expect(payload.transcript).toHaveLength(5);
      expect(payload.transcript[1]).toEqual({
        role: 'user',
        content: 'Que horas abre?',
        timestamp: expect.stringMatching(SAO_PAULO),
        timestamp_unix: expect.any(Number),
      });
      expect(receiver.requests).toHaveLength(1);
      expect((await sendMessage(app, uuid, 'Ainda aí?')).status).toBe(400);
    });

    it('is sent again, as another event, when conversation_ended_retrigger let it go on', async () => {
      const uuid = await open({ conversation_ended_retrigger: true });
      for (const count of [1, 2]) {
        await sendMessage(app, uuid, 'Olá').expect(200);
        await passMinutes(uuid, 10);
        await endIdle();
        await until(async () => receiver.requests.length === count);
      }
      const ids = receiver.requests.map(({ headers }) => headers['webhook-id']);
      expect(new Set(ids).size).toBe(2);
      expect(JSON.parse(receiver.requests[1]?.body ?? '').message_count).toBe(5);
    });

    it('is not sent while an answer is being made, nor without a URL', async () => {
      const busy = await open();
      await app.query(
        "UPDATE conversations SET turn_token = gen_random_uuid(), turn_expires_at = now() + interval '1 minute' WHERE id = $1",
        [busy],
      );
      const silent = await open({ conversation_ended_webhook_url: null });
      for (const uuid of [busy, silent]) await passMinutes(uuid, 60);
      await endIdle();
      const rows = await app.query<{ id: string; ended: boolean }>(
        'SELECT id, ended_at IS NOT NULL AS ended FROM conversations WHERE user_id = $1',
        [account.userId],
      );
      expect(new Map(rows.map(({ id, ended }) => [id, ended]))).toEqual(
        new Map([
          [busy, false],
          [silent, true],
        ]),
      );
      expect(
        await app.query('SELECT 1 FROM webhook_deliveries WHERE user_id = $1', [account.userId]),
      ).toHaveLength(0);
    });
  });
});
