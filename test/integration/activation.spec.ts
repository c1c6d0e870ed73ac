import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AssistantActivationService } from '../../src/modules/assistants/activation/assistant-activation.service.js';
import { ChatModelRegistry } from '../../src/providers/llm/chat-model-registry.js';
import { CallCarrier } from '../../src/providers/telephony/call-carrier.js';
import type { CarrierCall } from '../../src/providers/telephony/call/carrier-call.js';
import { SandboxCallCarrier } from '../../src/providers/telephony/sandbox/sandbox-call-carrier.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant, openConversation } from '../support/builders.js';
import { addPhoneNumber, createCampaign, createLead } from '../support/campaign-builders.js';
import { ScriptedChatModel } from '../support/scripted-chat-model.js';
import { until } from '../support/until.js';

const DECIDED = 'O assistente da campanha está desativado. Ative-o para iniciar a campanha.';

describe('an assistant that was never active', () => {
  let app: TestApp;
  let carrier: SandboxCallCarrier;
  let owner: TestAccount;
  let numbers = 0;

  beforeAll(async () => {
    app = await TestApp.start({ PROSA_ROLES: 'api,worker', SANDBOX_SPEED: '20' });
    const found = app.app.get(CallCarrier, { strict: false });
    if (!(found instanceof SandboxCallCarrier)) throw new Error('the test needs the sandbox carrier');
    carrier = found;
  }, 60_000);
  beforeEach(async () => {
    owner = await app.account({ balanceUsd: 5 });
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  afterAll(() => app.stop());

  interface Shown {
    readonly status: string;
    readonly activates_by_use: boolean;
  }

  async function shown(id: number, account = owner): Promise<Shown> {
    const { body } = await app.as(account).get(`/api/user/assistant/${id}`).expect(200);
    return { status: body.status, activates_by_use: body.activates_by_use };
  }

  const UNUSED: Shown = { status: 'inactive', activates_by_use: true };
  const ACTIVE: Shown = { status: 'active', activates_by_use: true };
  const OFF: Shown = { status: 'inactive', activates_by_use: false };

  const put = (id: number, change: object) =>
    app.as(owner).put(`/api/user/assistant/${id}`).send(change).expect(200);

  /** What the audit log says of activations, the newest first. */
  async function reasons(account = owner): Promise<unknown[]> {
    const { body } = await app.as(account).get('/api/user/audit-log?action=activateAssistant').expect(200);
    return body.data.map((entry: Record<string, unknown>) => {
      expect(entry).toMatchObject({ via: 'platform', token_id: null, network: null, status: 200 });
      return [entry.resource_id, entry.reason];
    });
  }

  describe('the decision of its owner', () => {
    it('is the change from active to inactive, and undone by the one to active', async () => {
      const { id } = await createAssistant(app, owner);
      expect(await shown(id)).toEqual(UNUSED);
      await put(id, { status: 'inactive' });
      expect(await shown(id)).toEqual(UNUSED);
      await put(id, { status: 'active' });
      expect(await shown(id)).toEqual(ACTIVE);
      await put(id, { status: 'active', name: 'Outro' });
      expect(await shown(id)).toEqual(ACTIVE);
      await put(id, { status: 'inactive' });
      expect(await shown(id)).toEqual(OFF);
      await put(id, { status: 'inactive', name: 'Outro ainda' });
      expect(await shown(id)).toEqual(OFF);
      await put(id, { status: 'active' });
      expect(await shown(id)).toEqual(ACTIVE);
    });

    it('is made for one that was never used by activates_by_use, which can be taken back', async () => {
      const { id } = await createAssistant(app, owner);
      await put(id, { activates_by_use: false });
      expect(await shown(id)).toEqual(OFF);
      await put(id, { activates_by_use: true });
      expect(await shown(id)).toEqual(UNUSED);
      const { id: made } = await createAssistant(app, owner, { activates_by_use: false });
      expect(await shown(made)).toEqual(OFF);
    });

    it('is kept by a client that reads an assistant and sends all of it back', async () => {
      const { id } = await createAssistant(app, owner);
      for (const status of ['active', 'inactive']) await put(id, { status });
      const { body } = await app.as(owner).get(`/api/user/assistant/${id}`).expect(200);
      await put(id, { ...body, name: 'Loja nova' });
      expect(await shown(id)).toEqual(OFF);
      // The field says what was so before the change.
      await put(id, { ...body, status: 'active' });
      expect(await shown(id)).toEqual(ACTIVE);
      const { body: active } = await app.as(owner).get(`/api/user/assistant/${id}`).expect(200);
      await put(id, { ...active, status: 'inactive' });
      expect(await shown(id)).toEqual(OFF);
    });
  });

  describe('by the start of its campaign', () => {
    async function campaignOf(settings: object = {}): Promise<{ campaign: number; assistant: number }> {
      const { id: assistant } = await createAssistant(app, owner, { type: 'outbound', ...settings });
      const number = await addPhoneNumber(app, owner);
      const campaign = await createCampaign(app, owner, {
        assistant_id: assistant,
        phone_number_ids: [number],
      });
      await createLead(app, owner, campaign);
      return { campaign, assistant };
    }
    const start = (id: number) =>
      app.as(owner).post('/api/user/campaigns/update-status').send({ campaign_id: id, action: 'start' });

    it('becomes active, once, and the lead is called', async () => {
      const { campaign, assistant } = await campaignOf();
      await start(campaign).expect(200);
      expect(await shown(assistant)).toEqual(ACTIVE);
      expect(await reasons()).toEqual([[String(assistant), 'campaign-started']]);
      await until(async () => (await app.as(owner).get('/api/user/calls')).body.total > 0, 30_000);
    }, 60_000);

    it('becomes active once by two starts at the same time', async () => {
      const { campaign, assistant } = await campaignOf();
      const other = await createCampaign(app, owner, {
        assistant_id: assistant,
        phone_number_ids: [await addPhoneNumber(app, owner)],
      });
      await createLead(app, owner, other);
      await Promise.all([campaign, campaign, other, other].map((id) => start(id).expect(200)));
      expect(await shown(assistant)).toEqual(ACTIVE);
      expect(await reasons()).toHaveLength(1);
    });

    it('stays inactive where the start is refused for something else', async () => {
      const { campaign, assistant } = await campaignOf();
      await app.query('DELETE FROM leads WHERE campaign_id = $1', [campaign]);
      await start(campaign).expect(400);
      expect(await shown(assistant)).toEqual(UNUSED);
      expect(await reasons()).toEqual([]);
    });

    it.each([
      ['from active to inactive', [{ status: 'active' }, { status: 'inactive' }]],
      ['before it was used', [{ activates_by_use: false }]],
    ])('is refused with the reason once its owner has decided %s', async (_when, changes) => {
      const { campaign, assistant } = await campaignOf();
      for (const change of changes) await put(assistant, change);
      const { body } = await start(campaign).expect(400);
      expect(body).toEqual({
        message: DECIDED,
        success: false,
        data: { campaign_id: campaign, status: 'draft' },
      });
      expect(await shown(assistant)).toEqual(OFF);
      expect(await reasons()).toEqual([]);
    });

    it('does not start against a decision that is made at the same moment', async () => {
      const { campaign, assistant } = await campaignOf();
      const activation = app.app.get(AssistantActivationService, { strict: false });
      const use = activation.use.bind(activation);
      jest.spyOn(activation, 'use').mockImplementationOnce(async (...args) => {
        await put(assistant, { activates_by_use: false });
        return use(...args);
      });
      await start(campaign).expect(400);
      const { body } = await app.as(owner).get(`/api/user/campaign/${campaign}`).expect(200);
      expect((body.data ?? body).status).toBe('draft');
      expect(await shown(assistant)).toEqual(OFF);
    });

    it('becomes active also as the new assistant of a campaign that runs', async () => {
      const { campaign } = await campaignOf();
      await start(campaign).expect(200);
      const { id: next } = await createAssistant(app, owner, { type: 'outbound' });
      await app.as(owner).put(`/api/user/campaign/${campaign}`).send({ assistant_id: next }).expect(200);
      expect(await shown(next)).toEqual(ACTIVE);
    });

    it('stays inactive by a call of make_call, which it may make', async () => {
      const { assistant } = await campaignOf();
      await app
        .as(owner)
        .post('/api/user/make_call')
        .send({ phone_number: '+5511987650000', assistant_id: assistant })
        .expect(200);
      expect(await shown(assistant)).toEqual(UNUSED);
    });
  });

  describe('by the first call to its number', () => {
    const ending = () => `+551194${String(20_000 + numbers++)}00`;

    async function numberOf(account: TestAccount, phone: string, type = 'sip'): Promise<number> {
      const [row] = await app.query<{ id: number }>(
        `INSERT INTO phone_numbers (user_id, phone_number, country_code, type) VALUES ($1, $2, 'BR', $3) RETURNING id`,
        [account.userId, phone, type],
      );
      return row!.id;
    }

    async function answering(account: TestAccount, phone: string, settings: object = {}): Promise<number> {
      const { id } = await createAssistant(app, account, {
        type: 'inbound',
        phone_number_id: await numberOf(account, phone),
        post_call_evaluation: false,
        ...settings,
      });
      return id;
    }

    async function callIn(to: string): Promise<CarrierCall> {
      const callId = carrier.callIn('+5511912345600', to);
      for await (const event of carrier.watch(callId, AbortSignal.timeout(30_000))) {
        if (event.type === 'ended') return event.call;
      }
      throw new Error('the call did not end');
    }

    it('becomes active, once, and answers', async () => {
      const phone = ending();
      const id = await answering(owner, phone);
      const calls = await Promise.all([callIn(phone), callIn(phone)]);
      for (const { answeredAt } of calls) expect(answeredAt).not.toBeNull();
      expect(await shown(id)).toEqual(ACTIVE);
      expect(await reasons()).toEqual([[String(id), 'number-called']]);
    }, 60_000);

    it('stays inactive, and the caller hears what was heard before, once its owner has decided', async () => {
      const phone = ending();
      const id = await answering(owner, phone);
      for (const status of ['active', 'inactive']) await put(id, { status });
      expect((await callIn(phone)).answeredAt).toBeNull();
      expect(await shown(id)).toEqual(OFF);
      expect(await reasons()).toEqual([]);
    }, 60_000);

    it('leaves the call to an active assistant of another account with the number', async () => {
      const phone = ending();
      const first = await answering(owner, phone);
      const other = await app.account({ balanceUsd: 5 });
      const second = await answering(other, phone);
      await app.as(other).put(`/api/user/assistant/${second}`).send({ status: 'active' }).expect(200);
      expect((await callIn(phone)).answeredAt).not.toBeNull();
      expect(await shown(first)).toEqual(UNUSED);
      expect((await app.as(other).get('/api/user/calls').expect(200)).body.total).toBe(1);
    }, 60_000);

    it('becomes active only at the account that has had the number longest', async () => {
      const phone = ending();
      const first = await answering(owner, phone);
      const other = await app.account({ balanceUsd: 5 });
      const second = await answering(other, phone);
      expect((await callIn(phone)).answeredAt).not.toBeNull();
      expect(await shown(first)).toEqual(ACTIVE);
      expect(await shown(second, other)).toEqual(UNUSED);
    }, 60_000);

    it('becomes active only at the account that has proven the number, before the one that has had it longest', async () => {
      const phone = ending();
      const first = await answering(owner, phone);
      const other = await app.account({ balanceUsd: 5 });
      const second = await answering(other, phone);
      await app.query(
        `UPDATE phone_numbers SET verified_at = now(), verified_by = 'sip' WHERE user_id = $1`,
        [other.userId],
      );
      expect((await callIn(phone)).answeredAt).not.toBeNull();
      expect(await shown(first)).toEqual(UNUSED);
      expect(await shown(second, other)).toEqual(ACTIVE);
    }, 60_000);

    it('does not become active for an earlier account whose owner has decided against it', async () => {
      const phone = ending();
      const first = await answering(owner, phone, { activates_by_use: false });
      const other = await app.account({ balanceUsd: 5 });
      const second = await answering(other, phone);
      expect((await callIn(phone)).answeredAt).toBeNull();
      expect(await shown(first)).toEqual(OFF);
      expect(await shown(second, other)).toEqual(UNUSED);
    }, 60_000);
  });

  describe('by a hand-over to it', () => {
    const handOver = { name: 'handoff_to_assistant', args: { assistant: 'Vendas' } };

    async function desk(settings: object = {}) {
      const sales = await createAssistant(app, owner, {
        name: 'Vendas',
        system_prompt: 'Você vende bolos.',
        ...settings,
      });
      const reception = await createAssistant(app, owner, {
        name: 'Recepção',
        tools: [
          { type: 'handoff', destinations: [{ assistant_id: sales.id, description: 'Compras de bolos' }] },
        ],
      });
      let asked = 0;
      const model = new ScriptedChatModel(({ messages }) => {
        if (messages[0]?.content.includes('Você vende bolos.')) return { text: 'Aqui é de vendas.' };
        return asked++ === 0 ? { calls: [handOver] } : { text: 'Continuo com você.' };
      });
      jest.spyOn(app.app.get(ChatModelRegistry, { strict: false }), 'select').mockResolvedValue(model);
      return { sales, reception };
    }
    const say = (uuid: string) =>
      app.http.post(`/api/conversations/${uuid}/messages`).send({ message: 'Quero um bolo' }).expect(200);

    it('becomes active, once, and has the conversation', async () => {
      const { sales, reception } = await desk();
      const uuid = await openConversation(app, reception);
      expect((await say(uuid)).body.message).toContain('Aqui é de vendas.');
      expect((await say(uuid)).body.message).toContain('Aqui é de vendas.');
      expect(await shown(sales.id)).toEqual(ACTIVE);
      // The one that hands over was not used by phone.
      expect(await shown(reception.id)).toEqual(UNUSED);
      expect(await reasons()).toEqual([[String(sales.id), 'handed-over']]);
    });

    it('stays inactive, and the customer with the first one, once its owner has decided', async () => {
      const { sales, reception } = await desk({ activates_by_use: false });
      const uuid = await openConversation(app, reception);
      expect((await say(uuid)).body.message).toBe('Continuo com você.');
      expect(await shown(sales.id)).toEqual(OFF);
      expect(await reasons()).toEqual([]);
    });

    it('becomes active on a call as well', async () => {
      const { sales, reception } = await desk();
      await app
        .as(owner)
        .post('/api/user/make_call')
        .send({ phone_number: '+5511987650000', assistant_id: reception.id })
        .expect(200);
      await until(async () => (await shown(sales.id)).status === 'active', 30_000);
      expect(await reasons()).toEqual([[String(sales.id), 'handed-over']]);
    }, 60_000);
  });
});
