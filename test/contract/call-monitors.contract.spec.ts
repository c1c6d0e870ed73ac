import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WebSocket } from 'ws';
import { once } from 'node:events';
import { Database } from '../../src/database/database.js';
import { hashToken } from '../../src/common/auth/opaque-token.js';
import { ErasureRunnerService } from '../../src/modules/privacy/erasure-runner.service.js';
import { CallsService } from '../../src/modules/calls/calls.service.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { addRun } from '../support/call-rows.js';

describe('POST /api/user/calls/{id}/monitor', () => {
  let app: TestApp;
  let owner: TestAccount;
  let calls: CallsService;
  let database: Database;

  beforeAll(async () => {
    app = await TestApp.start();
    calls = app.app.get(CallsService);
    database = app.app.get(Database);
    owner = await app.account();
  });
  afterAll(() => app.stop());

  /** @param carrier whose calls have sound, or not */
  async function call(status: string, carrier = 'web', account = owner): Promise<number> {
    const { id } = await calls.open(account.userId, { assistantName: 'Bia', type: 'web', carrier });
    await database.query('UPDATE calls SET status = $2, answered_at = now() WHERE id = $1', [id, status]);
    return id;
  }

  const monitor = (id: number, who: { readonly token: string } = owner) =>
    app.as(who).post(`/api/user/calls/${id}/monitor`);

  /** Lets a voice process have the call that is nowhere else than in the database. */
  async function giveToProcess(id: number): Promise<void> {
    const process = randomUUID();
    await database.query(
      `INSERT INTO voice_processes (id, address, capacity, load, carriers, draining, starting, heartbeat_at)
       VALUES ($1, '127.0.0.1:1', 5, 0, '{web}', false, false, now())`,
      [process],
    );
    await addRun(database, id, owner.userId, `stage = 'open', voice_process_id = '${process}'`);
  }

  async function key(scopes: readonly string[]): Promise<{ readonly token: string }> {
    const { body } = await app.as(owner).post('/api/user/api-keys').send({ name: 'one', scopes }).expect(201);
    return { token: body.api_key.token as string };
  }

  it('gives out an address, and a token of which only the hash is stored', async () => {
    const id = await call('in-progress');
    await giveToProcess(id);
    const { body } = await monitor(id, await key(['calls'])).expect(201);
    expect(body).toEqual({
      message: 'Acesso à ligação liberado',
      data: {
        url: expect.stringMatching(new RegExp(`^ws://127\\.0\\.0\\.1:\\d+/api/calls/${id}/monitor$`)),
        token: expect.stringMatching(/^prosa_mon_\w{36}$/),
        sample_rate: 24_000,
        expires_at: expect.any(String),
      },
    });
    const lifeMs = Date.parse(body.data.expires_at as string) - Date.now();
    expect(lifeMs).toBeGreaterThan(20_000);
    expect(lifeMs).toBeLessThanOrEqual(31_000);
    const rows = await database.query<{ token_hash: Buffer; caller: object }>(
      'SELECT token_hash, caller FROM call_monitors WHERE call_id = $1',
      [id],
    );
    expect(rows).toEqual([
      {
        token_hash: hashToken(body.data.token as string),
        caller: { userId: owner.userId, via: 'api-key', tokenId: expect.any(Number), scopes: ['calls'] },
      },
    ]);
  });

  it('answers 404 for a call of another account, and one that is missing', async () => {
    const foreign = await call('in-progress', 'web', await app.account());
    for (const id of [foreign, 2_147_483_647])
      expect((await monitor(id).expect(404)).body).toEqual({ message: 'Ligação não encontrada' });
  });

  it('answers 401 without a key, and 403 without the scope', async () => {
    const id = await call('in-progress');
    await app.http.post(`/api/user/calls/${id}/monitor`).expect(401);
    await monitor(id, await key(['read', 'chat', 'campaigns', 'admin'])).expect(403);
  });

  it('answers 409 when the call is over, is not answered, or has no sound', async () => {
    const refusals: readonly (readonly [number, string])[] = [
      [await call('completed'), 'A ligação já terminou'],
      [await call('ended'), 'A ligação já terminou'],
      [await call('initiated'), 'A ligação ainda não foi atendida. Tente novamente quando ela começar'],
      [await call('ringing'), 'A ligação ainda não foi atendida. Tente novamente quando ela começar'],
      [await call('in-progress', 'sandbox'), 'Esta ligação não tem áudio para ouvir'],
    ];
    for (const [id, message] of refusals) expect((await monitor(id).expect(409)).body).toEqual({ message });
  });

  it('answers 409 when three people listen', async () => {
    const id = await call('in-progress');
    await giveToProcess(id);
    const listener = (redeemed: string, until: string) =>
      database.query(
        `INSERT INTO call_monitors (id, call_id, caller, token_hash, redeemed_at, valid_until)
         VALUES (gen_random_uuid(), $1, '{}', '\\x00', ${redeemed}, now() ${until})`,
        [id],
      );
    // Tokens that were not used, and listeners whose process has died, do not count.
    for (let one = 0; one < 3; one++) {
      await listener('NULL', "+ interval '20 seconds'");
      await listener('now()', "- interval '1 second'");
    }
    await monitor(id).expect(201);
    for (let one = 0; one < 3; one++) await listener('now()', "+ interval '10 seconds'");
    expect((await monitor(id).expect(409)).body.message).toMatch(/^Esta ligação já tem 3 ouvintes/);
  });

  it('answers 503 where no voice process has the call', async () => {
    const id = await call('in-progress');
    await addRun(database, id, owner.userId, `stage = 'open', voice_process_id = '${randomUUID()}'`);
    const { body, headers } = await monitor(id).expect(503);
    expect(body.message).toBe(
      'Nenhum processo de voz está com esta ligação no momento. Tente novamente em instantes',
    );
    expect(headers['retry-after']).toBe('2');
  });

  it('is in the audit log', async () => {
    const id = await call('in-progress');
    await giveToProcess(id);
    await monitor(id).expect(201);
    const { body } = await app.as(owner).get('/api/user/audit-log').expect(200);
    expect(body.data[0]).toMatchObject({ action: 'monitorCall', resource_id: String(id), status: 201 });
  });

  it('leaves upgrades of other paths unanswered, and refuses one where no voice process is', async () => {
    const statusOf = async (path: string): Promise<number> => {
      const socket = new WebSocket(`${app.origin.replace('http', 'ws')}${path}`);
      const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }];
      return response.statusCode;
    };
    expect(await statusOf('/api/calls/0/monitor')).toBe(404);
    expect(await statusOf('/api/calls/7/monitors')).toBe(404);
    await database.query('DELETE FROM voice_processes');
    expect(await statusOf('/api/calls/7/monitor')).toBe(503);
  });

  it('shows what people did on the call, and no person after it was erased', async () => {
    const id = await call('completed');
    const entry = { at_ms: 5, event: 'said', member_name: 'Bia', text: 'Ligo para +5511998765432' };
    await database.query('UPDATE calls SET desk = $2, client_phone_number = $3 WHERE id = $1', [
      id,
      JSON.stringify([entry]),
      '+5511998765432',
    ]);
    const read = async () =>
      (await app.as(owner).get(`/api/user/calls/${id}`).expect(200)).body.desk as unknown;
    expect(await read()).toEqual([entry]);
    const { body } = await app
      .as(owner)
      .post('/api/user/privacy/erase')
      .send({ phone_number: '+5511998765432' })
      .expect(202);
    await app.app.get(ErasureRunnerService).run(body.data.id as number);
    expect(await read()).toEqual([]);
  });
});
