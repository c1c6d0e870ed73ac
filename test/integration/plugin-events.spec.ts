import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { addFeature } from '../../src/add-feature.js';
import { MetricsService } from '../../src/common/observability/metrics.service.js';
import {
  CallInfoService,
  definePlugin,
  type HandlerContext,
  Injectable,
  LeadInfoService,
  Module,
  type PluginEvent,
} from '../../src/plugins/api.js';
import { PluginEventsService } from '../../src/modules/webhooks/plugin-events/plugin-events.service.js';
import { PluginListenersRepository } from '../../src/modules/webhooks/plugin-events/plugin-listeners.repository.js';
import { listenersOf } from '../../src/plugins/plugin-events.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant, openConversation } from '../support/builders.js';
import { createCampaign, createLead } from '../support/campaign-builders.js';
import { until } from '../support/until.js';

type Message = PluginEvent<'conversation.message-created'>;
type Ended = PluginEvent<'call.ended'>;

@Injectable()
class Ledger {
  readonly messages: { readonly event: Message; readonly attempt: number }[] = [];
  readonly ended: Ended[] = [];
  /** What the handler of messages does, once it has noted the event. */
  react: () => Promise<void> = () => Promise.resolve();
}

@Module({ providers: [Ledger] })
class LoyaltyModule {}

const ledgerOf = (context: HandlerContext) => context.get(Ledger);

const plugin = definePlugin({
  name: 'loyalty',
  prosa: '*',
  module: LoyaltyModule,
  on: {
    'conversation.message-created': async (event, context) => {
      ledgerOf(context).messages.push({ event, attempt: context.attempt });
      await ledgerOf(context).react();
    },
    'call.ended': (event, context) => void ledgerOf(context).ended.push(event),
  },
});

