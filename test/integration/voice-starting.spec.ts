import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { until } from '../support/until.js';

const SOUND = { SANDBOX_MEDIA: 'audio', CALLING_HOURS: 'off' };
const PERSON = '+5511991000000';

interface Row {
  readonly starting?: boolean;
  readonly draining?: boolean;
  readonly heardSecondsAgo?: number;
  readonly carriers?: readonly string[];
}

/** The API and the workers in one process, and voice processes that come and go. */
describe('Before a voice process is there', () => {
  let app: TestApp;
  let account: TestAccount;
  let assistant: { id: number; uuid: string };

  beforeAll(async () => {
    app = await TestApp.start({ PROSA_ROLES: 'api,worker', ...SOUND });
    account = await app.account({ balanceUsd: 50 });
    assistant = await createAssistant(app, account);
  });
  afterEach(() => app.query('DELETE FROM voice_processes'));
  afterAll(() => app.stop());

  const add = ({ starting = false, draining = starting, heardSecondsAgo = 0, carriers = [] }: Row) =>
    app.query(
      `INSERT INTO voice_processes (id, address, capacity, load, carriers, draining, starting, heartbeat_at)
       VALUES ($1, '127.0.0.1:1', 10, 0, $2, $3, $4, now() - make_interval(secs => $5))`,
      [randomUUID(), carriers, draining, starting, heardSecondsAgo],
    );
  const openPublic = () => app.http.post('/api/web-calls').send({ assistant_id: assistant.uuid });
  const openOwn = () => app.as(account).post(`/api/user/assistant/${assistant.id}/web-call`).send({});
  const isOffered = async () =>
    (await app.http.get(`/api/web-calls/${assistant.uuid}`).expect(200)).body.available as boolean;

  it('an installation without a voice role takes no calls from browsers, and says so for good', async () => {
    const { body, headers } = await openPublic().expect(503);
    expect(body).toEqual({ status: false, error: 'This server does not accept calls from browsers' });
    expect(headers).not.toHaveProperty('retry-after');
    expect(await isOffered()).toBe(false);
  });

  it('one whose process is being loaded says that it is starting, and when to come back', async () => {
    await add({ starting: true });
    const { body, headers } = await openPublic().expect(503);
    expect(body).toEqual({
      status: false,
      error: 'The server is starting. Try again in a few seconds',
    });
    expect(headers['retry-after']).toBe('2');
    const own = await openOwn().expect(503);
    expect(own.body).toEqual({
      message: 'O servidor está iniciando. Tente novamente em alguns segundos',
    });
    expect(own.headers['retry-after']).toBe('2');
    // A page shows its button, and waits.
    expect(await isOffered()).toBe(true);
  });

  it.each<[string, Row[]]>([
    ['has died', [{ heardSecondsAgo: 60 }]],
    ['has left an hour ago', [{ heardSecondsAgo: 3_600, draining: true }]],
    ['has died while it was being loaded', [{ starting: true, heardSecondsAgo: 60 }]],
  ])('one whose process %s says that there is none now', async (_what, rows) => {
    for (const row of rows) await add(row);
    const { body, headers } = await openPublic().expect(503);
    expect(body.error).toBe('No voice process is running right now. Try again in a moment');
    expect(headers['retry-after']).toBe('10');
    expect(await isOffered()).toBe(false);
  });

  it.each<[string, Row[], object]>([
    ['of an installation without a voice role lacks nothing', [], { degraded: false }],
    [
      'names processes that start',
      [{ starting: true }],
      { degraded: true, reason: 'voice processes are starting' },
    ],
    [
      'names those that are gone',
      [{ heardSecondsAgo: 60 }],
      { degraded: true, reason: 'no voice process runs' },
    ],
    ['has nothing to say of those that run', [{ carriers: ['sip'] }], { degraded: false }],
  ])('readiness %s, and stays green', async (_what, rows, voice) => {
    for (const row of rows) await add(row);
    const { body } = await app.http.get('/health/ready').expect(200);
    expect(body.details.voice).toEqual({ status: 'up', ...voice });
  });

  it('a new process that is being loaded counts for more than one that is about to end', async () => {
    await add({ draining: true, carriers: ['web'] });
    expect((await openOwn().expect(422)).body.message).toContain('limite de ligações simultâneas');
    await add({ starting: true });
    await openOwn().expect(503);
  });

  it('a call is taken at once, and placed as soon as a process of another machine is there', async () => {
    const { body } = await app
      .as(account)
      .post('/api/user/make_call')
      .send({ assistant_id: assistant.id, phone_number: PERSON })
      .expect(200);
    const statusOf = async () => {
      const rows = await app.query<{ status: string }>('SELECT status FROM calls WHERE id = $1', [
        body.call_id,
      ]);
      return rows[0]?.status;
    };
    // The worker has looked for a process by now, and found none: only its sweep, or a wake-up, comes back to it.
    await until(async () => {
      const jobs = await app.query("SELECT FROM active_calls WHERE call_id = $1 AND stage = 'waiting'", [
        body.call_id,
      ]);
      return jobs.length === 1;
    });
    expect(await statusOf()).toBe('initiated');
    const voice = await TestApp.start({ PROSA_ROLES: 'voice', ...SOUND }, async () => app.database.url);
    const began = performance.now();
    try {
      await until(async () => (await statusOf()) !== 'initiated', 10_000);
      expect(performance.now() - began).toBeLessThan(3_000);
    } finally {
      await voice.app.close();
    }
    expect(await statusOf()).not.toBe('failed');
  }, 60_000);
});
