import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Client } from 'pg';
import request from 'supertest';
import { createApp } from '../../src/boot/create-app.js';
import { UnavailableError } from '../../src/common/errors/errors.js';
import { IdempotencyKeysRepository } from '../../src/modules/idempotency/idempotency-keys.repository.js';
import { IdempotencyService } from '../../src/modules/idempotency/idempotency.service.js';
import { StoredResponsesService } from '../../src/modules/idempotency/stored-responses.service.js';
import { Logger } from '../../src/common/observability/logger.js';
import { configFrom } from '../../src/config/config-from.js';
import { parseEnvironment } from '../../src/config/environment.js';
import { Database } from '../../src/database/database.js';
import type { Tx } from '../../src/database/transactions.js';
import { BillingService } from '../../src/modules/billing/billing.service.js';
import { TurnsRepository } from '../../src/modules/conversations/turns/turns.repository.js';
import { ToolsRepository } from '../../src/modules/tools/tools.repository.js';
import { ChatModelRegistry } from '../../src/providers/llm/chat-model-registry.js';
import { type TestAccount, TEST_ENCRYPTION_KEY, TestApp } from '../support/app.js';
import { createAssistant, openConversation, toolBody } from '../support/builders.js';
import { until } from '../support/until.js';

function gate(): { opened: Promise<void>; open: () => void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

/** A second process on the same database, as far as the database can tell. */
async function startSecond(app: TestApp): Promise<NestExpressApplication> {
  const config = configFrom(
    parseEnvironment({
      PROSA_ROLES: 'api',
      RATE_LIMITS: 'off',
      DATABASE_URL: app.database.url,
      ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
    }),
  );
  const secondApp = await createApp({
    config,
    logger: Logger.create('fatal'),
    databaseUrl: app.database.url,
    encryptionKeys: [TEST_ENCRYPTION_KEY],
  });
  await secondApp.listen(0, '127.0.0.1');
  return secondApp;
}

describe('Idempotency-Key', () => {
  let app: TestApp;
  let secondApp: NestExpressApplication;
  let account: TestAccount;

  beforeAll(async () => {
    app = await TestApp.start();
    await app.query('UPDATE plans SET max_tools = 100000');
    secondApp = await startSecond(app);
  });
  afterAll(async () => {
    await secondApp.close();
    await app.stop();
  });
  beforeEach(async () => {
    account = await app.account();
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const create = (key: string, body: object = toolBody(), { token } = account) =>
    app.as({ token }).post('/api/user/tools').set('Idempotency-Key', key).send(body);
  const createOnSecond = (key: string, body: object = toolBody()) =>
    request(secondApp.getHttpServer())
      .post('/api/user/tools')
      .set('Authorization', `Bearer ${account.token}`)
      .set('Idempotency-Key', key)
      .send(body);
  const countTools = async ({ userId } = account) => {
    const [row] = await app.query<{ n: number }>('SELECT count(*)::int AS n FROM tools WHERE user_id = $1', [
      userId,
    ]);
    return row?.n;
  };
  /** Changes the row of the account's only key. */
  const setKey = (assignment: string) =>
    app.query(`UPDATE idempotency_keys SET ${assignment} WHERE scope = $1`, [`account:${account.userId}`]);
  const keysOf = ({ userId } = account) =>
    app.query('SELECT * FROM idempotency_keys WHERE scope = $1', [`account:${userId}`]);

  /** Stops creations of tools in the middle of their transaction until `release`. */
  async function holdCreations(): Promise<{
    waiting: (n: number) => Promise<void>;
    release: () => Promise<void>;
  }> {
    const client = new Client({ connectionString: app.database.url });
    await client.connect();
    await client.query('BEGIN');
    await client.query('SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [account.userId]);
    return {
      waiting: async (n) => {
        const blocked =
          "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
        while ((await app.query(blocked)).length < n) await sleep(5);
      },
      release: async () => {
        await client.query('COMMIT');
        await client.end();
      },
    };
  }

  describe('on a repetition', () => {
    it('gives the first status and body, byte for byte, and makes nothing', async () => {
      const key = randomUUID();
      const body = toolBody({
        description: 'Olá "mundo" \u2028 \\ </script> 🦜',
        headers: [{ name: 'a', value: 'ü' }],
      });
      const first = await create(key, body).expect(201);
      const second = await create(key, body).expect(201);
      expect(second.text).toBe(first.text);
      expect(second.headers['content-type']).toBe(first.headers['content-type']);
      expect(second.headers.etag).toBe(first.headers.etag);
      expect(first.headers['idempotent-replayed']).toBeUndefined();
      expect(second.headers['idempotent-replayed']).toBe('true');
      expect(await countTools()).toBe(1);
    });

    it('finds the same request whatever the case of its path', async () => {
      await create('k').expect(201);
      const again = app.as(account).post('/API/User/Tools/').set('Idempotency-Key', 'k').send(toolBody());
      expect((await again.expect(201)).headers['idempotent-replayed']).toBe('true');
    });

    it('repeats a refusal, though its reason is gone', async () => {
      await app.query('UPDATE plans SET max_tools = 0');
      const refused = await create('k').expect(422);
      await app.query('UPDATE plans SET max_tools = 100000');
      const again = await create('k').expect(422);
      expect(again.text).toBe(refused.text);
      expect(again.headers['idempotent-replayed']).toBe('true');
      await create('another').expect(201);
    });

    it('works on another process too', async () => {
      const first = await create('k').expect(201);
      const second = await createOnSecond('k').expect(201);
      expect(second.text).toBe(first.text);
      expect(second.headers['idempotent-replayed']).toBe('true');
    });

    it('makes one effect a key of 30 keys sent 8 times at once to two processes', async () => {
      const keys = Array.from({ length: 30 }, () => randomUUID());
      const answers = await Promise.all(
        keys.flatMap((key) =>
          Array.from({ length: 8 }, async (_, i) => {
            const response = await (i % 2 ? create : createOnSecond)(
              key,
              toolBody({ description: `Ferramenta ${key}` }),
            );
            return { key, response };
          }),
        ),
      );
      expect(await countTools()).toBe(30);
      for (const { response } of answers) expect([201, 409]).toContain(response.status);
      for (const key of keys) {
        const ofKey = answers.filter((answer) => answer.key === key).map(({ response }) => response);
        const made = ofKey.filter(({ status }) => status === 201);
        const firsts = made.filter(({ headers }) => headers['idempotent-replayed'] === undefined);
        expect(firsts).toHaveLength(1);
        const later = await create(key, toolBody({ description: `Ferramenta ${key}` })).expect(201);
        expect(new Set([...made, later].map(({ text }) => text)).size).toBe(1);
      }
      expect(await countTools()).toBe(30);
    }, 60_000);
  });

  describe('with another request', () => {
    it('is refused when the body differs by a byte', async () => {
      await create('k', toolBody()).expect(201);
      const { body } = await create('k', toolBody({ description: 'Outra' })).expect(422);
      expect(body).toEqual({
        message: 'Esta Idempotency-Key já foi usada com outra requisição. Envie uma nova',
      });
      expect(await countTools()).toBe(1);
    });

    it('is refused when the query differs', async () => {
      await create('k').expect(201);
      await app
        .as(account)
        .post('/api/user/tools?dry=1')
        .set('Idempotency-Key', 'k')
        .send(toolBody())
        .expect(422);
    });

    it('is another key for another account', async () => {
      const other = await app.account();
      const mine = await create('k').expect(201);
      const theirs = await create('k', toolBody(), other).expect(201);
      expect(theirs.body.data.id).not.toBe(mine.body.data.id);
      expect(theirs.headers['idempotent-replayed']).toBeUndefined();
    });
  });

  describe('while the first request runs', () => {
    it('answers 409 with Retry-After, and 422 to another body', async () => {
      const hold = await holdCreations();
      const first = create('k').then((response) => response);
      await hold.waiting(1);
      for (const repeat of [create, createOnSecond]) {
        const { body, headers } = await repeat('k').expect(409);
        expect(headers['retry-after']).toBe('1');
        expect(body).toEqual({
          message: 'A requisição com esta Idempotency-Key ainda está em andamento. Tente novamente',
        });
      }
      await create('k', toolBody({ name: 'other' })).expect(422);
      await hold.release();
      expect((await first).status).toBe(201);
      expect((await create('k').expect(201)).text).toBe((await first).text);
    });
  });

  describe('that is no key', () => {
    it.each([
      ['empty', ''],
      ['longer than 255 characters', 'k'.repeat(256)],
      ['outside printable ASCII', 'ação'],
      ['with a tab', 'a\tb'],
    ])('is refused when it is %s', async (_case, key) => {
      const { body } = await create(key).expect(422);
      expect(body.message).toBe(
        'O cabeçalho Idempotency-Key deve ter de 1 a 255 caracteres ASCII imprimíveis',
      );
      expect(await countTools()).toBe(0);
    });

    it('may have 255 characters', async () => {
      await create('k'.repeat(255)).expect(201);
    });

    it('is refused where events are asked for', async () => {
      const { body } = await create('k').set('Accept', 'text/event-stream').expect(422);
      expect(body.message).toContain('text/event-stream');
    });
  });

  describe('is not spent', () => {
    it('by a request that is not valid', async () => {
      await create('k', toolBody({ method: 'FETCH' })).expect(422);
      expect(await keysOf()).toEqual([]);
      await create('k').expect(201);
    });

    it('by a body nested too deep to be looked at', async () => {
      const deep = `{"name":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
      const post = app.as(account).post('/api/user/tools').set('Idempotency-Key', 'k').type('json');
      await post.send(deep).expect(422);
      await create('k').expect(201);
    });

    it('by a fault of ours, which leaves no effect', async () => {
      jest.spyOn(app.app.get(ToolsRepository), 'add').mockRejectedValueOnce(new Error('the disk is full'));
      await create('k').expect(500);
      const { headers } = await create('k').expect(201);
      expect(headers['idempotent-replayed']).toBeUndefined();
      expect(await countTools()).toBe(1);
    });

    it('by a request without a right token', async () => {
      await create('k', toolBody(), { ...account, token: 'wrong' }).expect(401);
      expect(await keysOf()).toEqual([]);
    });
  });

  describe('when the process dies', () => {
    it('before the effect: the repetition makes it', async () => {
      jest.spyOn(app.app.get(IdempotencyService), 'release').mockResolvedValueOnce();
      jest.spyOn(app.app.get(ToolsRepository), 'add').mockRejectedValueOnce(new Error('killed'));
      await create('k').expect(500);
      await createOnSecond('k').expect(409);
      await setKey('leased_until = now()');
      await createOnSecond('k').expect(201);
      expect(await countTools()).toBe(1);
    });

    it('after the effect and before the answer is kept: the repetition answers with what was made', async () => {
      jest.spyOn(app.app.get(IdempotencyService), 'complete').mockResolvedValueOnce();
      const lost = await create('k').expect(201);
      await setKey('leased_until = now()');
      const again = await createOnSecond('k').expect(201);
      expect(again.body).toEqual(lost.body);
      expect(await countTools()).toBe(1);
      expect((await create('k').expect(201)).text).toBe(again.text);
    });
  });

  describe('when the database is away for a moment', () => {
    const keys = () => app.app.get(IdempotencyKeysRepository);
    const away = () => new UnavailableError();

    it('and the answer cannot be kept: it is kept as soon as the database is back', async () => {
      jest.spyOn(keys(), 'complete').mockRejectedValueOnce(away());
      const first = await create('k').expect(201);
      await until(async () => (await create('k')).status === 201, 3_000);
      expect((await create('k').expect(201)).text).toBe(first.text);
      expect(await countTools()).toBe(1);
    });

    it('and a failed request cannot free its key: it is free as soon as the database is back', async () => {
      jest.spyOn(app.app.get(ToolsRepository), 'add').mockRejectedValueOnce(away());
      jest.spyOn(keys(), 'release').mockRejectedValueOnce(away());
      await create('k').expect(503);
      await until(async () => (await create('k')).status === 201, 3_000);
      expect(await countTools()).toBe(1);
    });

    it('and the insertion of the key is in doubt: the key is free as soon as the database is back', async () => {
      const add = keys().add.bind(keys());
      jest.spyOn(keys(), 'add').mockImplementationOnce(async (...args) => {
        await add(...args);
        throw away();
      });
      await create('k').expect(503);
      await until(async () => (await create('k')).status === 201, 3_000);
      expect(await countTools()).toBe(1);
    });
  });

  describe('when the process sleeps past its lease', () => {
    /** The next transaction of the first process begins only after `before`. */
    function delayTransaction(before: () => Promise<unknown>): void {
      const database = app.app.get(Database);
      const run = database.run.bind(database);
      const delayed = async <T>(work: (tx: Tx) => Promise<T>) => {
        await before();
        return run(work);
      };
      jest.spyOn(database, 'run').mockImplementationOnce(delayed);
    }

    it('before its transaction: the effect of the repetition stays, its own is refused', async () => {
      const asleep = gate();
      const woken = gate();
      delayTransaction(async () => {
        asleep.open();
        await woken.opened;
      });
      const sleeper = create('k').then((response) => response);
      await asleep.opened;
      await setKey('leased_until = now()');
      const repeated = await createOnSecond('k').expect(201);
      woken.open();
      expect((await sleeper).status).toBe(409);
      expect(await countTools()).toBe(1);
      expect((await create('k').expect(201)).text).toBe(repeated.text);
    });

    it('within its transaction: the repetition waits for the effect and finds it', async () => {
      delayTransaction(() => setKey('leased_until = now()'));
      const hold = await holdCreations();
      const sleeper = create('k').then((response) => response);
      await hold.waiting(1);
      const repeated = createOnSecond('k').then((response) => response);
      await hold.waiting(2);
      await hold.release();
      expect([(await sleeper).status, (await repeated).status]).toEqual([201, 201]);
      expect((await repeated).body).toEqual((await sleeper).body);
      expect(await countTools()).toBe(1);
    });

    it('and answers just as the repetition takes over: the repetition gives that answer', async () => {
      jest.spyOn(app.app.get(IdempotencyService), 'complete').mockResolvedValueOnce();
      const first = await create('k').expect(201);
      await setKey('leased_until = now()');
      const keys = secondApp.get(IdempotencyKeysRepository);
      const takeOver = keys.takeOver.bind(keys);
      const answers = secondApp.get(StoredResponsesService, { strict: false });
      jest.spyOn(keys, 'takeOver').mockImplementationOnce(async (lease, ...args) => {
        await setKey(`response_status = 201, sealed_body = '${answers.seal(lease.keyHash, first.text)}'`);
        return takeOver(lease, ...args);
      });
      const repeated = await createOnSecond('k').expect(201);
      expect(repeated.text).toBe(first.text);
      expect(repeated.headers['idempotent-replayed']).toBe('true');
    });
  });

  describe('on messages of a conversation', () => {
    const send = (uuid: string, key: string, message = 'Olá') =>
      app.http.post(`/api/conversations/${uuid}/messages`).set('Idempotency-Key', key).send({ message });
    const messagesOf = (uuid: string) =>
      app.query("SELECT FROM messages WHERE conversation_id = $1 AND role = 'user'", [uuid]);
    const chargesOf = ({ userId }: TestAccount) =>
      app.query("SELECT FROM ledger_entries WHERE user_id = $1 AND kind = 'message'", [userId]);
    const open = async (owner: TestAccount) => openConversation(app, await createAssistant(app, owner));

    it('gives the first answer and charges once, however often and at once it is sent', async () => {
      const owner = await app.account({ balanceUsd: 1 });
      const uuid = await open(owner);
      const answers = await Promise.all(Array.from({ length: 8 }, () => send(uuid, 'k')));
      const first = answers.find(({ status }) => status === 200);
      expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
      const again = await send(uuid.toUpperCase(), 'k').expect(200);
      expect(again.text).toBe(first?.text);
      expect(again.headers['idempotent-replayed']).toBe('true');
      expect(await messagesOf(uuid)).toHaveLength(1);
      expect(await chargesOf(owner)).toHaveLength(1);
    });

    it('refuses another message with the same key, in the shape of conversations', async () => {
      const uuid = await open(await app.account({ balanceUsd: 1 }));
      await send(uuid, 'k').expect(200);
      const { body } = await send(uuid, 'k', 'Tchau').expect(422);
      expect(body).toEqual({
        status: false,
        error: 'This Idempotency-Key was already used with another request. Send a new one',
      });
    });

    it('takes the same key of another conversation for another one', async () => {
      const owner = await app.account({ balanceUsd: 1 });
      const [one, other] = [await open(owner), await open(owner)];
      await send(one, 'k').expect(200);
      expect((await send(other, 'k').expect(200)).headers['idempotent-replayed']).toBeUndefined();
    });

    it('repeats a refusal for want of money, and sends the message with a new key', async () => {
      const owner = await app.account({ balanceUsd: 0.01 });
      const uuid = await open(owner);
      await send(uuid, 'the last cent').expect(200);
      const refused = await send(uuid, 'k').expect(400);
      await app.app.get(BillingService).credit(owner.userId, 1_000_000, 'top-up');
      expect((await send(uuid, 'k').expect(400)).text).toBe(refused.text);
      await send(uuid, 'new').expect(200);
    });

    /** Ends all leases of the conversation, as time does when their process is dead. */
    const endLeases = async (uuid: string) => {
      await app.query('UPDATE idempotency_keys SET leased_until = now() WHERE scope = $1', [
        `conversation:${uuid}`,
      ]);
      await app.query('UPDATE conversations SET turn_expires_at = now() WHERE id = $1', [uuid]);
    };
    const heldOf = async ({ userId }: TestAccount) =>
      (await app.query('SELECT held_micros::int AS held FROM wallets WHERE user_id = $1', [userId]))[0];

    /** Breaks a turn off when its message is stored and its price held. */
    const failNextModel = () =>
      jest.spyOn(app.app.get(ChatModelRegistry).installation, 'stream').mockImplementationOnce(() => {
        throw new UnavailableError();
      });

    it('stores and charges a message once whose first try broke off', async () => {
      const owner = await app.account({ balanceUsd: 1 });
      const uuid = await open(owner);
      failNextModel();
      await send(uuid, 'k').expect(503);
      await send(uuid, 'k').expect(200);
      expect(await messagesOf(uuid)).toHaveLength(1);
      expect(await chargesOf(owner)).toHaveLength(1);
      expect(await heldOf(owner)).toEqual({ held: 0 });
    });

    it('goes on with the open hold of a process that died in mid-turn, though no money is left', async () => {
      const owner = await app.account({ balanceUsd: 0.01 });
      const uuid = await open(owner);
      failNextModel();
      jest.spyOn(app.app.get(TurnsRepository), 'abandon').mockRejectedValueOnce(new Error('killed'));
      jest.spyOn(app.app.get(IdempotencyService), 'release').mockResolvedValueOnce();
      await send(uuid, 'k').expect(503);
      expect(await heldOf(owner)).toEqual({ held: 10_000 });
      await endLeases(uuid);
      await send(uuid, 'k').expect(200);
      expect(await messagesOf(uuid)).toHaveLength(1);
      expect(await chargesOf(owner)).toHaveLength(1);
      expect(await heldOf(owner)).toEqual({ held: 0 });
    });

    it('gives the stored answer when the process died before it was kept, also after later messages', async () => {
      const owner = await app.account({ balanceUsd: 1 });
      const uuid = await open(owner);
      jest.spyOn(app.app.get(IdempotencyService), 'complete').mockResolvedValueOnce();
      const lost = await send(uuid, 'k').expect(200);
      await send(uuid, 'later', 'Tchau').expect(200);
      await endLeases(uuid);
      const again = await send(uuid, 'k').expect(200);
      expect(again.body).toEqual(lost.body);
      expect(await messagesOf(uuid)).toHaveLength(2);
      expect(await chargesOf(owner)).toHaveLength(2);
    });

    it('stores a message once when the AI is off', async () => {
      const owner = await app.account({ balanceUsd: 1 });
      const uuid = await open(owner);
      await app.query('UPDATE conversations SET ai_enabled = false WHERE id = $1', [uuid]);
      jest.spyOn(app.app.get(IdempotencyService), 'complete').mockResolvedValueOnce();
      const lost = await send(uuid, 'k').expect(200);
      await endLeases(uuid);
      expect((await send(uuid, 'k').expect(200)).body).toEqual(lost.body);
      expect(await messagesOf(uuid)).toHaveLength(1);
      expect(await chargesOf(owner)).toHaveLength(1);
    });

    it('refuses a key with events', async () => {
      const uuid = await open(await app.account({ balanceUsd: 1 }));
      const { body } = await send(uuid, 'k').set('Accept', 'text/event-stream').expect(422);
      expect(body).toEqual({
        status: false,
        error: 'The Idempotency-Key header cannot be used with Accept: text/event-stream',
      });
      expect(await messagesOf(uuid)).toEqual([]);
    });

    it('keeps nothing for a conversation that is not there', async () => {
      const uuid = randomUUID();
      await send(uuid, 'k').expect(404);
      const kept = await app.query('SELECT FROM idempotency_keys WHERE scope = $1', [`conversation:${uuid}`]);
      expect(kept).toEqual([]);
    });
  });

  describe('after its day', () => {
    it('is a new key', async () => {
      const first = await create('k').expect(201);
      await setKey('expires_at = now()');
      const second = await create('k').expect(201);
      expect(second.body.data.id).not.toBe(first.body.data.id);
      expect(second.headers['idempotent-replayed']).toBeUndefined();
    });

    it('is swept, with thousands of others and no younger ones', async () => {
      await create('young').expect(201);
      await app.query(
        `INSERT INTO idempotency_keys (key_hash, scope, request_hash, lease_token, leased_until, expires_at)
         SELECT sha256(n::text::bytea), 'account:0', 'x', gen_random_uuid(), now(), now() - interval '1 s'
         FROM generate_series(1, 2500) AS n`,
      );
      expect(await app.app.get(IdempotencyService).sweep()).toBe(2_500);
      expect(await keysOf()).toHaveLength(1);
    });

    it('was kept for 24 hours', async () => {
      await create('k').expect(201);
      const [row] = await app.query<{ hours: number }>(
        `SELECT round(extract(epoch FROM expires_at - created_at) / 3600)::int AS hours
         FROM idempotency_keys WHERE scope = $1`,
        [`account:${account.userId}`],
      );
      expect(row?.hours).toBe(24);
    });
  });

  describe('keeps no secret', () => {
    it('of an API key, whose route takes no Idempotency-Key', async () => {
      const createKey = () =>
        app
          .as(account)
          .post('/api/user/api-keys')
          .set('Idempotency-Key', 'k')
          .send({ name: 'ci' })
          .expect(201);
      const [first, second] = [await createKey(), await createKey()];
      expect(second.body.api_key.token).not.toBe(first.body.api_key.token);
      expect(await keysOf()).toEqual([]);
    });
  });
});