describe('events of the product', () => {
  let app: TestApp;
  let owner: TestAccount;
  let ledger: Ledger;
  let listeners: PluginListenersRepository;

  beforeAll(async () => {
    addFeature(plugin);
    app = await TestApp.start({ PROSA_ROLES: 'api,worker', SANDBOX_SPEED: '30' }, undefined, [plugin]);
    owner = await app.account({ balanceUsd: 10 });
    ledger = app.app.get(Ledger, { strict: false });
    listeners = app.app.get(PluginListenersRepository, { strict: false });
  }, 120_000);
  afterEach(() => {
    ledger.react = () => Promise.resolve();
  });
  afterAll(() => app.stop());

  /** Opens a chat, whose greeting is an event. */
  const chat = async () => {
    const assistant = await createAssistant(app, owner);
    return { assistant, conversation: await openConversation(app, assistant, { type: 'test' }, owner) };
  };
  const heardOf = (conversation: string) =>
    ledger.messages.filter(({ event }) => event.data.conversation_id === conversation);
  const waiting = (conversation: string) =>
    app.query<{ attempts: number; last_error: string | null; failed: boolean }>(
      `SELECT attempts, last_error, failed_at IS NOT NULL AS failed FROM plugin_events WHERE subject_id = $1`,
      [conversation],
    );

  it('reach the handler with the ids of the account and the event, and the data of the webhook', async () => {
    const { assistant, conversation } = await chat();
    await until(() => heardOf(conversation).length > 0, 30_000);
    await until(async () => (await waiting(conversation)).length === 0);
    const [heard] = heardOf(conversation);
    expect(heard).toEqual({
      attempt: 1,
      event: {
        id: expect.stringMatching(/^msg_[0-9a-f-]{36}$/),
        type: 'conversation.message-created',
        userId: owner.userId,
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        data: expect.objectContaining({
          conversation_id: conversation,
          conversation_type: 'test',
          assistant_id: assistant.uuid,
          author: 'ai',
          content: 'Olá! Como posso ajudar?',
        }),
      },
    });
  }, 60_000);

  it('are given again after a failure, with the same id', async () => {
    ledger.react = async () => {
      ledger.react = () => Promise.resolve();
      throw new Error('the CRM is away');
    };
    const { conversation } = await chat();
    await until(async () => (await waiting(conversation))[0]?.last_error === 'the CRM is away', 30_000);
    await until(async () => (await waiting(conversation)).length === 0, 30_000);
    const [first, second] = heardOf(conversation);
    expect([first?.attempt, second?.attempt]).toEqual([1, 2]);
    expect(second?.event).toEqual(first?.event);
  }, 90_000);

  it('stay with their last error when the last attempt has failed, and are counted as a failed job', async () => {
    ledger.react = () => Promise.reject(new Error('no such card'));
    const { conversation } = await chat();
    await until(async () => (await waiting(conversation))[0]?.attempts === 1, 30_000);
    await app.query('UPDATE plugin_events SET attempts = 11 WHERE subject_id = $1', [conversation]);
    await until(async () => (await waiting(conversation))[0]?.failed === true, 30_000);
    expect(await waiting(conversation)).toEqual([{ attempts: 12, last_error: 'no such card', failed: true }]);
    expect(heardOf(conversation).map(({ attempt }) => attempt)).toEqual([1, 12]);
    await until(async () => {
      const text = await app.app.get(MetricsService).read();
      return /prosa_queue_jobs\{queue="handle-plugin-event",state="failed"\} [1-9]/.test(text);
    }, 30_000);
  }, 120_000);

  it('of a call that has ended reach the handler, which reads the call', async () => {
    const assistant = await createAssistant(app, owner, { type: 'outbound' });
    const { body } = await app
      .as(owner)
      .post('/api/user/make_call')
      .send({ phone_number: '+5511987654321', assistant_id: assistant.id, variables: {} })
      .expect(200);
    await until(() => ledger.ended.some(({ data }) => data.id === body.call_id), 60_000);
    const [ended] = ledger.ended;
    expect(ended).toMatchObject({ type: 'call.ended', userId: owner.userId, data: { lead: null } });

    const calls = app.app.get(CallInfoService, { strict: false });
    const call = await calls.find(owner.userId, body.call_id);
    expect(call).toMatchObject({
      id: body.call_id,
      assistantId: assistant.id,
      campaignId: null,
      leadId: null,
      status: ended?.data.status,
      customerPhone: '+5511987654321',
      durationSeconds: ended?.data.duration,
      transcript: ended?.data.transcript,
    });
    expect(call).not.toHaveProperty('userId');
    const page = await calls.page(owner.userId, { assistantId: assistant.id }, { page: 1, perPage: 100 });
    expect(page).toMatchObject({ total: 1, rows: [{ id: body.call_id }] });
    const before = await calls.page(owner.userId, { before: new Date(0) }, { page: 1, perPage: 1 });
    expect(before).toEqual({ rows: [], total: 0 });

    const stranger = await app.account();
    expect(await calls.find(stranger.userId, body.call_id)).toBeNull();
    expect(await calls.page(stranger.userId, {}, { page: 1, perPage: 1 })).toEqual({ rows: [], total: 0 });
    const tooMany = calls.page(owner.userId, {}, { page: 1, perPage: 101 });
    await expect(tooMany).rejects.toThrow('There is no page 1 of 101 rows');
  }, 120_000);

  it('are not written where no plugin listens', async () => {
    await listeners.replace([{ plugin: 'loyalty', kind: 'call.ended' }], 7);
    try {
      const { conversation } = await chat();
      expect(await waiting(conversation)).toEqual([]);
    } finally {
      await listeners.replace(listenersOf([plugin]), 7);
    }
  }, 60_000);

  it('wait for a worker where a process has the role api alone', async () => {
    const api = await TestApp.start({}, undefined, [plugin]);
    try {
      const account = await api.account();
      const assistant = await createAssistant(api, account);
      await openConversation(api, assistant, { type: 'test' }, account);
      expect(await api.query('SELECT plugin, kind, user_id, attempts FROM plugin_events')).toEqual([
        { plugin: 'loyalty', kind: 'conversation.message-created', user_id: account.userId, attempts: 0 },
      ]);
      expect(() => api.app.get(PluginEventsService, { strict: false })).toThrow('PluginEventsService');
    } finally {
      await api.stop();
    }
  }, 120_000);

  it('of a plugin that is gone wait for a week', async () => {
    await app.query(
      `INSERT INTO plugin_events (plugin, kind, event_id, user_id, subject_id, body, created_at)
       SELECT 'gone', 'call.ended', 'msg_' || days, $1, 'gone', '{}', now() - make_interval(days => days)
       FROM unnest(ARRAY[6, 8]) AS days`,
      [owner.userId],
    );
    await listeners.replace(listenersOf([plugin]), 7);
    const left = await app.query("SELECT event_id FROM plugin_events WHERE plugin = 'gone'");
    expect(left).toEqual([{ event_id: 'msg_6' }]);
  });

  it('can be followed to the leads of the account', async () => {
    const leads = app.app.get(LeadInfoService, { strict: false });
    const campaign = await createCampaign(app, owner);
    const phone = { phone_number: '+5511987650001', variables: { nome: 'Ana' } };
    const id = await createLead(app, owner, campaign, phone);
    const lead = await leads.find(owner.userId, id);
    expect(lead).toEqual({
      id,
      campaignId: campaign,
      campaignName: expect.any(String),
      phoneNumber: '+5511987650001',
      status: 'created',
      variables: { nome: 'Ana' },
      secondaryContacts: [],
      createdAt: expect.any(Date),
      updatedAt: expect.any(Date),
    });
    expect(await leads.page(owner.userId, { campaignId: campaign }, { page: 1, perPage: 10 })).toEqual({
      rows: [lead],
      total: 1,
    });
    const stranger = await app.account();
    expect(await leads.find(stranger.userId, id)).toBeNull();
    expect(await leads.page(stranger.userId, {}, { page: 1, perPage: 10 })).toEqual({ rows: [], total: 0 });
    await expect(leads.page(owner.userId, {}, { page: 0, perPage: 10 })).rejects.toThrow(
      'There is no page 0',
    );
  }, 60_000);
});
