import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openApiOf } from '../../src/boot/docs.js';
import type { TestAccount, TestApp } from '../support/app.js';
import { assistantBody, createAssistant, openConversation, toolBody } from '../support/builders.js';
import { addPhoneNumber, phoneNumber } from '../support/campaign-builders.js';
import { type KeyedRequest, LostCommits } from '../support/lost-commits.js';

const CONTRACTS = new URL('../contract/', import.meta.url);

/** Operations that tests of modules prove. */
async function provenElsewhere(): Promise<string[]> {
  const files = (await readdir(CONTRACTS)).filter((name) => name.endsWith('.spec.ts'));
  const sources = await Promise.all(files.map((name) => readFile(new URL(name, CONTRACTS), 'utf8')));
  return sources.flatMap((source) =>
    [...source.matchAll(/\.expectOneEffect\(\s*'(\w+)'/g)].map(([, operation = '']) => operation),
  );
}

describe('a route that takes an Idempotency-Key', () => {
  let lost: LostCommits;
  let app: TestApp;
  let account: TestAccount;
  let samples: Record<string, KeyedRequest>;

  beforeAll(async () => {
    lost = await LostCommits.start();
    app = lost.app;
    account = await app.account({ balanceUsd: 10 });
    const assistant = await createAssistant(app, account, { type: 'outbound' });
    await addPhoneNumber(app, account);
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
      requestNumberVerification: {
        path: '/api/user/phone-numbers/verifications',
        body: { phone_number: phoneNumber(2) },
        table: 'number_verifications',
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
        // Its answer is stored beside it.
        effects: 2,
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
  afterAll(() => lost.stop());

  it('is known to this test, or proven by the one of its module', async () => {
    const operations = Object.values(openApiOf(app.app).paths).flatMap((path) => Object.values(path ?? {}));
    const keyed = operations.filter(({ parameters }) =>
      parameters?.some((parameter: { name?: string }) => parameter.name === 'Idempotency-Key'),
    );
    const elsewhere = await provenElsewhere();
    expect(elsewhere).not.toEqual([]);
    expect(new Set(keyed.map(({ operationId }) => operationId))).toEqual(
      new Set([...Object.keys(samples), ...elsewhere]),
    );
  });

  it.each([
    'createAssistant',
    'createTool',
    'createFolder',
    'createSipTrunk',
    'purchasePhoneNumber',
    'requestNumberVerification',
    'makeCall',
    'sendMessage',
    'sendAgentMessage',
    'createWebhookEndpoint',
    'beginSimulation',
  ])(
    'takes effect once when the answer of its commit is lost: %s',
    (operation) => lost.expectOneEffect(operation, account, samples[operation]!),
    60_000,
  );

  it('is another request with another key', async () => {
    const { path, body, table } = samples.createAssistant!;
    const before = await lost.countWhenBack(table);
    for (const key of [randomUUID(), randomUUID()]) {
      await app.as(account).post(path).set('Idempotency-Key', key).send(body).expect(201);
    }
    expect((await lost.countWhenBack(table)) - before).toBe(2);
  });
});
