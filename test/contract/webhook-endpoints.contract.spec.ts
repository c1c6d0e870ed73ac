import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { OperationObject, RequestBodyObject, SchemaObject } from '@nestjs/swagger';
import { Webhook } from 'standardwebhooks';
import { openApiOf } from '../../src/boot/docs.js';
import { UnavailableError } from '../../src/common/errors/errors.js';
import { Transactions } from '../../src/database/transactions.js';
import { AlertsService } from '../../src/modules/alerts/alerts.service.js';
import { CallsService } from '../../src/modules/calls/calls.service.js';
import { CampaignLifecycleService } from '../../src/modules/campaigns/campaign-lifecycle.service.js';
import { WebhookSubscriptionsRepository } from '../../src/modules/webhooks/subscriptions/webhook-subscriptions.repository.js';
import { WebhooksService } from '../../src/modules/webhooks/webhooks.service.js';
import { WEBHOOK_KINDS } from '../../src/modules/webhooks/webhook-kinds.js';
import { ErasureRunnerService } from '../../src/modules/privacy/erasure-runner.service.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant, type CreatedAssistant, openConversation } from '../support/builders.js';
import { createStartableCampaign } from '../support/campaign-builders.js';
import { type Answer, answerJson, LocalServer } from '../support/http-server.js';
import { waitsForLock } from '../support/lock-waits.js';
import { until } from '../support/until.js';

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const PATH = '/api/user/webhook-endpoints';
const FINAL = ['completed', 'busy', 'no-answer', 'failed'];

interface Sent {
  readonly type: string;
  readonly timestamp: string;
  readonly data: Record<string, unknown>;
}

