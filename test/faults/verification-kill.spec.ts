import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sweepNumberVerificationsJob } from '../../src/modules/number-verifications/sweep-number-verifications.job.js';
import { JobsService } from '../../src/queues/jobs.service.js';
import { type TestAccount, TEST_ENCRYPTION_KEY, TestApp } from '../support/app.js';
import { lengthOf } from '../support/length.js';
import { buildProduct, ProsaProcess } from '../support/prosa-process.js';
import { SandboxCarrierProcess } from '../support/sandbox-carrier-process.js';
import { until } from '../support/until.js';

const KILLS = lengthOf(3, 30);
const WORKERS = 2;
const CALLS_AT_ONCE = 4;
const SPEED = 20;
/** What a call takes at this speed, at most. */
const MOST_CALL_MS = 3_000;
const PATH = '/api/user/phone-numbers/verifications';

interface Row {
  readonly id: number;
  readonly user_id: number;
  readonly call_key: string;
  readonly status: string;
  readonly failure: string | null;
  readonly sandbox_words: string | null;
  readonly is_over: boolean;
}

/** Several processes make the calls that prove numbers, and die in the middle of them. */
describe('processes that are killed while they speak codes', () => {
  let app: TestApp;
  let carrier: SandboxCarrierProcess;
  let folder: string;
  const workers: ProsaProcess[] = [];
  const owners: TestAccount[] = [];

  beforeAll(async () => {
    await buildProduct();
    folder = await mkdtemp(join(tmpdir(), 'prosa-verification-kill-'));
    carrier = await SandboxCarrierProcess.start({ journal: join(folder, 'calls.jsonl'), speed: SPEED });
    app = await TestApp.start({ SANDBOX_CARRIER_URL: carrier.url, SANDBOX_SPEED: String(SPEED) });
    for (let index = 0; index < WORKERS; index++) workers.push(await startWorker());
  }, 120_000);
  afterAll(async () => {
    for (const worker of workers) worker.kill('SIGKILL');
    await Promise.all(workers.map((worker) => worker.exit()));
    await app.stop();
    await carrier.stop();
    await rm(folder, { recursive: true, force: true });
  }, 60_000);

  async function startWorker(): Promise<ProsaProcess> {
    const worker = ProsaProcess.start({
      DATABASE_URL: app.database.url,
      ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
      DATA_DIR: folder,
      PROSA_ROLES: 'worker',
      SANDBOX_CARRIER_URL: carrier.url,
      SANDBOX_SPEED: String(SPEED),
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'fatal',
    });
    await worker.says(/Prosa is ready/);
    return worker;
  }

  const rows = () =>
    app.query<Row>(
      `SELECT id, user_id, call_key::text, status, failure, sandbox_words, ended_at IS NOT NULL AS is_over
       FROM number_verifications ORDER BY id`,
    );
  const isUnderWay = ({ status, is_over }: Row) => status !== 'waiting' && !is_over;

  async function ask(): Promise<void> {
    const owner = await app.account({ balanceUsd: 5 });
    owners.push(owner);
    const number = `+5511987${String(owners.length).padStart(4, '0')}00`;
    await app.as(owner).post(PATH).send({ phone_number: number }).expect(201);
  }

  /** Ages verifications without an end by the longest duration of a call. */
  async function letTimePass(): Promise<void> {
    await app.query(
      `UPDATE number_verifications SET called_at = called_at - interval '3 minutes' WHERE ended_at IS NULL`,
    );
    app.app.get(JobsService, { strict: false }).wake(sweepNumberVerificationsJob, {});
    await until(async () => (await rows()).every(({ is_over }) => is_over), 30_000);
  }

  it(
    `rings no number twice, keeps no money, and accepts only the spoken code, over ${KILLS} kills`,
    async () => {
      let killedInCalls = 0;
      for (let kill = 0; kill < KILLS; kill++) {
        await Promise.all(Array.from({ length: CALLS_AT_ONCE }, ask));
        await until(async () => (await rows()).some(isUnderWay), 30_000);
        // The first time early enough for a call to be under way, then at any moment.
        await sleep(kill === 0 ? 100 : Math.random() * MOST_CALL_MS);
        const victim = workers[kill % WORKERS]!;
        killedInCalls += (await rows()).filter(isUnderWay).length;
        victim.kill('SIGKILL');
        await victim.exit();
        workers[kill % WORKERS] = await startWorker();
      }
      await until(async () => (await rows()).every(({ status }) => status !== 'waiting'), 60_000);
      // Those whose process lives come to their end first.
      await sleep(2 * MOST_CALL_MS);
      await letTimePass();

      const { dials } = await carrier.log();
      const all = await rows();
      expect(all).toHaveLength(KILLS * CALLS_AT_ONCE);
      expect(killedInCalls).toBeGreaterThan(0);
      const dialled = dials.map(({ key }) => key);
      expect(dialled).toEqual([...new Set(dialled)]);
      expect(
        dials.every(({ key, repeats }) => repeats === 0 && all.some((row) => row.call_key === key)),
      ).toBe(true);
      for (const row of all) await check(row);
    },
    120_000 + KILLS * 30_000,
  );

  async function check({ id, user_id, status, failure, sandbox_words: words }: Row): Promise<void> {
    const owner = owners.find(({ userId }) => userId === user_id)!;
    const code = /(?:\d ){5}\d/.exec(words ?? '')?.[0].replaceAll(' ', '') ?? '000000';
    const confirmed = await app.as(owner).post(`${PATH}/${id}/confirm`).send({ code });
    expect([status, failure, confirmed.status]).toEqual(
      status === 'spoken' ? ['spoken', null, 200] : ['failed', 'call-failed', 409],
    );
    const [money] = await app.query(
      `SELECT held_micros::int AS held, balance_micros = (SELECT sum(amount_micros) FROM ledger_entries WHERE user_id = $1) AS adds_up,
         (SELECT count(*)::int <= 1 FROM ledger_entries WHERE user_id = $1 AND kind = 'call') AS charged_once
       FROM wallets WHERE user_id = $1`,
      [user_id],
    );
    expect(money).toEqual({ held: 0, adds_up: true, charged_once: true });
    if (status === 'spoken') return;
    // It is no bar to another try, which is made.
    const numbers = await app.as(owner).get(PATH).expect(200);
    const again = { phone_number: numbers.body.data[0].phone_number };
    await app.as(owner).post(PATH).send(again).expect(201);
  }
});
