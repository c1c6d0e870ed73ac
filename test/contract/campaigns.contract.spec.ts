import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CampaignLifecycleService } from '../../src/modules/campaigns/campaign-lifecycle.service.js';
import { CAMPAIGN_STATUSES } from '../../src/modules/campaigns/campaign-status.js';
import { CampaignsRepository } from '../../src/modules/campaigns/campaigns.repository.js';
import { DialAttemptsRepository } from '../../src/modules/campaigns/dialler/attempts/dial-attempts.repository.js';
import { type TestAccount, TestApp } from '../support/app.js';
import {
  addPhoneNumber,
  createCampaign,
  createLead,
  createOutboundAssistant,
  createStartableCampaign,
  phoneNumber,
} from '../support/campaign-builders.js';

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const NOT_FOUND = { message: 'Campanha não encontrada' };

let app: TestApp;
let owner: TestAccount;
let stranger: TestAccount;

beforeAll(async () => {
  app = await TestApp.start();
  stranger = await app.account({ balanceUsd: 5 });
});

beforeEach(async () => {
  owner = await app.account({ balanceUsd: 5 });
});

afterAll(() => app.stop());

const statusOf = async (id: number) =>
  (await app.query<{ status: string }>('SELECT status FROM campaigns WHERE id = $1', [id]))[0]?.status;

const setStatus = (id: number, status: string) =>
  app.query('UPDATE campaigns SET status = $2 WHERE id = $1', [id, status]);

