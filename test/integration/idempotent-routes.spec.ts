import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openApiOf } from '../../src/boot/docs.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { assistantBody, createAssistant, openConversation, toolBody } from '../support/builders.js';
import { phoneNumber } from '../support/campaign-builders.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { until } from '../support/until.js';

/** One request to a route, and what counts its effects. */
interface Sample {
  readonly path: string;
  readonly body: object;
  readonly table: string;
}

/** What a route answers while the first request is not over, or is not known to be. */
const NOT_YET = new Set([409, 503]);
/** Longer than the lease of a request. */
const MAX_REPEAT_MS = 20_000;

describe('a route that takes an Idempotency-Key', () => {
  let proxy: DatabaseProxy;
  let app: TestApp;
  let account: TestAccount;
  let samples: Record<string, Sample>;

  beforeAll(async () => {
    app = await TestApp.start({}, async (url) => {
      proxy = await DatabaseProxy.start(url);
      return proxy.url;
    });
    account = await app.account({ balanceUsd: 10 });
    const assistant = await createAssistant(app, account, { type: 'outbound' });
    const conversation = await openConversation(app, assistant);
    const taken = await openConversation(app, assistant);
    await app.as(account).post(`/api/automate/conversations/${taken}/disable-ai`).expect(200);
    const { body: offers } = await app
      .as(account)
      .get('/api/user/phone-numbers/search?country_code=BR')
      .expect(200);
    samples = {
      createAssistant: { path: '/api/user/assistant', body: assistantBody(), table: 'assistants' },
      beginSimulation: {
        path: `/api/user/assistant/${assistant.id}/simulations`,
        body: { customer: { type: 'script', lines: ['Olá'] }, checks: [{ type: 'ends' }] },
        table: 'simulations',
      },
      createTool: { path: '/api/user/tools', body: toolBody(), table: 'tools' },
      createFolder: { path: '/api/user/folder', body: { name: 'Vendas' }, table: 'folders' },
      addDoNotCall: {
        path: '/api/user/do-not-call',
        body: { phone_number: phoneNumber(9) },
        table: 'do_not_call_entries',
      },
      createSipTrunk: {
        path: '/api/user/phone-numbers/sip-trunks',
        body: {
          sip_trunk_type: 'number',
          phone_number: '+14155550100',
          sip_username: 'user1',
          sip_password: 'a-password-1',
          sip_address: 'sip.example.com',
          sip_calling_format: '+e164',
          inbound_authorization_type: 'auth',
          country_code: 'US',
        },
        table: 'sip_trunks',
      },
      purchasePhoneNumber: {
        path: '/api/user/phone-numbers/purchase',
        body: { phone_number: offers.data[0].phone_number },
        table: 'phone_numbers',
      },
      makeCall: {
        path: '/api/user/make_call',
        body: { phone_number: phoneNumber(1), assistant_id: assistant.id },
        table: 'calls',
      },
      sendMessage: {
        path: `/api/conversations/${conversation}/messages`,
        body: { message: 'Olá' },
        table: 'messages',
      },
      createWebhookEndpoint: {
        path: '/api/user/webhook-endpoints',
        body: { url: 'https://example.com/events' },
        table: 'webhook_subscriptions',
      },
      sendAgentMessage: {
        path: `/api/user/conversations/${taken}/messages`,
        body: { message: 'Olá' },
        table: 'messages',
      },
    };
  });
  afterAll(async () => {
    await app.stop();
    await proxy.stop();
  });

  const count = async (table: string) => {
    const [row] = await app.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`);
    return row?.n ?? 0;
  };
  const countWhenBack = async (table: string) => {
    let n = 0;
    await until(() =>
      count(table).then(
        (counted) => {
          n = counted;
          return true;
        },
        () => false,
      ),
    );
    return n;
  };

  it('is known to this test', () => {
    const operations = Object.values(openApiOf(app.app).paths).flatMap((path) => Object.values(path ?? {}));
    const keyed = operations.filter(({ parameters }) =>
      parameters?.some((parameter: { name?: string }) => parameter.name === 'Idempotency-Key'),
    );
    expect(new Set(keyed.map(({ operationId }) => operationId))).toEqual(new Set(Object.keys(samples)));
  });

  it.each([
    'createAssistant',
    'createTool',
    'createFolder',
    'addDoNotCall',
    'createSipTrunk',
    'purchasePhoneNumber',
    'makeCall',
    'sendMessage',
    'sendAgentMessage',
    'createWebhookEndpoint',
    'beginSimulation',
  ])(
    'takes effect once when the answer of its commit is lost: %s',
    async (operation) => {
      const { path, body, table } = samples[operation]!;
      const send = () => app.as(account).post(path).set('Idempotency-Key', operation).send(body);
      // A message of a customer has its answer stored beside it.
      const effects = operation === 'sendMessage' ? 2 : 1;
      const before = await countWhenBack(table);
      proxy.lost = 0;
      proxy.loseCommitOf('UPDATE idempotency_keys SET effect', 300);
      let answer = await send();
      expect(proxy.lost).toBe(1);
      await until(async () => {
        if (NOT_YET.has(answer.status)) answer = await send();
        return !NOT_YET.has(answer.status);
      }, MAX_REPEAT_MS);
      expect([200, 201, 202]).toContain(answer.status);
      const again = await send();
      expect([again.status, again.text]).toEqual([answer.status, answer.text]);
      expect((await countWhenBack(table)) - before).toBe(effects);
    },
    60_000,
  );

  it('is another request with another key', async () => {
    const { path, body, table } = samples.createAssistant!;
    const before = await countWhenBack(table);
    for (const key of [randomUUID(), randomUUID()]) {
      await app.as(account).post(path).set('Idempotency-Key', key).send(body).expect(201);
    }
    expect((await countWhenBack(table)) - before).toBe(2);
  });
});
