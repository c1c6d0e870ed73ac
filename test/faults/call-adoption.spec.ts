import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getQueueToken } from '@nestjs/bullmq';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Queue } from 'bullmq';
import { SandboxCarrierServer } from '../../src/providers/telephony/sandbox/sandbox-carrier-server.js';
import { sweepCallsJob } from '../../src/modules/call-recovery/sweep-calls.job.js';
import { JobsService } from '../../src/queues/jobs.service.js';
import { type TestAccount, TEST_ENCRYPTION_KEY, TestApp } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { buildProduct, ProsaProcess } from '../support/prosa-process.js';
import { until } from '../support/until.js';

const SPEED = 8;
const MICROS_PER_MINUTE = 72_000;

/** Workers die or sleep in the middle of calls; the calls belong to the carrier, and others take them up. */
describe('a call whose worker is gone', () => {
  let api: TestApp;
  let carrier: SandboxCarrierServer;
  let folder: string;
  let workers: ProsaProcess[] = [];

  beforeAll(async () => {
    await buildProduct();
    folder = await mkdtemp(join(tmpdir(), 'prosa-adoption-'));
    carrier = await SandboxCarrierServer.start({
      port: 0,
      journalPath: join(folder, 'calls.jsonl'),
      speed: SPEED,
    });
    api = await TestApp.start({
      SANDBOX_CARRIER_URL: carrier.url,
      SANDBOX_SPEED: String(SPEED),
      CALL_PRICE_PER_MINUTE: '0.06',
      CARRIER_PRICE_PER_MINUTE: '0.012',
    });
  }, 180_000);
  /** The one that was started last goes on: it is the first of the next test. */
  afterEach(() => endAllBut(workers.slice(-1)));
  afterAll(async () => {
    await endAllBut([]);
    await api.stop();
    await carrier.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function endAllBut(kept: ProsaProcess[]): Promise<void> {
    const ended = workers.filter((worker) => !kept.includes(worker));
    workers = kept;
    for (const worker of ended) worker.kill('SIGKILL');
    await Promise.all(ended.map((worker) => worker.exit()));
  }

  const onlyWorker = async () => workers[0] ?? (await startWorker());

  async function startWorker(): Promise<ProsaProcess> {
    const worker = ProsaProcess.start({
      DATABASE_URL: api.database.url,
      ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
      DATA_DIR: folder,
      SANDBOX_CARRIER_URL: carrier.url,
      SANDBOX_SPEED: String(SPEED),
      CALL_PRICE_PER_MINUTE: '0.06',
      CARRIER_PRICE_PER_MINUTE: '0.012',
      PROSA_ROLES: 'api,worker',
      PORT: '0',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
    });
    workers.push(worker);
    await worker.ready();
    return worker;
  }

  async function makeCall(owner: TestAccount, phoneNumber: string): Promise<number> {
    const { id } = await createAssistant(api, owner, {
      type: 'outbound',
      is_webhook_active: true,
      webhook_url: 'https://hooks.example.com/calls',
    });
    const { body } = await api
      .as(owner)
      .post('/api/user/make_call')
      .send({ phone_number: phoneNumber, assistant_id: id })
      .expect(200);
    return body.call_id;
  }

  const statusOf = async (callId: number) =>
    (await api.query<{ status: string }>('SELECT status FROM calls WHERE id = $1', [callId]))[0]?.status;
  const becomes = (callId: number, status: string) =>
    until(async () => (await statusOf(callId)) === status, 60_000);
  /** What a wait of 15 seconds does: the lease is over and the sweep comes by. */
  const sweepAfterLease = async (callId: number) => {
    await api.query(
      "UPDATE active_calls SET lease_until = now(), stage_since = stage_since - interval '5 seconds' WHERE call_id = $1",
      [callId],
    );
    api.app.get(JobsService).wake(sweepCallsJob, {});
  };

  async function dialsOf(callId: number): Promise<number> {
    const [row] = await api.query<{ attempt_id: string }>('SELECT attempt_id FROM calls WHERE id = $1', [
      callId,
    ]);
    const response = await fetch(`${carrier.url}/log`);
    const log = (await response.json()) as { dials: { key: string }[] };
    return log.dials.filter(({ key }) => key === row?.attempt_id).length;
  }

  async function expectOneExactEnd(owner: TestAccount, callId: number): Promise<void> {
    expect(await dialsOf(callId)).toBe(1);
    const [call] = await api.query<{ seconds: number; cost: number }>(
      'SELECT duration_seconds AS seconds, (carrier_cost_micros + ai_cost_micros)::int AS cost FROM calls WHERE id = $1',
      [callId],
    );
    expect(call?.seconds).toBeGreaterThan(0);
    expect(call?.cost).toBe(((call?.seconds ?? 0) * MICROS_PER_MINUTE) / 60);
    expect(
      await api.query(
        "SELECT amount_micros::int AS amount FROM ledger_entries WHERE user_id = $1 AND kind = 'call'",
        [owner.userId],
      ),
    ).toEqual([{ amount: -(call?.cost ?? 0) }]);
    expect(
      await api.query('SELECT held_micros::int AS held FROM wallets WHERE user_id = $1', [owner.userId]),
    ).toEqual([{ held: 0 }]);
    expect(
      await api.query('SELECT kind, subject_id FROM webhook_deliveries WHERE user_id = $1', [owner.userId]),
    ).toEqual([{ kind: 'post-call', subject_id: String(callId) }]);
    expect(await api.query('SELECT 1 FROM active_calls WHERE call_id = $1', [callId])).toEqual([]);
  }

  it('is followed on by another worker after a SIGKILL in the middle of the talk', async () => {
    const owner = await api.account({ balanceUsd: 5 });
    const first = await onlyWorker();
    const callId = await makeCall(owner, '+5511987650100');
    await becomes(callId, 'in-progress');
    first.kill('SIGKILL');
    await first.exit();
    await startWorker();
    await sweepAfterLease(callId);
    await becomes(callId, 'completed');
    await expectOneExactEnd(owner, callId);
  }, 150_000);

  it('is ended once when the first worker sleeps past its lease and wakes up after the adoption', async () => {
    const owner = await api.account({ balanceUsd: 5 });
    const first = await onlyWorker();
    const callId = await makeCall(owner, '+5511987650200');
    await becomes(callId, 'in-progress');
    first.kill('SIGSTOP');
    await startWorker();
    await sweepAfterLease(callId);
    const tokenOf = async () =>
      (
        await api.query<{ token: string }>(
          'SELECT lease_token AS token FROM active_calls WHERE call_id = $1',
          [callId],
        )
      )[0]?.token;
    const before = await tokenOf();
    await until(async () => (await tokenOf()) !== before, 60_000);
    first.kill('SIGCONT');
    await becomes(callId, 'completed');
    await expectOneExactEnd(owner, callId);
  }, 150_000);

  it('continues after an orderly stop without a dead line', async () => {
    const owner = await api.account({ balanceUsd: 5 });
    const first = await onlyWorker();
    const callId = await makeCall(owner, '+5511987650309');
    await becomes(callId, 'in-progress');
    await first.stop();
    expect(await statusOf(callId)).toBe('in-progress');
    await startWorker();
    await sweepAfterLease(callId);
    await becomes(callId, 'completed');
    await expectOneExactEnd(owner, callId);
  }, 150_000);

  it('that was not dialled is dialled once, by the sweep', async () => {
    const owner = await api.account({ balanceUsd: 5 });
    await endAllBut([]);
    const callId = await makeCall(owner, '+5511987650400');
    await api.app.get<Queue>(getQueueToken('dial-call'), { strict: false }).obliterate({ force: true });
    await startWorker();
    await sweepAfterLease(callId);
    await becomes(callId, 'completed');
    await expectOneExactEnd(owner, callId);
  }, 150_000);
});