describe('POST /api/user/campaign and /api/user/campaigns', () => {
  it.each(['/api/user/campaign', '/api/user/campaigns'])(
    '%s creates a draft with the documented defaults',
    async (path) => {
      const assistant = await createOutboundAssistant(app, owner);
      const { body } = await app
        .as(owner)
        .post(path)
        .send({ name: 'Renovação', assistant_id: assistant })
        .expect(201);
      expect(body).toEqual({
        message: 'Campanha criada com sucesso',
        data: {
          id: expect.any(Number),
          name: 'Renovação',
          status: 'draft',
          assistant_id: assistant,
          timezone: 'America/Sao_Paulo',
          max_calls_in_parallel: 3,
          allowed_hours_start_time: '00:00:00',
          allowed_hours_end_time: '23:59:00',
          allowed_days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
          max_retries: 3,
          retry_interval: 60,
          retry_on_voicemail: false,
          retry_on_goal_incomplete: false,
          goal_completion_variable: null,
          mark_complete_when_no_leads: true,
          phone_number_ids: [],
          created_at: expect.stringMatching(ISO),
          updated_at: expect.stringMatching(ISO),
        },
      });
    },
  );

  it('takes every field, times as H:i and back as HH:MM:SS, numbers in their order', async () => {
    const assistant = await createOutboundAssistant(app, owner, {
      post_call_schema: [{ name: 'renewed', type: 'bool', description: 'Whether they renewed' }],
    });
    const first = await addPhoneNumber(app, owner);
    const second = await addPhoneNumber(app, owner);
    const sent = {
      name: 'Tudo',
      assistant_id: assistant,
      timezone: 'Europe/Lisbon',
      max_calls_in_parallel: 10,
      allowed_hours_start_time: '09:30',
      allowed_hours_end_time: '18:00',
      allowed_days: ['monday', 'friday'],
      max_retries: 5,
      retry_interval: 4320,
      retry_on_voicemail: true,
      retry_on_goal_incomplete: true,
      goal_completion_variable: 'renewed',
      mark_complete_when_no_leads: false,
      phone_number_ids: [second, first],
    };
    const created = await app.as(owner).post('/api/user/campaign').send(sent).expect(201);
    const expected = { ...sent, allowed_hours_start_time: '09:30:00', allowed_hours_end_time: '18:00:00' };
    expect(created.body.data).toMatchObject(expected);
    const { body } = await app.as(owner).get(`/api/user/campaign/${created.body.data.id}`).expect(200);
    expect(body).toEqual(created.body.data);
  });

  const WRONG: [string, Record<string, unknown>, string][] = [
    ['no name', { name: undefined }, 'name'],
    ['a long name', { name: 'x'.repeat(256) }, 'name'],
    ['no assistant', { assistant_id: undefined }, 'assistant_id'],
    ['a zone that is none', { timezone: 'Brazil/Nowhere' }, 'timezone'],
    ['an offset', { timezone: '-03:00' }, 'timezone'],
    ['an abbreviation', { timezone: 'BST' }, 'timezone'],
    ['a zone that the database does not know', { timezone: 'Canada/East-Saskatchewan' }, 'timezone'],
    ['no calls in parallel', { max_calls_in_parallel: 0 }, 'max_calls_in_parallel'],
    ['more calls in parallel than the plan allows', { max_calls_in_parallel: 11 }, 'max_calls_in_parallel'],
    ['a time with seconds', { allowed_hours_start_time: '09:00:30' }, 'allowed_hours_start_time'],
    ['a time past midnight', { allowed_hours_end_time: '24:00' }, 'allowed_hours_end_time'],
    [
      'a window that ends before it begins',
      { allowed_hours_start_time: '18:00', allowed_hours_end_time: '09:00' },
      'allowed_hours_end_time',
    ],
    [
      'an empty window',
      { allowed_hours_start_time: '09:00', allowed_hours_end_time: '09:00' },
      'allowed_hours_end_time',
    ],
    ['no day', { allowed_days: [] }, 'allowed_days'],
    ['an unknown day', { allowed_days: ['monday', 'Friday'] }, 'allowed_days.1'],
    ['a day twice', { allowed_days: ['monday', 'monday'] }, 'allowed_days'],
    ['no retry', { max_retries: 0 }, 'max_retries'],
    ['six retries', { max_retries: 6 }, 'max_retries'],
    ['retries after 9 minutes', { retry_interval: 9 }, 'retry_interval'],
    ['retries after 4321 minutes', { retry_interval: 4321 }, 'retry_interval'],
    ['a switch that is none', { retry_on_voicemail: 'yes' }, 'retry_on_voicemail'],
    ['a goal that is no item', { goal_completion_variable: 'nothing' }, 'goal_completion_variable'],
    ['a goal that is no bool', { goal_completion_variable: 'summary_of' }, 'goal_completion_variable'],
    ['a number twice', { phone_number_ids: [1, 1] }, 'phone_number_ids'],
    ['a number that is missing', { phone_number_ids: [2_000_000_000] }, 'phone_number_ids'],
  ];

  it('names every wrong field in a 422 validation body, and creates nothing', async () => {
    const assistant = await createOutboundAssistant(app, owner, {
      post_call_schema: [{ name: 'summary_of', type: 'string', description: 'What was said' }],
    });
    for (const [what, overrides, field] of WRONG) {
      const { body, status } = await app
        .as(owner)
        .post('/api/user/campaign')
        .send({ name: 'x', assistant_id: assistant, ...overrides });
      expect({ what, status, fields: Object.keys(body.errors ?? {}) }).toEqual({
        what,
        status: 422,
        fields: [field],
      });
      expect(body).toEqual({ message: expect.any(String), errors: { [field]: [expect.any(String)] } });
    }
    expect((await app.as(owner).get('/api/user/campaigns')).body).toEqual([]);
  });

  it("refuses another account's number as it refuses a missing one", async () => {
    const assistant = await createOutboundAssistant(app, owner);
    const foreign = await addPhoneNumber(app, stranger);
    const send = (ids: number[]) =>
      app
        .as(owner)
        .post('/api/user/campaign')
        .send({ name: 'x', assistant_id: assistant, phone_number_ids: ids });
    const missing = await send([2_000_000_000]).expect(422);
    const refused = await send([foreign]).expect(422);
    expect(refused.body).toEqual(missing.body);
  });

  it('answers 404 {message} when the assistant is missing, foreign or inbound', async () => {
    const inbound = await createOutboundAssistant(app, owner, { type: 'inbound' });
    const foreign = await createOutboundAssistant(app, stranger);
    for (const assistant of [2_000_000_000, inbound, foreign]) {
      const { body } = await app
        .as(owner)
        .post('/api/user/campaign')
        .send({ name: 'x', assistant_id: assistant })
        .expect(404);
      expect(body).toEqual({ message: 'Assistente não encontrado, ou o tipo dele não é outbound' });
    }
  });

  // spec: limits.plan-limits-other
  it("answers 403 {message} at the plan's limit, of which parallel requests cannot take more", async () => {
    const assistant = await createOutboundAssistant(app, owner);
    await app.query(
      `INSERT INTO campaigns (user_id, assistant_id, name, timezone, max_calls_in_parallel, allowed_hours_start_time,
         allowed_hours_end_time, allowed_days, max_retries, retry_interval_minutes, retry_on_voicemail,
         retry_on_goal_incomplete, mark_complete_when_no_leads)
       SELECT $1, $2, 'old', 'UTC', 1, '00:00', '23:59', '{monday}', 1, 60, false, false, true
       FROM generate_series(1, 49)`,
      [owner.userId, assistant],
    );
    const results = await Promise.all(
      Array.from({ length: 20 }, () =>
        app.as(owner).post('/api/user/campaign').send({ name: 'x', assistant_id: assistant }),
      ),
    );
    expect(results.filter(({ status }) => status === 201)).toHaveLength(1);
    const refused = results.filter(({ status }) => status === 403);
    expect(refused).toHaveLength(19);
    expect(refused[0]?.body).toEqual({ message: 'Você atingiu o limite de 50 campanhas do seu plano' });
  });
});

