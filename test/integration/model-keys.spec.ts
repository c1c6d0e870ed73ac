import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ChatKeysService } from '../../src/modules/model-keys/chat-keys.service.js';
import { ChatModelRegistry } from '../../src/providers/llm/chat-model-registry.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant, openConversation } from '../support/builders.js';
import { FakeModelServer } from '../support/fake-model-server.js';
import { answerJson } from '../support/http-server.js';
import { until } from '../support/until.js';

const PATH = '/api/user/model-keys/chat';
const [OURS, ANAS, BIAS] = ['key-of-the-installation', 'key-of-ana-0123', 'key-of-bia-4567'];
/** A minute passes in three seconds. */
const SPEED = '20';

describe('an account that has brought a key for chat models', () => {
  let app: TestApp;
  let installation: FakeModelServer;
  let atAna: FakeModelServer;
  let atBia: FakeModelServer;
  let ana: TestAccount;

  beforeAll(async () => {
    installation = await FakeModelServer.start(OURS);
    atAna = await FakeModelServer.start(ANAS);
    atBia = await FakeModelServer.start(BIAS);
    app = await TestApp.start({
      PROSA_ROLES: 'api,worker',
      SANDBOX_SPEED: SPEED,
      OPENAI_BASE_URL: installation.baseUrl,
      OPENAI_API_KEY: OURS,
      EGRESS_ALLOW_CIDRS: '127.0.0.1/32',
    });
  });
  beforeEach(async () => {
    atAna.apiKey = ANAS;
    atAna.trouble = null;
    ana = await app.account({ balanceUsd: 10 });
    await bring(ana, atAna);
  });
  afterAll(async () => {
    await app.stop();
    await Promise.all([installation.stop(), atAna.stop(), atBia.stop()]);
  });

  const bring = (account: TestAccount, { baseUrl: base_url, apiKey: api_key }: FakeModelServer, more = {}) =>
    app
      .as(account)
      .put(PATH)
      .send({ base_url, api_key, ...more })
      .expect(200);
  const read = async () => (await app.as(ana).get(PATH).expect(200)).body.data;
  const send = (uuid: string) =>
    app.http.post(`/api/conversations/${uuid}/messages`).send({ message: 'Olá' });
  const chatOf = async (account: TestAccount) =>
    openConversation(app, await createAssistant(app, account, { post_call_evaluation: false }));
  const registry = () => app.app.get(ChatModelRegistry, { strict: false });

  /** The keys that each server received during the work. */
  async function askedDuring(work: () => Promise<unknown>) {
    const servers = { installation, atAna, atBia };
    const before = Object.values(servers).map(({ keysAsked }) => keysAsked.length);
    await work();
    return Object.fromEntries(
      Object.entries(servers).map(([name, { keysAsked }], index) => [name, keysAsked.slice(before[index])]),
    );
  }

  it('is answered with it, and no other account is', async () => {
    const [bia, carla] = [await app.account({ balanceUsd: 10 }), await app.account({ balanceUsd: 10 })];
    await bring(bia, atBia);
    const chats = [await chatOf(ana), await chatOf(bia), await chatOf(carla)];
    const asked = await askedDuring(async () => {
      for (const uuid of [...chats, ...chats.toReversed()]) await send(uuid).expect(200);
    });
    expect(asked).toEqual({ installation: [OURS, OURS], atAna: [ANAS, ANAS], atBia: [BIAS, BIAS] });
  });

  it('is answered by the one model that it has chosen, otherwise by one that its server has', async () => {
    const uuid = await chatOf(ana);
    await send(uuid).expect(200);
    expect(atAna.bodies.at(-1)).toMatchObject({ model: 'house-model' });
    await app.as(ana).put(PATH).send({ model: 'chosen-one' }).expect(200);
    await send(uuid).expect(200);
    expect(atAna.bodies.at(-1)).toMatchObject({ model: 'chosen-one' });
  });

  it('follows a change at once in the process that made it', async () => {
    const uuid = await chatOf(ana);
    await send(uuid).expect(200);
    await bring(ana, atBia);
    const other = await askedDuring(() => send(uuid).expect(200));
    expect(other).toEqual({ installation: [], atAna: [], atBia: [BIAS] });
    await app.as(ana).delete(PATH).expect(200);
    const none = await askedDuring(() => send(uuid).expect(200));
    expect(none).toEqual({ installation: [OURS], atAna: [], atBia: [] });
  });

  it('is answered with it on calls, in their evaluation, and in simulations', async () => {
    const { id: assistant_id } = await createAssistant(app, ana, {
      type: 'outbound',
      post_call_evaluation: true,
      post_call_schema: [],
    });
    const call = await askedDuring(async () => {
      const { body } = await app
        .as(ana)
        .post('/api/user/make_call')
        .send({ phone_number: '+5511934560000', assistant_id })
        .expect(200);
      const left = () => app.query('SELECT FROM active_calls WHERE call_id = $1', [body.call_id]);
      await until(async () => (await left()).length === 0, 60_000);
    });
    expect([call['installation'], call['atBia']]).toEqual([[], []]);
    // The talk, and the evaluation, which asks for a report.
    expect(call['atAna']?.length).toBeGreaterThan(1);
    expect(atAna.bodies.at(-1)).toMatchObject({ tool_choice: 'required' });

    const simulated = await askedDuring(async () => {
      const { body } = await app
        .as(ana)
        .post(`/api/user/assistant/${assistant_id}/simulations`)
        .send({
          customer: { type: 'script', lines: ['Oi'] },
          checks: [{ type: 'judge', criterion: 'Foi gentil' }],
        })
        .expect(202);
      const status = async () =>
        (await app.as(ana).get(`/api/user/simulations/${body.data.id}`).expect(200)).body.status;
      await until(async () => (await status()) === 'completed', 60_000);
    });
    expect([simulated['installation'], simulated['atBia']]).toEqual([[], []]);
    expect(simulated['atAna']?.length).toBeGreaterThan(1);
  }, 120_000);

  describe('whose server refuses it', () => {
    const failed = { status: false, error: expect.stringContaining('credentials') };

    it('gets no answer from the model of the installation, is charged nothing, and is notified once', async () => {
      await app
        .as(ana)
        .post('/api/user/webhook-endpoints')
        .send({ url: 'https://example.com/events', events: ['model-key.refused'] })
        .expect(201);
      const uuid = await chatOf(ana);
      const bia = await app.account({ balanceUsd: 10 });
      await bring(bia, atBia);
      atAna.apiKey = 'changed-there';
      const asked = await askedDuring(async () => {
        for (let times = 0; times < 3; times++) {
          const { body } = await send(uuid).expect(400);
          expect(body).toEqual(failed);
        }
        // What fails for one is no matter of another.
        await send(await chatOf(bia)).expect(200);
      });
      expect(asked).toMatchObject({ installation: [], atBia: [BIAS] });
      await until(async () => (await read()).status === 'refused');

      const deliveries = () =>
        app.query<{ body: string }>(
          "SELECT body FROM webhook_deliveries WHERE user_id = $1 AND kind = 'model-key.refused'",
          [ana.userId],
        );
      await until(async () => (await deliveries()).length > 0);
      registry().accountKeyChanged(ana.userId);
      await send(uuid).expect(400);
      const [delivery, ...more] = await deliveries();
      expect(more).toEqual([]);
      expect(JSON.parse(delivery?.body ?? '')).toMatchObject({
        type: 'model-key.refused',
        data: { service: 'chat', base_url: atAna.baseUrl, refused_at: expect.any(String) },
      });
      expect(delivery?.body).not.toContain(ANAS);
      expect(await app.balanceUsd(ana)).toBe(10);
    });

    it('is not shown as refused where the server does not allow the words of a visitor', async () => {
      const uuid = await chatOf(ana);
      const error = {
        code: 403,
        message: 'Your chosen model requires moderation and your input was flagged',
      };
      atAna.trouble = (_request, response) => answerJson(response, { error }, 403);
      const { body } = await send(uuid).expect(400);
      expect(body).toEqual({ status: false, error: expect.stringContaining('rejected the request') });
      atAna.trouble = null;
      await send(uuid).expect(200);
      expect((await read()).status).toBe('active');
      const refused = await app.query(
        'SELECT 1 FROM model_keys WHERE user_id = $1 AND refused_at IS NOT NULL',
        [ana.userId],
      );
      expect(refused).toEqual([]);
    });

    it('is shown as in order again when the server has taken it, an hour later at the earliest', async () => {
      const uuid = await chatOf(ana);
      const age = (interval: string) =>
        app.query('UPDATE model_keys SET refused_at = now() - $2::interval WHERE user_id = $1', [
          ana.userId,
          interval,
        ]);
      await age('59 minutes');
      registry().accountKeyChanged(ana.userId);
      await send(uuid).expect(200);
      await age('61 minutes');
      registry().accountKeyChanged(ana.userId);
      await send(uuid).expect(200);
      await until(async () => (await read()).status === 'active');
    });

    it('is not marked for a refusal of the key before', async () => {
      const { version } =
        (await app.app.get(ChatKeysService, { strict: false }).findChatKey(ana.userId)) ?? {};
      await bring(ana, atAna);
      app.app
        .get(ChatKeysService, { strict: false })
        .chatKeyTurnedOut({ userId: ana.userId, version: version ?? '' }, 'refused');
      // Whatever the write before does is done: the next one of the same kind follows it.
      await app.app.get(ChatKeysService, { strict: false }).test(ana.userId);
      expect((await read()).status).toBe('active');
    });
  });

  it('gets no answer where its key cannot be opened', async () => {
    const uuid = await chatOf(ana);
    await app.query(
      "UPDATE model_keys SET sealed_api_key = overlay(sealed_api_key PLACING 'AAAAAAAA' FROM 4) WHERE user_id = $1",
      [ana.userId],
    );
    registry().accountKeyChanged(ana.userId);
    const asked = await askedDuring(() => send(uuid).expect(400));
    expect(asked).toEqual({ installation: [], atAna: [], atBia: [] });
  });

  it('reaches no address inside the network, however it came to be stored', async () => {
    const uuid = await chatOf(ana);
    await app.query("UPDATE model_keys SET base_url = replace(base_url, '127.0.0.1', '127.0.0.2')");
    registry().accountKeyChanged(ana.userId);
    const asked = await askedDuring(() => send(uuid).expect(400));
    expect(asked).toEqual({ installation: [], atAna: [], atBia: [] });
  });

  it('follows no redirect of its server', async () => {
    const uuid = await chatOf(ana);
    atAna.trouble = (_request, response) =>
      void response.writeHead(307, { Location: `${installation.baseUrl}/chat/completions` }).end();
    const { installation: ours } = await askedDuring(() => send(uuid).expect(400));
    expect(ours).toEqual([]);
  });

  it('is measured together with all others of its kind, apart from the installation', async () => {
    const uuid = await chatOf(ana);
    atAna.trouble = (_request, response) => answerJson(response, {}, 500);
    await send(uuid).expect(400);
    const text = await app.metrics();
    const providers = [...text.matchAll(/^prosa_model_requests_total\{provider="([^"]+)"/gm)];
    expect(new Set(providers.map(([, provider]) => provider))).toEqual(
      new Set(['openai-compatible', 'account-key']),
    );
  });
});
