import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FileCleanupsService } from '../../src/modules/files/file-cleanups.service.js';
import { WebhooksService } from '../../src/modules/webhooks/webhooks.service.js';
import { Transactions } from '../../src/database/transactions.js';
import { CallCarriers } from '../../src/providers/telephony/call-carriers.js';
import { NumberCarriers } from '../../src/providers/telephony/number-carriers.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant, openConversation } from '../support/builders.js';
import {
  createOutboundAssistant,
  createStartableCampaign,
  phoneNumber,
} from '../support/campaign-builders.js';
import { answerJson, LocalServer } from '../support/http-server.js';

const PAUSED =
  'Esta instalação está pausada: não faz ligações nem contrata números. O administrador precisa retomá-la';
/** Longer than the intervals of the dialler and of webhooks. */
const WHILE_MS = 12_000;

describe('A paused installation', () => {
  let app: TestApp;
  let owner: TestAccount;
  let receiver: LocalServer;

  beforeAll(async () => {
    receiver = await LocalServer.start((_request, response) => answerJson(response, {}));
    app = await TestApp.start({
      PROSA_PAUSED: '1',
      PROSA_ROLES: 'api,worker',
      SANDBOX_SPEED: '500',
      EGRESS_ALLOW_CIDRS: '127.0.0.1/32',
    });
    owner = await app.account({ balanceUsd: 100 });
  }, 60_000);
  afterAll(async () => {
    await app.stop();
    await receiver.stop();
  });

  const countOf = async (table: string) =>
    (await app.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`))[0]?.count;

  it('answers requests for calls with 503 and says why', async () => {
    const assistant = await createOutboundAssistant(app, owner);
    const { body } = await app
      .as(owner)
      .post('/api/user/make_call')
      .send({ phone_number: phoneNumber(7), assistant_id: assistant })
      .expect(503);
    expect(body).toEqual({ message: PAUSED });
    const verification = await app
      .as(owner)
      .post('/api/user/phone-numbers/verifications')
      .send({ phone_number: phoneNumber(8) })
      .expect(503);
    expect(verification.body).toMatchObject({ error: PAUSED });
    expect(await countOf('calls')).toBe(0);
    expect(await countOf('number_verifications')).toBe(0);
  });

  it('rents no numbers', async () => {
    const asked = { phone_number: '+12125550100' };
    await app.as(owner).post('/api/user/phone-numbers/purchase').send(asked).expect(503);
    await app.as(owner).post('/api/user/phone-numbers/adopt').send(asked).expect(503);
    expect(await countOf('carrier_orders')).toBe(0);
  });

  it('refuses tokens that are none before it says so', async () => {
    await app.http.post('/api/user/make_call').send({}).expect(401);
  });

  it('refuses each use of a carrier that acts outside', async () => {
    for (const carrier of app.app.get(CallCarriers, { strict: false }).ofNumbers) {
      const request = { key: 'a', from: phoneNumber(1), to: phoneNumber(2), ringingTimeoutMs: 1_000 };
      await expect(carrier.place(request)).rejects.toMatchObject({ code: 'rejected', sent: 'no' });
      await expect(carrier.hangUp('a')).rejects.toMatchObject({ code: 'rejected', sent: 'no' });
      expect(await carrier.findCall('a')).toEqual({ found: 'unknown' });
      expect(carrier.takeover).toBeNull();
    }
    const numbers = app.app.get(NumberCarriers, { strict: false }).of(null);
    for (const act of [numbers.buyNumber('+12125550100', 'a'), numbers.releaseNumber('+12125550100')])
      await expect(act).rejects.toMatchObject({ name: 'CarrierUnavailableError' });
  });

  it('says in its readiness that it is paused', async () => {
    const { body } = await app.http.get('/health/ready').expect(200);
    expect(body.details.traffic).toEqual({ status: 'up', paused: true });
  });

  it('answers chats', async () => {
    const assistant = await createAssistant(app, owner);
    const uuid = await openConversation(app, assistant);
    await app.http.post(`/api/conversations/${uuid}/messages`).send({ message: 'Olá' }).expect(200);
  });

  it('lets campaigns, webhooks, rents, deletions and returned numbers wait, without an attempt', async () => {
    await app.app.get(Transactions, { strict: false }).run((tx) =>
      app.app.get(WebhooksService).enqueue(
        {
          userId: owner.userId,
          kind: 'post-call',
          assistantId: null,
          subjectId: '1',
          url: receiver.url,
          payload: { id: 1 },
        },
        tx,
      ),
    );
    app.app.get(WebhooksService).wake();
    const campaignId = await createStartableCampaign(app, owner);
    await app
      .as(owner)
      .post('/api/user/campaigns/update-status')
      .send({ campaign_id: campaignId, action: 'start' })
      .expect(200);
    await app.app.get(FileCleanupsService, { strict: false }).discard(['recordings/1/a.mp3']);
    const [number] = await app.query<{ id: number }>(
      `INSERT INTO phone_numbers (user_id, phone_number, country_code, type, monthly_price_micros, rent_due_at)
       VALUES ($1, '+12125550199', 'US', 'normal', 1000000, now() - interval '1 hour') RETURNING id`,
      [owner.userId],
    );
    await sleep(WHILE_MS);
    expect(await countOf('calls')).toBe(0);
    expect(await countOf('file_cleanups')).toBe(1);
    expect(await countOf("ledger_entries WHERE kind = 'phone_number'")).toBe(0);
    await app.as(owner).delete(`/api/user/phone-numbers/${number?.id}`).expect(200);
    expect(await countOf('carrier_orders')).toBe(1);
    expect(receiver.requests).toEqual([]);
    expect(await app.query('SELECT status, attempts FROM webhook_deliveries')).toEqual([
      { status: 'pending', attempts: 0 },
    ]);
  }, 60_000);
});