describe('GET /api/user/campaigns', () => {
  it('answers a bare array of the own campaigns, newest first', async () => {
    const first = await createCampaign(app, owner, { name: 'primeira' });
    const second = await createCampaign(app, owner, { name: 'segunda' });
    await createCampaign(app, stranger);
    const { body } = await app.as(owner).get('/api/user/campaigns').expect(200);
    expect(body.map(({ id }: { id: number }) => id)).toEqual([second, first]);
    expect(body[1]).toEqual((await app.as(owner).get(`/api/user/campaign/${first}`)).body);
  });

  it('needs a token', async () => {
    await app.http.get('/api/user/campaigns').expect(401, { message: 'Não autorizado' });
  });
});

describe('GET, PUT and DELETE /api/user/campaign/{id}', () => {
  it('answer 404 {message} for a missing, a foreign and a wrong id alike', async () => {
    const foreign = await createCampaign(app, stranger);
    for (const id of [foreign, 2_000_000_000, 0, -1, 'abc', '99999999999999999999']) {
      const path = `/api/user/campaign/${id}`;
      await app.as(owner).get(path).expect(404, NOT_FOUND);
      await app.as(owner).put(path).send({ name: 'x' }).expect(404, NOT_FOUND);
      await app.as(owner).delete(path).expect(404, NOT_FOUND);
    }
    await app.as(stranger).get(`/api/user/campaign/${foreign}`).expect(200);
  });

  it('PUT changes only what is sent', async () => {
    const number = await addPhoneNumber(app, owner);
    const id = await createCampaign(app, owner, {
      allowed_hours_start_time: '08:00',
      allowed_hours_end_time: '12:00',
      phone_number_ids: [number],
    });
    const { body: before } = await app.as(owner).get(`/api/user/campaign/${id}`);
    const { body } = await app
      .as(owner)
      .put(`/api/user/campaign/${id}`)
      .send({ name: 'Outra', max_retries: 1, status: 'in-progress', id: 7 })
      .expect(200);
    expect(body).toEqual({
      message: 'Campanha atualizada com sucesso',
      data: { ...before, name: 'Outra', max_retries: 1, updated_at: expect.stringMatching(ISO) },
    });
    expect((await app.as(owner).get(`/api/user/campaign/${id}`)).body).toEqual(body.data);
  });

  it('PUT holds the rules of creation, against what is stored where a field is not sent', async () => {
    const id = await createCampaign(app, owner, {
      allowed_hours_start_time: '08:00',
      allowed_hours_end_time: '12:00',
    });
    const put = (body: object) => app.as(owner).put(`/api/user/campaign/${id}`).send(body);
    const fields: [object, string][] = [
      [{ allowed_hours_start_time: '13:00' }, 'allowed_hours_end_time'],
      [{ name: '' }, 'name'],
      [{ name: null }, 'name'],
      [{ max_calls_in_parallel: 11 }, 'max_calls_in_parallel'],
      [{ goal_completion_variable: 'nothing' }, 'goal_completion_variable'],
      [{ allowed_days: null }, 'allowed_days'],
    ];
    for (const [body, field] of fields) {
      expect(Object.keys((await put(body).expect(422)).body.errors)).toEqual([field]);
    }
    await put({ assistant_id: 2_000_000_000 }).expect(404);
    await put({ allowed_hours_end_time: '23:00', allowed_hours_start_time: '13:00' }).expect(200);
  });

  it('PUT replaces the number pool, and an empty one clears it', async () => {
    const [first, second] = [await addPhoneNumber(app, owner), await addPhoneNumber(app, owner)];
    const id = await createCampaign(app, owner, { phone_number_ids: [first] });
    const put = async (ids: number[]) =>
      (await app.as(owner).put(`/api/user/campaign/${id}`).send({ phone_number_ids: ids }).expect(200)).body
        .data.phone_number_ids;
    expect(await put([second, first])).toEqual([second, first]);
    expect(await put([first])).toEqual([first]);
    expect(await put([])).toEqual([]);
  });

  it('PUT refuses a new assistant that does not have the goal, and null clears the goal', async () => {
    const schema = [{ name: 'renewed', type: 'bool', description: 'Whether they renewed' }];
    const assistant = await createOutboundAssistant(app, owner, { post_call_schema: schema });
    const other = await createOutboundAssistant(app, owner);
    const id = await createCampaign(app, owner, {
      assistant_id: assistant,
      goal_completion_variable: 'renewed',
    });
    const put = (body: object) => app.as(owner).put(`/api/user/campaign/${id}`).send(body);
    const { body } = await put({ assistant_id: other }).expect(422);
    expect(Object.keys(body.errors)).toEqual(['goal_completion_variable']);
    const changed = await put({ assistant_id: other, goal_completion_variable: null }).expect(200);
    expect(changed.body.data).toMatchObject({ assistant_id: other, goal_completion_variable: null });
  });

  it('parallel PUTs of different fields lose nothing', async () => {
    const id = await createCampaign(app, owner);
    const changes = [{ name: 'Nova' }, { max_retries: 1 }, { retry_interval: 10 }, { timezone: 'UTC' }];
    await Promise.all(
      changes.map((change) => app.as(owner).put(`/api/user/campaign/${id}`).send(change).expect(200)),
    );
    const { body } = await app.as(owner).get(`/api/user/campaign/${id}`);
    expect(body).toMatchObject(Object.assign({}, ...changes));
  });

  it('a released number leaves the pool, and a deleted assistant leaves the campaign', async () => {
    const assistant = await createOutboundAssistant(app, owner);
    const numbers = [await addPhoneNumber(app, owner), await addPhoneNumber(app, owner)];
    const id = await createCampaign(app, owner, { assistant_id: assistant, phone_number_ids: numbers });
    await app.query('DELETE FROM phone_numbers WHERE id = $1', [numbers[0]]);
    await app.as(owner).delete(`/api/user/assistant/${assistant}`).expect(200);
    const { body } = await app.as(owner).get(`/api/user/campaign/${id}`).expect(200);
    expect(body).toMatchObject({ assistant_id: null, phone_number_ids: [numbers[1]] });
    await app.as(owner).put(`/api/user/campaign/${id}`).send({ name: 'Sem assistente' }).expect(200);
  });

  it('DELETE removes the campaign with its leads, dials and imports, and nothing else', async () => {
    const id = await createStartableCampaign(app, owner);
    const other = await createCampaign(app, owner);
    await createLead(app, owner, other, { secondary_contacts: [{ phone_number: phoneNumber(2) }] });
    await app.as(owner).post('/api/user/campaigns/update-status').send({ campaign_id: id, action: 'start' });
    await app
      .as(owner)
      .delete(`/api/user/campaign/${id}`)
      .expect(200, { message: 'Campanha excluída com sucesso' });
    await app.as(owner).get(`/api/user/campaign/${id}`).expect(404, NOT_FOUND);
    const left = await app.query(
      `SELECT campaign_id, count(*)::int AS leads FROM leads JOIN lead_dials USING (campaign_id)
       WHERE leads.user_id = $1 AND lead_dials.lead_id = leads.id GROUP BY campaign_id`,
      [owner.userId],
    );
    expect(left).toEqual([{ campaign_id: other, leads: 2 }]);
  });

  it('DELETE keeps the attempts, and parts them from the campaign in batches', async () => {
    const id = await createCampaign(app, owner);
    await app.query(
      `INSERT INTO dial_attempts (id, user_id, campaign_id, number, state, outcome, settled_at, from_phone_number,
         to_phone_number, lease_until)
       SELECT gen_random_uuid(), $1, $2, 1, 'settled', 'busy', now(), '', '', now() FROM generate_series(1, 5001)`,
      [owner.userId, id],
    );
    const batches = jest.spyOn(app.app.get(DialAttemptsRepository, { strict: false }), 'detachSettled');
    await app.as(owner).delete(`/api/user/campaign/${id}`).expect(200);
    expect(await Promise.all(batches.mock.results.map(({ value }) => value))).toEqual([true, false]);
    batches.mockRestore();
    expect(
      await app.query(
        'SELECT campaign_id, count(*)::int AS attempts FROM dial_attempts WHERE user_id = $1 GROUP BY 1',
        [owner.userId],
      ),
    ).toEqual([{ campaign_id: null, attempts: 5_001 }]);
  });
});

