import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Client } from 'pg';
import { MetricsService } from '../../src/common/observability/metrics.service.js';
import { JobsService } from '../../src/queues/jobs.service.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant, type CreatedAssistant } from '../support/builders.js';
import { createStartableCampaign, phoneNumber } from '../support/campaign-builders.js';
import { hasRedis, RedisServer } from '../support/redis-server.js';
import { until } from '../support/until.js';

/** Far from the 46 s that an answer once took, and enough for a machine that is busy with other tests. */
const PROMPT_MS = 3_000;
/** A schedule is set again, a sweep runs, a job is fetched: 15 s, 5 s and 5 s, with room for a busy machine. */
const FOUND_BY_SWEEP_MS = 90_000;

let numbers = 0;
const nextNumber = () => phoneNumber(100 * ++numbers);

/** Everything of the API that wakes a worker. */
async function everythingThatWakes(app: TestApp, owner: TestAccount, assistant: CreatedAssistant) {
  const as = app.as(owner);
  const base = await as.post('/api/user/knowledgebases').send({ name: 'Base' }).expect(201);
  const campaignId = await createStartableCampaign(app, owner);
  const basePath = `/api/user/knowledgebases/${base.body.data.id}`;
  return [
    () => as.post('/api/user/make_call').send({ phone_number: nextNumber(), assistant_id: assistant.id }),
    () =>
      as
        .post('/api/user/make_call')
        .set('Idempotency-Key', randomUUID())
        .send({ phone_number: nextNumber(), assistant_id: assistant.id }),
    () =>
      as.post(`${basePath}/documents`).send({ name: 'Site', type: 'website', url: 'https://example.com' }),
    () => as.post('/api/user/campaigns/update-status').send({ campaign_id: campaignId, action: 'start' }),
    () => as.delete(basePath),
  ];
}

async function expectPromptAnswers(
  app: TestApp,
  owner: TestAccount,
  assistant: CreatedAssistant,
  fail: () => Promise<void>,
) {
  const requests = await everythingThatWakes(app, owner, assistant);
  await fail();
  for (const send of requests) {
    const startedAt = performance.now();
    const { status, body } = await send();
    expect({ status, body }).toEqual({ status: status === 201 ? 201 : 200, body: expect.anything() });
    expect(performance.now() - startedAt).toBeLessThan(PROMPT_MS);
  }
}

async function ownerWithAssistant(app: TestApp) {
  const owner = await app.account({ balanceUsd: 50 });
  const assistant = await createAssistant(app, owner, { type: 'outbound' });
  return { owner, assistant };
}

(hasRedis ? describe : describe.skip)('with Redis under the queue', () => {
  let redis: RedisServer;
  let app: TestApp;
  let dataDir: string;
  let owner: TestAccount;
  let assistant: CreatedAssistant;

  beforeAll(async () => {
    redis = await RedisServer.start();
    dataDir = await mkdtemp(join(tmpdir(), 'prosa-queue-'));
    app = await TestApp.start({
      PROSA_ROLES: 'api,worker',
      REDIS_URL: redis.url,
      DATA_DIR: dataDir,
      SANDBOX_SPEED: '100',
    });
    ({ owner, assistant } = await ownerWithAssistant(app));
  }, 60_000);
  afterEach(() => redis.signal('SIGCONT'));
  afterAll(async () => {
    await app.stop();
    await redis.stop();
    await rm(dataDir, { recursive: true, force: true });
  }, 60_000);

  const readiness = async () => {
    const { status, body } = await app.http.get('/health/ready');
    return { status, queue: body.details.queue };
  };

  const isDialled = async (callId: number) => {
    const [call] = await app.query<{ status: string }>('SELECT status FROM calls WHERE id = $1', [callId]);
    return call?.status !== 'initiated';
  };

  it('answers at once while Redis is gone, says so, and dials what was asked for when an empty Redis is back', async () => {
    expect(await readiness()).toEqual({ status: 200, queue: { status: 'up', degraded: false } });
    await expectPromptAnswers(app, owner, assistant, () => redis.signal('SIGKILL'));
    expect(await readiness()).toEqual({ status: 200, queue: { status: 'up', degraded: true } });
    const startedAt = performance.now();
    const metrics = await app.app.get(MetricsService).read();
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    expect(metrics).toMatch(/^prosa_dependency_up\{name="queue"\} 0$/m);
    expect(metrics).toMatch(/^prosa_dependency_up\{name="database"\} 1$/m);

    const { body } = await app
      .as(owner)
      .post('/api/user/make_call')
      .send({ phone_number: nextNumber(), assistant_id: assistant.id })
      .expect(200);
    await redis.start();
    await until(() => isDialled(body.call_id), FOUND_BY_SWEEP_MS);
    await until(async () => (await readiness()).queue.degraded === false, 15_000);
  }, 180_000);

  it('dials a call whose wake-up was lost, also after Redis has lost the schedules of the sweeps', async () => {
    const other = await ownerWithAssistant(app);
    const lost = jest.spyOn(app.app.get(JobsService), 'wake').mockReturnValue();
    const { body } = await app
      .as(other.owner)
      .post('/api/user/make_call')
      .send({ phone_number: nextNumber(), assistant_id: other.assistant.id })
      .expect(200);
    lost.mockRestore();
    await redis.forgetAll();
    await until(() => isDialled(body.call_id), FOUND_BY_SWEEP_MS);
  }, 120_000);

  it('answers at once while Redis is frozen', async () => {
    const other = await ownerWithAssistant(app);
    await expectPromptAnswers(app, other.owner, other.assistant, () => redis.signal('SIGSTOP'));
    expect(await readiness()).toEqual({ status: 200, queue: { status: 'up', degraded: true } });
  }, 60_000);
});

describe('with PostgreSQL under the queue', () => {
  let app: TestApp;
  let blocker: Client;

  beforeAll(async () => {
    app = await TestApp.start();
    blocker = new Client({ connectionString: app.database.url });
    await blocker.connect();
  }, 60_000);
  afterAll(async () => {
    await blocker.end();
    await app.stop();
  });

  it('answers at once while the tables of the queue are locked and all its connections wait', async () => {
    const { owner, assistant } = await ownerWithAssistant(app);
    await expectPromptAnswers(app, owner, assistant, async () => {
      await blocker.query('BEGIN');
      const { rows } = await blocker.query<{ name: string }>(
        "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = 'bullmq'",
      );
      await blocker.query(`LOCK TABLE ${rows.map(({ name }) => name).join(', ')} IN ACCESS EXCLUSIVE MODE`);
    });
    // More than the queue has connections.
    for (let calls = 0; calls < 40; calls++) {
      await app.as(owner).post('/api/user/knowledgebases').send({ name: 'B' }).expect(201);
      const { body } = await app.as(owner).get('/api/user/knowledgebases').expect(200);
      await app.as(owner).delete(`/api/user/knowledgebases/${body.data[0].id}`).expect(200);
    }
    await blocker.query('ROLLBACK');
  }, 60_000);
});
