import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openApiOf } from '../../src/boot/docs.js';
import type { TestAccount, TestApp } from '../support/app.js';
import {
  assistantBody,
  createAssistant,
  openConversation,
  sipTrunkBody,
  toolBody,
} from '../support/builders.js';
import { addPhoneNumber, createCampaign, phoneNumber } from '../support/campaign-builders.js';
import { type KeyedRequest, LostCommits } from '../support/lost-commits.js';

const CONTRACTS = new URL('../contract/', import.meta.url);

/** POSTs that take no key, by the reason. */
const WITHOUT_KEY: Readonly<Record<string, readonly string[]>> = {
  'answers with a secret': [
    'acceptInvitation',
    'acceptTransferOffer',
    'beginBrowserSession',
    'beginSessionByLink',
    'confirmOidcLink',
    'createApiKey',
    'createChallenge',
    'createPasswordLink',
    'inviteMember',
    'login',
    'monitorCall',
    'openOwnWebCall',
    'openWebCall',
    'register',
    'resetPassword',
    'rotateWebhookEndpointSecret',
    'rotateWebhookSecret',
    'shareCall',
  ],
  'opens a conversation': ['createConversation', 'openTestConversation'],
  // With duplicates allowed it is no repetition that is safe: the report of the first one is there to be read.
  'reads its body as it comes': ['importLeads'],
  'makes nothing more of a repetition': [
    'adoptPhoneNumber',
    'confirmNumberVerification',
    'declineTransferOffer',
    'disableAi',
    'disableConversationEndedWebhook',
    'disableInboundWebhook',
    'disableWebhook',
    'enableAi',
    'enableConversationEndedWebhook',
    'enableInboundWebhook',
    'enableWebhook',
    'erasePersonalData',
    'readLeadColumns',
    'exportAccount',
    'hangUpCall',
    'logout',
    'replayWebhookDelivery',
    'restoreAssistantPrompt',
    'updateCampaignStatus',
    'closeConversation',
    'handBackConversation',
    'markConversationRead',
    'markConversationUnread',
    'reopenConversation',
    'takeOverConversation',
  ],
  'asks, tries or shows something': [
    'exportPersonalData',
    'readSharedCall',
    'refreshMcpServer',
    'requestPasswordLink',
    'searchKnowledgebase',
    'showCustomerTyping',
    'showTyping',
    'testChatModelKey',
    'testNumberRouting',
    'testSpeechModelKey',
    'testTool',
    'testTwilioAccount',
    'testWebhookEndpoint',
  ],
};

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
    const campaign = await createCampaign(app, account, { assistant_id: assistant.id });
    const { body: knowledgebase } = await app
      .as(account)
      .post('/api/user/knowledgebases')
      .send({ name: 'Base' })
      .expect(201);
    const { body: offers } = await app
      .as(account)
      .get('/api/user/phone-numbers/search?country_code=BR')
      .expect(200);
    samples = {
      createAssistant: { path: '/api/user/assistant', body: assistantBody(), table: 'assistants' },
      copyAssistant: {
        path: `/api/user/assistant/${assistant.id}/copy`,
        body: { name: 'Cópia' },
        table: 'assistants',
      },
      beginSimulation: {
        path: `/api/user/assistant/${assistant.id}/simulations`,
        body: { customer: { type: 'script', lines: ['Olá'] }, checks: [{ type: 'ends' }] },
        table: 'simulations',
      },
      createTool: { path: '/api/user/tools', body: toolBody(), table: 'tools' },
      createFolder: { path: '/api/user/folder', body: { name: 'Vendas' }, table: 'folders' },
      createFolderAlias: { path: '/api/user/folders', body: { name: 'Suporte' }, table: 'folders' },
      createLabel: { path: '/api/user/label', body: { name: 'VIP' }, table: 'labels' },
      createLabelAlias: { path: '/api/user/labels', body: { name: 'Novos' }, table: 'labels' },
      createSipTrunk: {
        path: '/api/user/phone-numbers/sip-trunks',
        body: sipTrunkBody(),
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
        // Its answer is stored in the same table.
        effects: 2,
      },
      createWebhookEndpoint: {
        path: '/api/user/webhook-endpoints',
        body: { url: 'https://example.com/events' },
        table: 'webhook_subscriptions',
      },
      createLead: {
        path: '/api/user/lead',
        body: { campaign_id: campaign, phone_number: phoneNumber(3) },
        table: 'leads',
      },
      createCampaign: {
        path: '/api/user/campaign',
        body: { name: 'Renovação', assistant_id: assistant.id },
        table: 'campaigns',
      },
      createCampaignAlias: {
        path: '/api/user/campaigns',
        body: { name: 'Renovação', assistant_id: assistant.id },
        table: 'campaigns',
      },
      createKnowledgebase: {
        path: '/api/user/knowledgebases',
        body: { name: 'Base' },
        table: 'knowledgebases',
      },
      createDocument: {
        path: `/api/user/knowledgebases/${knowledgebase.data.id}/documents`,
        body: { name: 'Site', type: 'website', url: 'https://example.com' },
        table: 'documents',
      },
      createMcpServer: {
        path: '/api/user/mcp-servers',
        body: { name: 'crm', url: 'https://example.com/mcp' },
        table: 'mcp_servers',
      },
      sendAgentMessage: {
        path: `/api/user/conversations/${taken}/messages`,
        body: { message: 'Olá' },
        table: 'messages',
      },
    };
  });
  afterAll(() => lost.stop());

  it('is every POST, but for those that are named with a reason', () => {
    const posts = Object.values(openApiOf(app.app).paths).flatMap(({ post }) => (post ? [post] : []));
    const unkeyed = posts.filter(
      ({ parameters }) =>
        !parameters?.some((parameter) => 'name' in parameter && parameter.name === 'Idempotency-Key'),
    );
    expect(new Set(unkeyed.map(({ operationId }) => operationId))).toEqual(
      new Set(Object.values(WITHOUT_KEY).flat()),
    );
  });

  it('is known to this test, or proven by the one of its module', async () => {
    const operations = Object.values(openApiOf(app.app).paths).flatMap((path) => Object.values(path ?? {}));
    const keyed = operations.filter(({ parameters }) =>
      parameters?.some((parameter: { name?: string }) => parameter.name === 'Idempotency-Key'),
    );
    const elsewhere = await provenElsewhere();
    expect(elsewhere).not.toEqual([]);
    const proven = new Set([...Object.keys(samples), ...elsewhere]);
    const unproven = keyed.map(({ operationId }) => String(operationId)).filter((id) => !proven.has(id));
    expect(
      unproven.map((id) => `add lost.expectOneEffect('${id}', …) to the spec of its module in test/contract`),
    ).toEqual([]);
    expect(keyed).toHaveLength(proven.size);
  });

  it.each([
    'createAssistant',
    'createTool',
    'createFolder',
    'createFolderAlias',
    'createLabel',
    'createLabelAlias',
    'createSipTrunk',
    'purchasePhoneNumber',
    'requestNumberVerification',
    'makeCall',
    'sendMessage',
    'sendAgentMessage',
    'createWebhookEndpoint',
    'beginSimulation',
    'createLead',
    'createCampaign',
    'createCampaignAlias',
    'createKnowledgebase',
    'createDocument',
    'createMcpServer',
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