describe('POST /api/user/campaigns/update-status', () => {
  const switchTo = (action: string, id: unknown, account = owner) =>
    app.as(account).post('/api/user/campaigns/update-status').send({ campaign_id: id, action });

  // spec: service.run-outbound-campaigns, campaign.id, campaign.status, states.campaign-action-start
  // spec: states.start-message-defaults, states.campaign-action-stop, update-status.success
  it('starts a draft, stops it and starts it again', async () => {
    const id = await createStartableCampaign(app, owner);
    const started = {
      message: 'Campanha iniciada com sucesso',
      success: true,
      data: { campaign_id: id, status: 'in-progress' },
    };
    const stopped = {
      message: 'Campanha parada com sucesso',
      success: true,
      data: { campaign_id: id, status: 'stopped' },
    };
    await switchTo('start', id).expect(200, started);
    expect(await statusOf(id)).toBe('in-progress');
    await switchTo('stop', id).expect(200, stopped);
    expect(await statusOf(id)).toBe('stopped');
    await switchTo('start', id).expect(200, started);
  });

  it('starting a running one and stopping a stopped one succeed and change nothing', async () => {
    const id = await createStartableCampaign(app, owner);
    for (const action of ['start', 'stop']) {
      const first = await switchTo(action, id).expect(200);
      const { body: before } = await app.as(owner).get(`/api/user/campaign/${id}`);
      const again = await switchTo(action, id).expect(200);
      expect(again.body).toEqual(first.body);
      expect((await app.as(owner).get(`/api/user/campaign/${id}`)).body).toEqual(before);
    }
  });

  // spec: update-status.campaign_id
  it.each([
    ['no campaign', { action: 'start' }, 'campaign_id'],
    ['a campaign that is no integer', { campaign_id: 'x', action: 'start' }, 'campaign_id'],
    ['no action', { campaign_id: 1 }, 'action'],
    ['another action', { campaign_id: 1, action: 'pause' }, 'action'],
  ])('answers 422 with errors for %s', async (_what, body, field) => {
    const response = await app.as(owner).post('/api/user/campaigns/update-status').send(body).expect(422);
    expect(response.body).toEqual({ message: expect.any(String), errors: { [field]: [expect.any(String)] } });
  });

  // spec: errors.other-status-codes
  it('answers 404 {message, success: false} for a missing and a foreign campaign', async () => {
    const foreign = await createStartableCampaign(app, stranger);
    for (const id of [foreign, 2_000_000_000]) {
      for (const action of ['start', 'stop']) {
        await switchTo(action, id).expect(404, { message: 'Campanha não encontrada', success: false });
      }
    }
    expect(await statusOf(foreign)).toBe('draft');
  });

  const OBSTACLES: [string, string, (id: number) => Promise<unknown>][] = [
    [
      'has no leads',
      'A campanha não tem contatos para ligar. Adicione contatos primeiro',
      (id) => app.query('DELETE FROM leads WHERE campaign_id = $1', [id]),
    ],
    [
      'has only leads that were called to their end',
      'A campanha não tem contatos para ligar. Adicione contatos primeiro',
      (id) => app.query("UPDATE lead_dials SET state = 'done' WHERE campaign_id = $1", [id]),
    ],
    [
      'has an assistant that its owner has deactivated',
      'O assistente da campanha está desativado. Ative-o para iniciar a campanha.',
      () => app.query("UPDATE assistants SET status = 'inactive' WHERE user_id = $1", [owner.userId]),
    ],
    [
      'has lost its assistant',
      'A campanha não tem um assistente. Escolha um para iniciá-la',
      () => app.query('DELETE FROM assistants WHERE user_id = $1', [owner.userId]),
    ],
    [
      'has no number',
      'Nem a campanha nem o assistente têm um número de telefone. Adicione um primeiro',
      () => app.query('DELETE FROM phone_numbers WHERE user_id = $1', [owner.userId]),
    ],
    [
      'cannot be paid for',
      'Saldo insuficiente. Por favor, recarregue sua conta.',
      () => app.query('UPDATE wallets SET balance_micros = 0 WHERE user_id = $1', [owner.userId]),
    ],
  ];

  it.each(OBSTACLES)('answers 400 with the status when the campaign %s', async (_what, message, spoil) => {
    const id = await createStartableCampaign(app, owner);
    await spoil(id);
    const refusal = { message, success: false, data: { campaign_id: id, status: 'draft' } };
    await switchTo('start', id).expect(400, refusal);
    expect(await statusOf(id)).toBe('draft');
  });

  it("is content with the assistant's own number", async () => {
    const id = await createStartableCampaign(app, owner);
    await app.as(owner).put(`/api/user/campaign/${id}`).send({ phone_number_ids: [] }).expect(200);
    await switchTo('start', id).expect(400);
    const number = await addPhoneNumber(app, owner);
    await app.query('UPDATE assistants SET phone_number_id = $2 WHERE user_id = $1', [owner.userId, number]);
    await switchTo('start', id).expect(200);
  });

  it.each(['draft', 'completed'])(
    'answers 400 with the status when a %s campaign is stopped',
    async (status) => {
      const id = await createStartableCampaign(app, owner);
      await setStatus(id, status);
      await switchTo('stop', id).expect(400, {
        message: 'A campanha não está em andamento e não pode ser parada',
        success: false,
        data: { campaign_id: id, status },
      });
    },
  );

  it('starts a completed campaign again once it has a lead to call', async () => {
    const id = await createStartableCampaign(app, owner);
    await setStatus(id, 'completed');
    await app.query("UPDATE lead_dials SET state = 'done' WHERE campaign_id = $1", [id]);
    await switchTo('start', id).expect(400);
    await createLead(app, owner, id, { phone_number: phoneNumber(2) });
    await switchTo('start', id).expect(200);
  });

  it('parallel starts and stops all succeed, and the last word is one of theirs', async () => {
    const id = await createStartableCampaign(app, owner);
    await switchTo('start', id).expect(200);
    const actions = Array.from({ length: 30 }, (_, i) => (i % 2 ? 'start' : 'stop'));
    const statuses = await Promise.all(actions.map(async (action) => (await switchTo(action, id)).status));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(['in-progress', 'stopped']).toContain(await statusOf(id));
  });
});

