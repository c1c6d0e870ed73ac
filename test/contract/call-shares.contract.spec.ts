import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';
import { addRecording, addTurns, twoSides } from '../support/recorded-calls.js';

const GONE = { message: 'Esta ligação não está mais disponível' };
const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const DAY_MS = 86_400_000;

let app: TestApp;
let owner: TestAccount;
let other: TestAccount;
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'prosa-shares-'));
  app = await TestApp.start({ DATA_DIR: dataDir });
  owner = await app.account();
  other = await app.account();
});
beforeEach(() => app.query('UPDATE users SET is_call_sharing_on = true WHERE id = $1', [owner.userId]));
afterAll(async () => {
  await app.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function addCall(status = 'completed'): Promise<number> {
  const [row] = await app.query<{ id: number }>(
    `INSERT INTO calls (user_id, assistant_name, type, status, client_phone_number, assistant_phone_number, duration_seconds,
       transcript, input_variables, variables, function_calls, ended_at)
     VALUES ($1, 'Bia', 'outbound', $2, '+5511987650001', '+551130000000', 9, 'Oi', '{"cpf": "111"}', '{"cpf": "111"}',
       '[{"name": "buscar", "arguments": {"cpf": "111"}, "result": {}, "at_ms": 5}]', now())
     RETURNING id`,
    [owner.userId, status],
  );
  const call = { id: row!.id, userId: owner.userId };
  await addTurns(app, call, [{ role: 'assistant', text: 'Olá!', startMs: 0, endMs: 900 }]);
  return call.id;
}

const share = (id: number, body: object = {}, who: { readonly token: string } = owner) =>
  app.as(who).post(`/api/user/calls/${id}/share`).send(body);
const tokenOf = (url: string) => url.split('#')[1] ?? '';
const read = (token: string) => app.http.post('/api/shared-calls').send({ token });

describe('POST /api/user/calls/{id}/share', () => {
  it('makes a link whose page shows what was said, without numbers, variables and tools', async () => {
    const id = await addCall();
    await addRecording(app, { id, userId: owner.userId }, twoSides(2));
    const { body } = await share(id).expect(201);
    expect(body).toEqual({
      message: 'Link criado com sucesso',
      data: {
        id: expect.any(Number),
        url: expect.stringMatching(
          /^http:\/\/127\.0\.0\.1:\d+\/app\/shared-call#prosa_share_[0-9A-Za-z]{36}$/,
        ),
        expires_at: expect.stringMatching(ISO),
      },
    });
    expect(Math.abs(Date.parse(body.data.expires_at) - Date.now() - 7 * DAY_MS)).toBeLessThan(60_000);
    const shared = await read(tokenOf(body.data.url)).expect(200);
    expect(shared.headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
    expect(shared.body).toEqual({
      assistant_name: 'Bia',
      created_at: expect.stringMatching(ISO),
      duration: 9,
      turns: [{ role: 'assistant', text: 'Olá!', start_ms: 0, end_ms: 900, interrupted: false }],
      recording_url: expect.stringMatching(
        /\/api\/shared-calls\/\d+\/recording\?expires=\d+&signature=[\w-]{43}$/,
      ),
      expires_at: body.data.expires_at,
    });
    const recording = new URL(shared.body.recording_url);
    const sound = await app.http.get(`${recording.pathname}${recording.search}`).expect(200);
    expect(sound.headers['content-type']).toBe('audio/ogg');
    await app.http.get(`${recording.pathname}${recording.search}`).set('Range', 'bytes=0-3').expect(206);
    const [stored] = await app.query<{ hash: Buffer }>(
      'SELECT token_hash AS hash FROM call_shares WHERE call_id = $1',
      [id],
    );
    expect(stored?.hash.toString()).not.toContain('prosa_share_');
    await app.http.get(`${recording.pathname}${recording.search.replace(/.$/, '!')}`).expect(404);
  });

  it('answers the same 404 when the link is revoked or expired, and when the call is not shared any more', async () => {
    const id = await addCall();
    await addRecording(app, { id, userId: owner.userId }, twoSides(1));
    const endings: Readonly<Record<string, (shareId: number) => Promise<unknown>>> = {
      revoked: (shareId) => app.as(owner).delete(`/api/user/calls/${id}/shares/${shareId}`).expect(200),
      expired: (shareId) =>
        app.query("UPDATE call_shares SET expires_at = now() - interval '1 second' WHERE id = $1", [shareId]),
      off: () => app.as(owner).put('/api/user/settings').send({ call_sharing: false }).expect(200),
    };
    for (const [ending, end] of Object.entries(endings)) {
      const { data } = (await share(id, { expires_in_days: 1 }).expect(201)).body;
      const { body } = await read(tokenOf(data.url)).expect(200);
      const { pathname, search } = new URL(body.recording_url);
      await end(data.id);
      const gone = await read(tokenOf(data.url)).expect(404);
      expect([ending, gone.body]).toEqual([ending, GONE]);
      await app.http.get(`${pathname}${search}`).expect(404);
    }
    expect((await read('prosa_share_unknown').expect(404)).body).toEqual(GONE);
  });

  it('answers 404 when the person was erased or the call deleted', async () => {
    const erased = await addCall();
    const first = (await share(erased).expect(201)).body.data;
    await app.query('UPDATE calls SET erased_at = now() WHERE id = $1', [erased]);
    expect((await read(tokenOf(first.url)).expect(404)).body).toEqual(GONE);
    const deleted = await addCall();
    const second = (await share(deleted).expect(201)).body.data;
    await app.as(owner).delete(`/api/user/calls/${deleted}`).expect(200);
    expect((await read(tokenOf(second.url)).expect(404)).body).toEqual(GONE);
    expect(await app.query('SELECT FROM call_shares WHERE call_id = $1', [deleted])).toEqual([]);
  });

  it('answers 409 while sharing is off, which is how accounts begin, and while the call is on', async () => {
    const id = await addCall('in-progress');
    expect((await share(id).expect(409)).body.message).toMatch(/^A ligação ainda está em andamento/);
    await app.as(owner).put('/api/user/settings').send({ call_sharing: false }).expect(200);
    expect((await share(id).expect(409)).body.message).toMatch(
      /^O compartilhamento de ligações está desativado/,
    );
    const { body } = await app.as(other).get('/api/user/settings').expect(200);
    expect(body).toEqual({ country: 'BR', timezone: 'America/Sao_Paulo', call_sharing: false });
  });

  it('needs the scope `calls` for links and `admin` for the switch, and an own call', async () => {
    const id = await addCall();
    const key = async (scopes: readonly string[]) => {
      const { body } = await app.as(owner).post('/api/user/api-keys').send({ name: 'k', scopes }).expect(201);
      return { token: body.api_key.token as string };
    };
    await share(id, {}, await key(['read', 'chat'])).expect(403);
    const calls = await key(['calls']);
    await share(id, {}, calls).expect(201);
    await app.as(calls).put('/api/user/settings').send({ call_sharing: true }).expect(403);
    await share(id, {}, other).expect(404);
    for (const days of [0, 8, 'x']) await share(id, { expires_in_days: days }).expect(422);
  });
});

describe('GET and DELETE /api/user/calls/{id}/shares', () => {
  it('list at most 20 valid links without their tokens, and revoke own ones alone', async () => {
    const id = await addCall();
    for (let count = 0; count < 20; count++) await share(id).expect(201);
    await share(id).expect(409);
    const list = async () => (await app.as(owner).get(`/api/user/calls/${id}/shares`).expect(200)).body.data;
    const shares = await list();
    expect(shares).toHaveLength(20);
    expect(shares[0]).toEqual({
      id: expect.any(Number),
      created_at: expect.stringMatching(ISO),
      expires_at: expect.stringMatching(ISO),
    });
    const path = `/api/user/calls/${id}/shares`;
    await app.as(other).get(path).expect(404);
    await app.as(other).delete(`${path}/${shares[0].id}`).expect(404);
    expect((await app.as(owner).delete(`${path}/${shares[0].id}`).expect(200)).body).toEqual({
      message: 'Link revogado com sucesso',
    });
    await app.as(owner).delete(`${path}/${shares[0].id}`).expect(404);
    expect(await list()).toHaveLength(19);
    await app.query("UPDATE call_shares SET expires_at = now() - interval '1 second' WHERE call_id = $1", [
      id,
    ]);
    expect(await list()).toEqual([]);
    await share(id).expect(201);
    expect(await app.query('SELECT FROM call_shares WHERE call_id = $1', [id])).toHaveLength(1);
  });
});