describe('Webhook endpoints of an account', () => {
  let app: TestApp;
  let account: TestAccount;
  let receiver: LocalServer;
  let answer: Answer;
  let url: string;
  let schemaOf: (kind: string) => SchemaObject;

  beforeAll(async () => {
    app = await TestApp.start({
      PROSA_ROLES: 'api,worker',
      EGRESS_ALLOW_CIDRS: '127.0.0.1/32',
      RETRY_SCALE: '0.000002',
      SANDBOX_SPEED: '30',
    });
    const { webhooks } = openApiOf(app.app);
    schemaOf = (kind) => {
      const documented = webhooks?.[kind] as { post: OperationObject } | undefined;
      return (documented?.post.requestBody as RequestBodyObject | undefined)?.content['application/json']
        ?.schema as SchemaObject;
    };
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    answer = (_request, response) => answerJson(response, { ok: true });
    receiver = await LocalServer.start((request, response) => answer(request, response));
    url = `${receiver.url}/events`;
    account = await app.account({ balanceUsd: 5 });
  });
  afterEach(() => receiver.stop());

  async function register(body: object = {}): Promise<number> {
    const created = await app
      .as(account)
      .post(PATH)
      .send({ url, ...body })
      .expect(201);
    return created.body.data.id;
  }

  const read = async (id: number) => (await app.as(account).get(`${PATH}/${id}`).expect(200)).body;
  const secretOf = async (id: number) =>
    (await app.as(account).get(`${PATH}/${id}/secret`).expect(200)).body.secret;
  const sent = () => receiver.requests.map(({ body }) => JSON.parse(body) as Sent);
  const sentOf = (type: string) => sent().filter((event) => event.type === type);

  /** Every event is as the document says. */
  function expectDocumented(): void {
    for (const event of sent()) expect(app.contract.mismatchOf(schemaOf(event.type), event)).toBeNull();
  }

  const deliveries = async (query = '') =>
    (await app.as(account).get(`/api/user/webhook-deliveries${query}`).expect(200)).body.data;

  describe('are kept', () => {
    it('with all events, switched on, where nothing else is said', async () => {
      const { body } = await app.as(account).post(PATH).send({ url }).expect(201);
      expect(body).toEqual({
        message: 'Endpoint de webhook criado com sucesso',
        data: {
          id: expect.any(Number),
          url,
          description: '',
          events: null,
          enabled: true,
          health: { status: 'active', disabled_reason: null, disabled_at: null },
          created_at: expect.stringMatching(ISO),
          updated_at: expect.stringMatching(ISO),
        },
      });
      expect(await read(body.data.id)).toEqual(body.data);
      const { body: list } = await app.as(account).get(PATH).expect(200);
      expect(list).toEqual([body.data]);
    });

    it('and changed by the fields that are sent', async () => {
      const id = await register({ description: 'CRM', events: ['call.ended'] });
      const { body } = await app
        .as(account)
        .put(`${PATH}/${id}`)
        .send({ events: ['call.started', 'call.ended'], enabled: false })
        .expect(200);
      expect(body.data).toMatchObject({
        url,
        description: 'CRM',
        events: ['call.started', 'call.ended'],
        enabled: false,
      });
      await app
        .as(account)
        .put(`${PATH}/${id}`)
        .send({ events: null, url: `${url}/2` })
        .expect(200);
      expect(await read(id)).toMatchObject({ url: `${url}/2`, events: null, enabled: false });
    });

    it('until they are deleted, with their deliveries', async () => {
      const id = await register();
      const other = await register();
      for (const one of [id, other]) await app.as(account).post(`${PATH}/${one}/test`).expect(200);
      const { body } = await app.as(account).delete(`${PATH}/${id}`).expect(200);
      expect(body).toEqual({ message: 'Endpoint de webhook excluído com sucesso' });
      for (const [method, path] of [
        ['get', ''],
        ['put', ''],
        ['delete', ''],
        ['post', '/test'],
        ['get', '/secret'],
        ['post', '/secret/rotate'],
      ] as const) {
        const { status, body: refused } = await app.as(account)[method](`${PATH}/${id}${path}`);
        expect([status, refused]).toEqual([404, { message: 'Endpoint de webhook não encontrado' }]);
      }
      const left = await deliveries();
      expect(left.map((row: { webhook_endpoint_id: number }) => row.webhook_endpoint_id)).toEqual([other]);
    });

    it('ten at most, also when many are registered at once', async () => {
      const answers = await Promise.all(
        Array.from({ length: 14 }, () => app.as(account).post(PATH).send({ url })),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
      const refused = answers.filter(({ status }) => status === 422);
      expect(refused).toHaveLength(4);
      expect(refused[0]?.body).toEqual({
        message: 'O limite de 10 endpoints de webhook da conta foi atingido. Exclua um para adicionar outro.',
      });
    });

    it.each([
      ['no URL', {}, 'url'],
      ['a URL that is none', { url: 'ftp://example.com' }, 'url'],
      ['an event that there is not', { url: 'https://example.com', events: ['call.ended', 'x'] }, 'events.1'],
      ['an event of no form', { url: 'https://example.com', events: ['call.ended', 7] }, 'events.1'],
      ['an event twice', { url: 'https://example.com', events: ['call.ended', 'call.ended'] }, 'events'],
      ['no event', { url: 'https://example.com', events: [] }, 'events'],
      ['a long description', { url: 'https://example.com', description: 'x'.repeat(256) }, 'description'],
    ])('not with %s', async (_what, body, field) => {
      const { body: refused } = await app.as(account).post(PATH).send(body).expect(422);
      expect(Object.keys(refused.errors)).toEqual([field]);
    });
  });

  it('can ask for the events that are listed as such, and for no others', async () => {
    const { body: events } = await app.as(account).get('/api/user/webhook-events').expect(200);
    expect(events.map(({ kind }: { kind: string }) => kind)).toEqual(WEBHOOK_KINDS);
    for (const { kind, for_endpoints: isFor } of events) {
      const { status } = await app
        .as(await app.account())
        .post(PATH)
        .send({ url, events: [kind] });
      expect({ kind, status }).toEqual({ kind, status: isFor ? 201 : 422 });
    }
  });

  describe('are signed for', () => {
    const accepts = (secret: string) => {
      const request = receiver.requests.at(-1);
      try {
        new Webhook(secret).verify(request?.body ?? '', request?.headers as Record<string, string>);
        return true;
      } catch {
        return false;
      }
    };

    it('with a secret of their own, which no table shows', async () => {
      const [id, other] = [await register(), await register()];
      await app.as(account).post(`${PATH}/${id}/test`).expect(200);
      await until(() => receiver.requests.length === 1);
      const { body } = await app.as(account).get('/api/user/webhook-secret').expect(200);
      const secret = await secretOf(id);
      expect([accepts(secret), accepts(await secretOf(other)), accepts(body.secret)]).toEqual([
        true,
        false,
        false,
      ]);
      const rows = await app.query('SELECT * FROM webhook_subscriptions WHERE user_id = $1', [
        account.userId,
      ]);
      expect(JSON.stringify(rows)).not.toContain(secret.slice(6));
    });

    it('with the secret before as well for 24 hours', async () => {
      const id = await register();
      const before = await secretOf(id);
      const { body } = await app.as(account).post(`${PATH}/${id}/secret/rotate`).expect(200);
      const overlapMs = Date.parse(body.data.previous_expires_at) - Date.parse(body.data.created_at);
      expect(overlapMs).toBe(24 * 3_600_000);
      await app.as(account).post(`${PATH}/${id}/test`).expect(200);
      await until(() => receiver.requests.length === 1);
      expect([accepts(before), accepts(body.data.secret)]).toEqual([true, true]);
      await app.query('UPDATE webhook_subscriptions SET previous_expires_at = now() WHERE id = $1', [id]);
      await app.as(account).post(`${PATH}/${id}/test`).expect(200);
      await until(() => receiver.requests.length === 2);
      expect([accepts(before), accepts(body.data.secret)]).toEqual([false, true]);
    });
  });

  describe('are tried out', () => {
    it('by a test event in one try, also while they are switched off', async () => {
      answer = (_request, response) => answerJson(response, { error: 'não' }, 500);
      const id = await register({ enabled: false, events: ['call.ended'] });
      const { body } = await app.as(account).post(`${PATH}/${id}/test`).expect(200);
      expect(body).toMatchObject({
        message: 'O evento de teste será enviado',
        data: { kind: 'webhook.test', webhook_endpoint_id: id, url, attempts_count: 0 },
      });
      const path = `/api/user/webhook-deliveries/${body.data.id}`;
      await until(async () => (await app.as(account).get(path)).body.status === 'failed');
      const { body: delivery } = await app.as(account).get(path).expect(200);
      expect(delivery).toMatchObject({ attempts_count: 1, failure_reason: 'tries_exhausted' });
      expect(delivery.attempts[0]).toMatchObject({ status_code: 500, response_body: '{"error":"não"}' });
      expect(sent()).toEqual([
        { type: 'webhook.test', timestamp: expect.stringMatching(ISO), data: { webhook_endpoint_id: id } },
      ]);
      expectDocumented();
    });

    it('and are back by a test when an answer 410 had disabled them', async () => {
      answer = (_request, response) => answerJson(response, {}, 410);
      const id = await register();
      await app.as(account).post(`${PATH}/${id}/test`).expect(200);
      await until(async () => (await read(id)).health.status === 'disabled');
      answer = (_request, response) => answerJson(response, {});
      await app.as(account).post(`${PATH}/${id}/test`).expect(200);
      await until(() => receiver.requests.length === 2);
      expect((await read(id)).health).toEqual({ status: 'active', disabled_reason: null, disabled_at: null });
    });
  });

  describe('of chats', () => {
    let assistant: CreatedAssistant;
    beforeEach(async () => {
      assistant = await createAssistant(app, account);
    });

    const say = (uuid: string, message: string) =>
      app.http.post(`/api/conversations/${uuid}/messages`).send({ message }).expect(200);

    it('receive every message of every author once', async () => {
      const id = await register({ events: ['conversation.message-created'] });
      const uuid = await openConversation(app, assistant);
      const { body: reply } = await say(uuid, 'Qual o horário?');
      await app
        .as(account)
        .post(`/api/user/conversations/${uuid}/messages`)
        .send({ message: 'Aqui é a Bia.' })
        .expect(201);
      await say(uuid, 'Obrigado!');
      await until(() => receiver.requests.length >= 5);
      const events = sent().toSorted((a, b) => Number(a.data.message_id) - Number(b.data.message_id));
      expect(events.map(({ data }) => [data.role, data.author, data.content])).toEqual([
        ['assistant', 'ai', 'Olá! Como posso ajudar?'],
        ['user', 'customer', 'Qual o horário?'],
        ['assistant', 'ai', reply.message],
        ['assistant', 'agent', 'Aqui é a Bia.'],
        ['user', 'customer', 'Obrigado!'],
      ]);
      expect(events[1]).toEqual({
        type: 'conversation.message-created',
        timestamp: expect.stringMatching(ISO),
        data: expect.objectContaining({
          conversation_id: uuid,
          conversation_type: 'widget',
          assistant_id: assistant.uuid,
          function_calls: [],
        }),
      });
      expectDocumented();
      expect(await deliveries(`?webhook_endpoint_id=${id}`)).toHaveLength(5);
      expect(receiver.requests).toHaveLength(5);
    });

    it('hear nothing of other events, of other accounts, or while they are switched off', async () => {
      await register({ events: ['call.ended'] });
      await register({ enabled: false });
      const neighbour = await app.account({ balanceUsd: 5 });
      await say(await openConversation(app, await createAssistant(app, neighbour)), 'Oi');
      await say(await openConversation(app, assistant), 'Oi');
      expect(await deliveries()).toEqual([]);
    });

    it('lose no message from the answer of the registration on, while chats go on', async () => {
      const uuids = await Promise.all(Array.from({ length: 4 }, () => openConversation(app, assistant)));
      const from = new Map<number, Date>();
      const end = new AbortController();
      const chats = uuids.map(async (uuid) => {
        while (!end.signal.aborted) await say(uuid, 'Oi');
      });
      const ids: number[] = [];
      for (let index = 0; index < 4; index++) {
        const id = await register({ events: ['conversation.message-created'] });
        const [row] = await app.query<{ now: Date }>('SELECT clock_timestamp() AS now');
        from.set(id, row!.now);
        ids.push(id);
      }
      await Promise.all(uuids.map((uuid) => say(uuid, 'Por fim')));
      end.abort();
      await Promise.all(chats);
      for (const id of ids) {
        const missing = await app.query(
          `SELECT id FROM messages WHERE user_id = $1 AND created_at > $2 AND NOT EXISTS (
             SELECT FROM webhook_deliveries WHERE subscription_id = $3
               AND (body::json->'data'->>'message_id')::bigint = messages.id)`,
          [account.userId, from.get(id), id],
        );
        expect(missing).toEqual([]);
      }
    });

    it('give up what waits when they are switched off, and deliver it on replay', async () => {
      answer = (_request, response) => answerJson(response, {}, 500);
      const id = await register({ events: ['conversation.message-created'] });
      await openConversation(app, assistant);
      await until(() => receiver.requests.length > 0);
      await app.as(account).put(`${PATH}/${id}`).send({ enabled: false }).expect(200);
      const [delivery] = await deliveries();
      expect(delivery).toMatchObject({ status: 'failed', failure_reason: 'switched_off' });
      answer = (_request, response) => answerJson(response, {});
      await app.as(account).post(`/api/user/webhook-deliveries/${delivery.id}/replay`).expect(200);
      await until(async () => (await deliveries())[0].status === 'delivered');
      expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    });

    it.each(['put', 'delete'] as const)('give up a backlog in parts, by %s', async (verb) => {
      const id = await register({ events: ['conversation.message-created'] });
      await app.query(
        `INSERT INTO webhook_deliveries (user_id, endpoint_id, subscription_id, event_id, kind, subject_id, occurrence, body, next_attempt_at)
         SELECT user_id, endpoint_id, id, 'msg_' || n, 'call.ended', n::text, 0, '{}', now() + interval '1 hour'
         FROM webhook_subscriptions, generate_series(1, 10001) AS n WHERE id = $1`,
        [id],
      );
      const change = jest.spyOn(app.app.get(WebhookSubscriptionsRepository, { strict: false }), 'update');
      let left: unknown;
      change.mockImplementationOnce(async () => {
        [left] = await app.query(
          "SELECT count(*)::int AS pending FROM webhook_deliveries WHERE subscription_id = $1 AND status = 'pending'",
          [id],
        );
        throw new UnavailableError();
      });
      await app.as(account)[verb](`${PATH}/${id}`).send({ enabled: false }).expect(503);
      // The transaction that switches it off has nothing left to give up.
      expect(left).toEqual({ pending: 0 });
      change.mockRestore();
      await app.as(account)[verb](`${PATH}/${id}`).send({ enabled: false }).expect(200);
    });

    it('keep nothing of an erased person, also in texts without the number', async () => {
      answer = (_request, response) => answerJson(response, {});
      await register();
      const uuid = await openConversation(
        app,
        assistant,
        { variables: { phone: '+5511987654321' } },
        account,
      );
      await say(uuid, 'meu segredo de familia');
      const other = await openConversation(app, assistant, {}, account);
      await say(other, 'bom dia');
      const about = async () =>
        (
          await app.query<{ body: string }>('SELECT body FROM webhook_deliveries WHERE user_id = $1', [
            account.userId,
          ])
        ).filter(({ body }) => body.includes(uuid) || body.includes('segredo'));
      expect(await about()).toHaveLength(3);
      const { body } = await app
        .as(account)
        .post('/api/user/privacy/erase')
        .send({ phone_number: '+5511987654321' })
        .expect(202);
      // It waits for what is under way, as its job does.
      await until(async () => {
        await app.app.get(ErasureRunnerService).run(body.data.id);
        return (await about()).length === 0;
      });
      expect(await deliveries()).toHaveLength(3);
    });
  });

  describe('of calls', () => {
    it('hear of each status of a call, of its start and of its end', async () => {
      await register();
      const assistant = await createAssistant(app, account, { type: 'outbound' });
      const { body } = await app
        .as(account)
        .post('/api/user/make_call')
        .send({ phone_number: '+5511912345600', assistant_id: assistant.id })
        .expect(200);
      const path = `/api/user/calls/${body.call_id}`;
      await until(async () => FINAL.includes((await app.as(account).get(path)).body.status), 40_000);
      const { body: call } = await app.as(account).get(path).expect(200);
      expect(call.status).toBe('completed');
      await until(() => sentOf('call.ended').length > 0);
      const moves = sentOf('call.status-changed').map(({ data }) => [data.previous_status, data.status]);
      expect(moves).toHaveLength(5);
      const last = moves.find(([, to]) => to === 'completed')?.[0];
      expect(['ended', 'ended_by_customer', 'ended_by_assistant']).toContain(last);
      expect(moves).toEqual(
        expect.arrayContaining([
          [null, 'initiated'],
          ['initiated', 'ringing'],
          ['ringing', 'in-progress'],
          ['in-progress', last],
          [last, 'completed'],
        ]),
      );
      const [started, ...more] = sentOf('call.started');
      expect(more).toEqual([]);
      expect(started?.data).toMatchObject({
        id: call.id,
        type: 'outbound',
        status: 'in-progress',
        assistant_id: assistant.id,
        assistant_name: 'Recepção',
        campaign_id: null,
        customer_phone: '+5511912345600',
      });
      expect(sentOf('call.ended').map(({ data }) => data)).toEqual([
        expect.objectContaining({
          id: call.id,
          status: 'completed',
          duration: call.duration,
          transcript: call.transcript,
          extracted_variables: call.evaluation,
          lead: null,
        }),
      ]);
      expectDocumented();
    }, 60_000);

    it('hear of the end of a call whose assistant is deleted', async () => {
      await register({ events: ['call.ended'] });
      const assistant = await createAssistant(app, account, { type: 'outbound' });
      const { body } = await app
        .as(account)
        .post('/api/user/make_call')
        .send({ phone_number: '+5511912345601', assistant_id: assistant.id })
        .expect(200);
      await app.query('UPDATE calls SET assistant_id = NULL WHERE id = $1', [body.call_id]);
      await until(() => receiver.requests.length > 0, 40_000);
      expect(sent()).toMatchObject([{ type: 'call.ended', data: { id: body.call_id } }]);
    }, 60_000);

    it('hear of a status when the move is committed, and of none that is rolled back', async () => {
      await register({ events: ['call.status-changed'] });
      const calls = app.app.get(CallsService);
      const call = await calls.open(account.userId, { assistantName: 'Bia', type: 'web' });
      await calls.move(account.userId, call.id, { from: 'ringing', to: 'busy' });
      await calls.move(account.userId, call.id, { from: 'initiated', to: 'failed' });
      await until(() => receiver.requests.length === 2);
      expect(new Set(sent().map(({ data }) => data.status))).toEqual(new Set(['failed', 'initiated']));
    });
  });

  it('hear of a campaign that is completed, each time it is', async () => {
    const campaign = await createStartableCampaign(app, account);
    await register({ events: ['campaign.completed'] });
    const lifecycle = app.app.get(CampaignLifecycleService);
    for (const times of [1, 2]) {
      await app.query("UPDATE leads SET status = 'completed' WHERE campaign_id = $1", [campaign]);
      await app.query("UPDATE lead_dials SET state = 'done' WHERE campaign_id = $1", [campaign]);
      await app.query("UPDATE campaigns SET status = 'in-progress' WHERE id = $1", [campaign]);
      await lifecycle.completeIfDone(account.userId, campaign);
      await until(() => receiver.requests.length === times);
    }
    expect(sent()[0]?.data).toEqual({
      id: campaign,
      name: expect.any(String),
      status: 'completed',
      assistant_id: expect.any(Number),
      created_at: expect.stringMatching(ISO),
      completed_at: expect.stringMatching(ISO),
    });
    expectDocumented();
  });

  it('hear of two events about one subject that are written at the same time', async () => {
    await register({ events: ['campaign.completed'] });
    const transactions = app.app.get(Transactions);
    const webhooks = app.app.get(WebhooksService);
    const event = {
      userId: account.userId,
      kind: 'campaign.completed',
      subjectId: 'loyalty',
      data: {},
    } as const;
    let second: Promise<boolean> = Promise.resolve(false);
    await transactions.run(async (tx) => {
      await webhooks.publish(event, tx);
      second = transactions.run((other) => webhooks.publish(event, other));
      await waitsForLock(app);
    });
    expect(await second).toBe(true);
    expect(
      await app.query(
        "SELECT occurrence FROM webhook_deliveries WHERE subject_id = 'loyalty' ORDER BY occurrence",
      ),
    ).toEqual([{ occurrence: 0 }, { occurrence: 1 }]);
  });

  it('hear of a limit that refuses visitors, also without a webhook of the assistant', async () => {
    await register({ events: ['limit.reached'] });
    const { id, uuid } = await createAssistant(app, account);
    const reached = {
      userId: account.userId,
      limit: 'messages_per_hour',
      value: 500,
      assistant: { id, uuid, name: 'Loja' },
      isOfAccount: false,
      resetsInSeconds: 60,
      webhookUrl: null,
    };
    for (let times = 0; times < 2; times++) await app.app.get(AlertsService).report(reached);
    await until(() => receiver.requests.length > 0);
    expect(sent()).toMatchObject([
      { type: 'limit.reached', data: { limit: 'messages_per_hour', assistant_id: uuid } },
    ]);
    expectDocumented();
  });
});