describe('the statuses of a campaign', () => {
  const ALLOWED = new Set([
    'draft → in-progress',
    'in-progress → stopped',
    'in-progress → completed',
    'stopped → in-progress',
    'completed → in-progress',
  ]);

  // spec: campaign.fields-status-values, states.campaign-resulting-status
  it('walks the table: allowed moves happen, others are refused and change nothing', async () => {
    const id = await createCampaign(app, owner);
    const runs = app.app.get(CampaignLifecycleService, { strict: false });
    const campaigns = app.app.get(CampaignsRepository, { strict: false });
    for (const from of CAMPAIGN_STATUSES) {
      for (const to of CAMPAIGN_STATUSES) {
        await setStatus(id, from);
        const campaign = await campaigns.find(owner.userId, id);
        const move = runs.transition(campaign!, to);
        const isAllowed = ALLOWED.has(`${from} → ${to}`);
        if (isAllowed) await expect(move).resolves.toMatchObject({ status: to });
        else await expect(move).rejects.toMatchObject({ kind: 'refused', data: { status: from } });
        expect([from, to, await statusOf(id)]).toEqual([from, to, isAllowed ? to : from]);
      }
    }
  });

  it('a move from an outdated status does nothing', async () => {
    const id = await createCampaign(app, owner);
    const campaign = await app.app.get(CampaignsRepository, { strict: false }).find(owner.userId, id);
    await setStatus(id, 'completed');
    const runs = app.app.get(CampaignLifecycleService, { strict: false });
    await expect(runs.transition(campaign!, 'in-progress')).resolves.toBeNull();
    expect(await statusOf(id)).toBe('completed');
  });

  it('a running campaign completes when no lead is left, unless it waits for more', async () => {
    const id = await createStartableCampaign(app, owner);
    const runs = app.app.get(CampaignLifecycleService, { strict: false });
    const complete = async () => {
      await runs.completeIfDone(owner.userId, id);
      return statusOf(id);
    };
    await app.query("UPDATE lead_dials SET state = 'done' WHERE campaign_id = $1", [id]);
    expect(await complete()).toBe('draft');
    await setStatus(id, 'in-progress');
    await app.query("UPDATE lead_dials SET state = 'calling' WHERE campaign_id = $1", [id]);
    expect(await complete()).toBe('in-progress');
    await app.query("UPDATE lead_dials SET state = 'done' WHERE campaign_id = $1", [id]);
    await app.query('UPDATE campaigns SET mark_complete_when_no_leads = false WHERE id = $1', [id]);
    expect(await complete()).toBe('in-progress');
    await app.query('UPDATE campaigns SET mark_complete_when_no_leads = true WHERE id = $1', [id]);
    expect(await complete()).toBe('completed');
  });

  it('a campaign that is deleted before it completes is left alone', async () => {
    const id = await createStartableCampaign(app, owner);
    await app.as(owner).delete(`/api/user/campaign/${id}`).expect(200);
    const runs = app.app.get(CampaignLifecycleService, { strict: false });
    await expect(runs.completeIfDone(owner.userId, id)).resolves.toBeUndefined();
  });
});
