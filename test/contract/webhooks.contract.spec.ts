import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { Transactions } from '../../src/database/transactions.js';
import { WebhookRetentionService } from '../../src/modules/call-completion/webhook-retention.service.js';
import { type WebhookEvent, WebhooksService } from '../../src/modules/webhooks/webhooks.service.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant, type CreatedAssistant } from '../support/builders.js';
import { type Answer, answerJson, LocalServer } from '../support/http-server.js';
import { until } from '../support/until.js';

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

describe('webhooks', () => {
  let app: TestApp;
  let account: TestAccount;
  let assistant: CreatedAssistant;
  let receiver: LocalServer;
  let answer: Answer;
  let subjects = 0;

  beforeAll(async () => {
    app = await TestApp.start({
      PROSA_ROLES: 'api,worker',
      EGRESS_ALLOW_CIDRS: '127.0.0.1/32',
      RETRY_SCALE: '0.000002',
      WEBHOOK_TIMEOUT_SECONDS: '1.5',
    });
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    answer = (_request, response) => answerJson(response, { ok: true });
    receiver = await LocalServer.start((request, response) => answer(request, response));
    account = await app.account({ balanceUsd: 5 });
    assistant = await createAssistant(app, account);
  });
  afterEach(() => receiver.stop());

  /** Writes an event as a call does at its end, and returns the id of its delivery. */
  async function publish(overrides: Partial<WebhookEvent> = {}): Promise<number> {
    const event: WebhookEvent = {
      userId: account.userId,
      kind: 'post-call',
      assistantId: assistant.id,
      subjectId: String(++subjects),
      url: `${receiver.url}/hook`,
      payload: { id: subjects, transcript: 'Olá 👋' },
      ...overrides,
    };
    const webhooks = app.app.get(WebhooksService);
    await app.app.get(Transactions, { strict: false }).run((tx) => webhooks.enqueue(event, tx));
    webhooks.wake();
    const [row] = await app.query<{ id: number }>(
      'SELECT id FROM webhook_deliveries WHERE user_id = $1 AND kind = $2 AND subject_id = $3 AND occurrence = $4',
      [event.userId, event.kind, event.subjectId, event.occurrence ?? 0],
    );
    return row?.id ?? 0;
  }

  const read = async (id: number, owner = account) =>
    (await app.as(owner).get(`/api/user/webhook-deliveries/${id}`).expect(200)).body;

  async function settled(id: number) {
    await until(async () => (await read(id)).status !== 'pending');
    return read(id);
  }

  const secretOf = async () =>
    (await app.as(account).get('/api/user/webhook-secret').expect(200)).body.secret;

  describe('a delivery', () => {
    // spec: events.post-call-webhook, events.payload-shapes-how
    it('is a JSON POST, signed after Standard Webhooks with the secret of the account', async () => {
      const delivery = await settled(await publish());
      const [request] = receiver.requests;
      expect(request).toMatchObject({ method: 'POST', path: '/hook' });
      expect(request?.headers['content-type']).toBe('application/json');
      const verified = new Webhook(await secretOf()).verify(
        request?.body ?? '',
        request?.headers as Record<string, string>,
      );
      expect(verified).toEqual({ id: subjects, transcript: 'Olá 👋' });
      expect(delivery).toEqual({
        id: delivery.id,
        event_id: request?.headers['webhook-id'],
        kind: 'post-call',
        subject_id: String(subjects),
        webhook_endpoint_id: null,
        url: `${receiver.url}/hook`,
        status: 'delivered',
        failure_reason: null,
        attempts_count: 1,
        last_status_code: 200,
        last_error: null,
        next_attempt_at: null,
        endpoint: { status: 'active', disabled_reason: null, disabled_at: null },
        created_at: expect.stringMatching(ISO),
        finished_at: expect.stringMatching(ISO),
        payload: { id: subjects, transcript: 'Olá 👋' },
        attempts: [
          {
            number: 1,
            started_at: expect.stringMatching(ISO),
            duration_ms: expect.any(Number),
            status_code: 200,
            error: null,
            response_body: '{"ok":true}',
          },
        ],
      });
    });

    it('is tried again under the same id and a signature of its own until the receiver says 2xx', async () => {
      answer = (_request, response) => answerJson(response, {}, receiver.requests.length < 4 ? 503 : 204);
      const delivery = await settled(await publish());
      expect(delivery).toMatchObject({ status: 'delivered', attempts_count: 4 });
      expect(delivery.attempts.map((attempt: { status_code: number }) => attempt.status_code)).toEqual([
        503, 503, 503, 204,
      ]);
      const verifier = new Webhook(await secretOf());
      for (const { body, headers } of receiver.requests) {
        verifier.verify(body, headers as Record<string, string>);
      }
      expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
      expect(new Set(receiver.requests.map(({ body }) => body)).size).toBe(1);
    });

    // spec: events.payload-shapes-how
    it('fails visibly after ten tries', async () => {
      answer = (_request, response) => void response.socket?.destroy();
      const delivery = await settled(await publish());
      expect(delivery).toMatchObject({
        status: 'failed',
        failure_reason: 'tries_exhausted',
        attempts_count: 10,
        last_status_code: null,
        last_error: 'connect',
        next_attempt_at: null,
      });
      expect(receiver.requests).toHaveLength(10);
    });

    it('fails after four tries when it says that a conversation has ended', async () => {
      answer = (_request, response) => answerJson(response, {}, 500);
      const delivery = await settled(await publish({ kind: 'conversation-ended', occurrence: 3 }));
      expect(delivery).toMatchObject({ status: 'failed', attempts_count: 4 });
    });

    it('counts a redirect as a failure and does not follow it', async () => {
      const inside = await LocalServer.start((_request, response) => answerJson(response, {}));
      answer = (_request, response) =>
        void response.writeHead(307, { Location: `${inside.url}/latest/meta-data` }).end();
      const delivery = await settled(await publish({ kind: 'conversation-ended' }));
      expect(delivery).toMatchObject({ status: 'failed', attempts_count: 4, last_status_code: 307 });
      expect(inside.requests).toHaveLength(0);
      await inside.stop();
    });

    it('counts a redirect to a private address as a failure, and does not go there', async () => {
      answer = (_request, response) =>
        void response.writeHead(302, { Location: 'http://10.0.0.1/hook' }).end();
      const delivery = await settled(await publish({ kind: 'conversation-ended' }));
      expect(delivery).toMatchObject({ status: 'failed', last_status_code: 302, last_error: null });
    });

    it('is tried again when the receiver closes before it answers', async () => {
      answer = (_request, response) =>
        receiver.requests.length === 1 ? void response.socket?.destroy() : answerJson(response, {});
      const delivery = await settled(await publish());
      expect(delivery).toMatchObject({ status: 'delivered', attempts_count: 2 });
      expect(delivery.attempts[0]).toMatchObject({ status_code: null, error: expect.any(String) });
      const [first, second] = receiver.requests;
      expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    });

    it('is delivered once its status has come, though the receiver closes in the middle of its answer', async () => {
      answer = (_request, response) => {
        response.writeHead(200, { 'Content-Length': '100' }).write('half');
        setTimeout(() => response.socket?.destroy(), 20);
      };
      const delivery = await settled(await publish());
      expect(delivery).toMatchObject({ status: 'delivered', attempts_count: 1, last_status_code: 200 });
      expect(receiver.requests).toHaveLength(1);
    });

    it.each([200, 500])(
      'gives a receiver of status %i that drips its answer a limited time',
      async (status) => {
        answer = (_request, response) => {
          response.writeHead(status, { 'Content-Length': '100000' });
          const drip = setInterval(() => response.write('x'), 50);
          response.once('close', () => clearInterval(drip));
        };
        const id = await publish();
        await until(
          async () => (await read(id)).attempts.length > 0 && (await read(id)).last_status_code !== null,
        );
        const { attempts, status: outcome } = await read(id);
        expect(attempts[0]).toMatchObject({ status_code: status });
        expect(attempts[0].duration_ms).toBeLessThan(10_000);
        if (status === 200) expect(outcome).toBe('delivered');
      },
    );

    it('does not reach a private address', async () => {
      const delivery = await settled(
        await publish({ kind: 'conversation-ended', url: 'http://10.0.0.1/hook' }),
      );
      expect(delivery).toMatchObject({ status: 'failed', last_error: 'forbidden-address' });
    });

    it('gives a receiver that hangs a limited time', async () => {
      answer = () => undefined;
      const id = await publish();
      await until(async () => (await read(id)).last_error === 'timeout');
      const [attempt] = (await read(id)).attempts;
      expect(attempt).toMatchObject({ status_code: null, response_body: null });
      expect(attempt.duration_ms).toBeGreaterThanOrEqual(1_490);
      expect(attempt.duration_ms).toBeLessThan(10_000);
    });

    it('waits as long as Retry-After says', async () => {
      answer = (_request, response) => {
        if (receiver.requests.length > 1) answerJson(response, {});
        else response.writeHead(429, { 'Retry-After': '1' }).end();
      };
      const { attempts } = await settled(await publish());
      expect(attempts).toHaveLength(2);
      const gapMs = Date.parse(attempts[1].started_at) - Date.parse(attempts[0].started_at);
      expect(gapMs).toBeGreaterThanOrEqual(1_000);
      expect(gapMs).toBeLessThan(10_000);
    });

    it('keeps at most 20,000 bytes of an answer, without what a database cannot hold', async () => {
      answer = (_request, response) => void response.end(`a\0b${'ã'.repeat(50_000)}`);
      const { attempts, status } = await settled(await publish());
      expect(status).toBe('delivered');
      expect(attempts[0].response_body.slice(0, 3)).toBe('abã');
      expect(Buffer.byteLength(attempts[0].response_body)).toBeLessThanOrEqual(20_000);
    });

    it('is written with the change that causes it, or not at all', async () => {
      const { userId } = account;
      const webhooks = app.app.get(WebhooksService);
      const event = { userId, kind: 'inbound', assistantId: assistant.id, payload: {} } as const;
      const change = app.app.get(Transactions, { strict: false }).run(async (tx) => {
        await webhooks.enqueue({ ...event, subjectId: 'undone', url: receiver.url }, tx);
        throw new Error('the change failed');
      });
      await expect(change).rejects.toThrow('the change failed');
      expect(await app.query('SELECT 1 FROM webhook_deliveries WHERE user_id = $1', [userId])).toHaveLength(
        0,
      );
    });

    it('exists once, however often its event is written', async () => {
      const ids = await Promise.all(Array.from({ length: 10 }, () => publish({ subjectId: 'again' })));
      expect(new Set(ids).size).toBe(1);
      await settled(ids[0] ?? 0);
      expect(receiver.requests).toHaveLength(1);
    });
  });

  describe('an endpoint', () => {
    it('is disabled at once by 410, and later events to it fail until its URL is set again', async () => {
      answer = (_request, response) => answerJson(response, {}, 410);
      const first = await settled(await publish());
      expect(first).toMatchObject({
        status: 'failed',
        failure_reason: 'endpoint_gone',
        attempts_count: 1,
        endpoint: { status: 'disabled', disabled_reason: 'gone', disabled_at: expect.stringMatching(ISO) },
      });
      const second = await settled(await publish());
      expect(second).toMatchObject({
        status: 'failed',
        failure_reason: 'endpoint_disabled',
        attempts_count: 0,
      });

      answer = (_request, response) => answerJson(response, {});
      await app
        .as(account)
        .post('/api/user/assistants/enable-webhook')
        .send({ assistant_id: assistant.id, webhook_url: `${receiver.url}/hook` })
        .expect(200);
      expect(await settled(await publish())).toMatchObject({
        status: 'delivered',
        endpoint: { status: 'active' },
      });
      expect(receiver.requests).toHaveLength(2);
    });

    it('stays disabled when something else of the assistant changes', async () => {
      answer = (_request, response) => answerJson(response, {}, 410);
      await settled(await publish());
      await app.as(account).put(`/api/user/assistant/${assistant.id}`).send({ name: 'Outra' }).expect(200);
      expect(await settled(await publish())).toMatchObject({ failure_reason: 'endpoint_disabled' });
    });

    it('is disabled by 120 hours of nothing but failures', async () => {
      answer = (_request, response) => answerJson(response, {}, 500);
      await settled(await publish({ kind: 'conversation-ended' }));
      await app.query(
        "UPDATE webhook_endpoints SET failing_since = now() - interval '120 hours' WHERE user_id = $1",
        [account.userId],
      );
      const delivery = await settled(await publish({ kind: 'conversation-ended' }));
      expect(delivery).toMatchObject({
        failure_reason: 'endpoint_disabled',
        endpoint: { status: 'disabled', disabled_reason: 'failing' },
      });
    });

    it('of another account with the same URL is another endpoint', async () => {
      answer = (_request, response) => answerJson(response, {}, 410);
      await settled(await publish());
      answer = (_request, response) => answerJson(response, {});
      const url = `${receiver.url}/hook`;
      account = await app.account();
      assistant = await createAssistant(app, account);
      expect(await settled(await publish({ url }))).toMatchObject({ status: 'delivered' });
    });
  });

  describe('switching a webhook off', () => {
    // spec: events.when-inbound-webhook
    it('ends what is still being delivered', async () => {
      answer = (_request, response) => void response.writeHead(503, { 'Retry-After': '3600' }).end();
      const [inbound, postCall] = [await publish({ kind: 'inbound' }), await publish()];
      await until(async () => receiver.requests.length === 2);
      await app
        .as(account)
        .post('/api/user/assistants/enable-webhook')
        .send({ assistant_id: assistant.id, webhook_url: `${receiver.url}/hook` })
        .expect(200);
      await app
        .as(account)
        .post('/api/user/assistants/disable-inbound-webhook')
        .send({ assistant_id: assistant.id })
        .expect(200);
      expect(await read(inbound)).toMatchObject({ status: 'failed', failure_reason: 'switched_off' });
      expect(await read(postCall)).toMatchObject({ status: 'pending', failure_reason: null });
    });
  });

  describe('List the deliveries', () => {
    it('shows pages, newest first, filtered by status and kind', async () => {
      const delivered = await publish();
      await settled(delivered);
      answer = (_request, response) => answerJson(response, {}, 500);
      const failed = await publish({ kind: 'conversation-ended' });
      await settled(failed);
      const list = async (query: string) => {
        const { body } = await app.as(account).get(`/api/user/webhook-deliveries${query}`).expect(200);
        return body;
      };
      const ids = async (query: string) => (await list(query)).data.map(({ id }: { id: number }) => id);
      expect(await ids('')).toEqual([failed, delivered]);
      expect(await ids('?status=delivered')).toEqual([delivered]);
      expect(await ids('?kind=conversation-ended')).toEqual([failed]);
      expect(await ids('?kind=inbound')).toEqual([]);
      expect(await ids('?kind=plugin.removed')).toEqual([]);
      const page = await list('?per_page=1&page=2&status=delivered');
      expect(page).toMatchObject({ current_page: 2, per_page: 1, total: 1, data: [], from: null });
      const [item] = (await list('?per_page=1')).data;
      expect(item).not.toHaveProperty('payload');
      expect(item).toMatchObject({ id: failed, last_status_code: 500, attempts_count: 4 });
    });

    it.each(['status=lost', `kind=${'x'.repeat(82)}`, 'per_page=0', 'page=x'])(
      'answers 422 for %s',
      async (query) => {
        const { body } = await app.as(account).get(`/api/user/webhook-deliveries?${query}`).expect(422);
        expect(Object.keys(body)).toEqual(['message', 'errors']);
      },
    );
  });

  describe('Replay a delivery', () => {
    it('delivers again under the same id', async () => {
      const id = await publish();
      await settled(id);
      const { body } = await app.as(account).post(`/api/user/webhook-deliveries/${id}/replay`).expect(200);
      expect(body).toEqual({
        message: 'A entrega do webhook será refeita',
        data: expect.objectContaining({ id }),
      });
      await until(async () => receiver.requests.length === 2);
      const [first, second] = receiver.requests;
      expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
      expect(second?.body).toBe(first?.body);
      expect(await settled(id)).toMatchObject({ status: 'delivered', attempts_count: 2 });
    });

    it('gives a failed delivery a new schedule and its disabled endpoint another chance', async () => {
      answer = (_request, response) => answerJson(response, {}, 410);
      const id = await publish();
      await settled(id);
      answer = (_request, response) => answerJson(response, {}, receiver.requests.length < 4 ? 500 : 200);
      await app.as(account).post(`/api/user/webhook-deliveries/${id}/replay`).expect(200);
      expect(await settled(id)).toMatchObject({
        status: 'delivered',
        failure_reason: null,
        endpoint: { status: 'active' },
      });
    });

    it('gives it a new schedule also while its last try is under way', async () => {
      answer = async (_request, response) => {
        if (receiver.requests.length > 1) return answerJson(response, {});
        await app
          .as(account)
          .post(`/api/user/webhook-deliveries/${await published}/replay`)
          .expect(200);
        answerJson(response, {}, 500);
      };
      // An event of this kind has a single try.
      const published = publish({ kind: 'webhook.test' });
      expect(await settled(await published)).toMatchObject({ status: 'delivered', attempts_count: 2 });
    });
  });

  describe('A delivery older than WEBHOOK_RETENTION_DAYS', () => {
    const age = (id: number, days: number) =>
      app.query(
        'UPDATE webhook_deliveries SET finished_at = now() - make_interval(days => $2) WHERE id = $1',
        [id, days],
      );
    const sweep = () => app.app.get(WebhookRetentionService, { strict: false }).sweep();

    it('is deleted with its tries, also where it failed, and can be replayed until then', async () => {
      const [delivered, recent] = [await publish(), await publish()];
      await Promise.all([settled(delivered), settled(recent)]);
      answer = (_request, response) => answerJson(response, {}, 500);
      const failed = await publish({ kind: 'conversation-ended' });
      await settled(failed);
      await Promise.all([age(delivered, 31), age(failed, 31), age(recent, 29)]);
      answer = (_request, response) => answerJson(response, {});
      await app.as(account).post(`/api/user/webhook-deliveries/${failed}/replay`).expect(200);
      expect(await settled(failed)).toMatchObject({ status: 'delivered', attempts_count: 5 });
      await age(failed, 31);
      await sweep();

      const { body } = await app.as(account).get('/api/user/webhook-deliveries').expect(200);
      expect(body.data.map(({ id }: { id: number }) => id)).toEqual([recent]);
      await app.as(account).post(`/api/user/webhook-deliveries/${failed}/replay`).expect(404);
      expect(
        await app.query('SELECT FROM webhook_attempts WHERE delivery_id = ANY($1)', [[delivered, failed]]),
      ).toEqual([]);
    });

    // spec: events.response-configured-webhooks
    it('leaves the last answer on its call', async () => {
      const [call] = await app.query<{ id: number }>(
        `INSERT INTO calls (user_id, assistant_name, type, status) VALUES ($1, 'Bia', 'inbound', 'completed') RETURNING id`,
        [account.userId],
      );
      const subjectId = String(call?.id);
      const first = await publish({ subjectId });
      await settled(first);
      answer = (_request, response) => answerJson(response, { crm: 'updated' }, 202);
      const second = await publish({ subjectId, kind: 'inbound' });
      await settled(second);
      const responseOf = async () =>
        (await app.as(account).get(`/api/user/calls/${call?.id}`).expect(200)).body.webhook_response;
      const before = await responseOf();
      await Promise.all([age(first, 31), age(second, 31)]);
      await sweep();

      expect(await app.query('SELECT FROM webhook_deliveries WHERE user_id = $1', [account.userId])).toEqual(
        [],
      );
      expect(before).toMatchObject({ kind: 'inbound', status_code: 202, body: '{"crm":"updated"}' });
      expect(await responseOf()).toEqual(before);
    });

    it('leaves nothing on a call whose person was erased', async () => {
      const [call] = await app.query<{ id: number }>(
        `INSERT INTO calls (user_id, assistant_name, type, status, ended_at, erased_at)
         VALUES ($1, 'Bia', 'inbound', 'completed', now(), now()) RETURNING id`,
        [account.userId],
      );
      const delivery = await publish({ subjectId: String(call?.id) });
      await settled(delivery);
      await age(delivery, 31);
      await sweep();
      expect(await app.query('SELECT webhook_response FROM calls WHERE id = $1', [call?.id])).toEqual([
        { webhook_response: {} },
      ]);
    });

    it('stays while it is still due', async () => {
      answer = (_request, response) => void response.writeHead(503, { 'Retry-After': '3600' }).end();
      const id = await publish();
      await until(async () => receiver.requests.length === 1);
      await app.query("UPDATE webhook_deliveries SET created_at = now() - interval '60 days' WHERE id = $1", [
        id,
      ]);
      await sweep();
      expect(await read(id)).toMatchObject({ status: 'pending' });
    });
  });

  describe("another account's delivery", () => {
    it.each(['get', 'replay'])('is not found: %s', async (action) => {
      const id = await publish();
      const stranger = app.as(await app.account());
      const path = `/api/user/webhook-deliveries/${id}`;
      const response = await (action === 'get' ? stranger.get(path) : stranger.post(`${path}/replay`));
      expect([response.status, response.body]).toEqual([
        404,
        { message: 'Entrega de webhook não encontrada' },
      ]);
    });

    it('is not in the list', async () => {
      await publish();
      const { body } = await app.as(await app.account()).get('/api/user/webhook-deliveries');
      expect(body.total).toBe(0);
    });

    it.each(['/api/user/webhook-deliveries', '/api/user/webhook-deliveries/1', '/api/user/webhook-secret'])(
      'wants a token: %s',
      async (path) => {
        await app.http.get(path).expect(401);
      },
    );
  });

  describe('the secret', () => {
    it('is made once for each account, also when many ask at once', async () => {
      const secrets = await Promise.all(Array.from({ length: 10 }, secretOf));
      expect(new Set(secrets).size).toBe(1);
      expect(secrets[0]).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      account = await app.account();
      expect(await secretOf()).not.toBe(secrets[0]);
    });

    it('is not readable in the database', async () => {
      const secret: string = await secretOf();
      const [row] = await app.query('SELECT * FROM webhook_secrets WHERE user_id = $1', [account.userId]);
      expect(JSON.stringify(row)).not.toContain(secret.slice(6));
    });

    it('signs together with its successor for 24 hours', async () => {
      const before = await secretOf();
      const { body } = await app.as(account).post('/api/user/webhook-secret/rotate').expect(200);
      expect(body).toEqual({
        message: 'Segredo dos webhooks renovado com sucesso',
        data: {
          secret: expect.not.stringContaining(before),
          created_at: expect.stringMatching(ISO),
          previous_expires_at: expect.stringMatching(ISO),
        },
      });
      const overlapMs = Date.parse(body.data.previous_expires_at) - Date.parse(body.data.created_at);
      expect(overlapMs).toBe(24 * 3_600_000);
      const accepts = async (secret: string) => {
        await settled(await publish());
        const request = receiver.requests.at(-1);
        try {
          new Webhook(secret).verify(request?.body ?? '', request?.headers as Record<string, string>);
          return true;
        } catch {
          return false;
        }
      };
      expect([await accepts(before), await accepts(body.data.secret)]).toEqual([true, true]);
      await app.query('UPDATE webhook_secrets SET previous_expires_at = now() WHERE user_id = $1', [
        account.userId,
      ]);
      expect([await accepts(before), await accepts(body.data.secret)]).toEqual([false, true]);
    });
  });

  describe('the last answer about a call', () => {
    // spec: events.response-configured-webhooks
    it('is what the receiver said last, of whichever webhook', async () => {
      answer = (_request, response) => answerJson(response, { crm: 'created' }, 201);
      await settled(await publish({ subjectId: 'call-1' }));
      answer = (_request, response) => void response.socket?.destroy();
      const failing = await publish({ subjectId: 'call-2', kind: 'inbound' });
      await until(async () => (await read(failing)).last_error !== null);
      const responses = await app.app
        .get(WebhooksService)
        .lastCallResponses(account.userId, ['call-1', 'call-2', 'call-3']);
      expect([...responses.keys()].sort((a, b) => a.localeCompare(b))).toEqual(['call-1', 'call-2']);
      expect(responses.get('call-1')).toMatchObject({
        kind: 'post-call',
        statusCode: 201,
        responseBody: '{"crm":"created"}',
      });
      expect(responses.get('call-2')).toMatchObject({ kind: 'inbound', statusCode: null, error: 'connect' });
      expect(await app.app.get(WebhooksService).lastCallResponses(0, ['call-1'])).toEqual(new Map());
    });
  });
});
