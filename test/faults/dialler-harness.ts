import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sweepCallsJob } from '../../src/modules/call-recovery/sweep-calls.job.js';
import { sweepDialsJob } from '../../src/modules/campaigns/dialler/recovery/sweep-dials.job.js';
import { JobsService } from '../../src/queues/jobs.service.js';
import { type TestAccount, TEST_ENCRYPTION_KEY, TestApp } from '../support/app.js';
import { addPhoneNumber, createCampaign, createOutboundAssistant } from '../support/campaign-builders.js';
import { answerJson, LocalServer } from '../support/http-server.js';
import { buildProduct, ProsaProcess } from '../support/prosa-process.js';
import { SandboxCarrierProcess } from '../support/sandbox-carrier-process.js';
import {
  type AttemptRow,
  callsNotTold,
  compareDials,
  type DialVerdict,
  moneyWrong,
  type Query,
} from './dial-verdict.js';

export const MAX_RETRIES = 2;
const SPEED = 500;
/** Short, so that a test sees attempts taken up; in production it is a minute. */
const LEASE_SECONDS = '1';
const SWEEP_EVERY_MS = 500;

/** What went wrong, by the carrier's own log and the rows; all empty or false when nothing did. */
export interface Verdict extends DialVerdict {
  readonly leads: number;
  /** Sends that a death or a pause interrupted: the attempts that came back to the carrier, or were taken over. */
  readonly interruptedSends: number;
  readonly leadsNotFinished: readonly number[];
  /** Calls that ended and of which the receiver heard nothing, or by more than one id. */
  readonly callsNotTold: readonly number[];
  /** Balance, holds and entries against each other. */
  readonly moneyWrong: readonly string[];
}

/** A database, a carrier with its own log, and workers that a test kills and freezes. */
export class DiallerHarness {
  private leads = 0;
  private sweeping = true;
  private sweeps: Promise<void> = Promise.resolve();
  readonly workers = new Set<ProsaProcess>();
  interruptedSends = 0;

  private readonly query: Query = (sql, parameters) => this.app.query(sql, parameters);

  private constructor(
    readonly app: TestApp,
    readonly owner: TestAccount,
    readonly campaignId: number,
    private readonly carrier: SandboxCarrierProcess,
    private readonly receiver: LocalServer,
    private readonly folder: string,
    private readonly isReported: boolean,
  ) {}

  /** Ids of the events a receiver got, each once. */
  private get events(): Set<unknown> {
    return new Set(this.receiver.requests.map(({ headers }) => headers['webhook-id']));
  }

  /** @param isReported whether webhooks report each end of a call: other calls end in another way */
  static async start(maxCallsInParallel: number, isReported = true): Promise<DiallerHarness> {
    await buildProduct();
    const folder = await mkdtemp(join(tmpdir(), 'prosa-faults-'));
    const carrier = await SandboxCarrierProcess.start({ journal: join(folder, 'calls.jsonl'), speed: SPEED });
    const app = await TestApp.start({
      SANDBOX_CARRIER_URL: carrier.url,
      SANDBOX_SPEED: String(SPEED),
      EGRESS_ALLOW_CIDRS: '127.0.0.1/32',
    });
    const owner = await app.account({ balanceUsd: 10_000 });
    await app.query('UPDATE plans SET max_calls_in_parallel = $1', [maxCallsInParallel]);
    const receiver = await LocalServer.start((_request, response) => answerJson(response, {}));
    const assistant = await createOutboundAssistant(app, owner, {
      is_webhook_active: isReported,
      webhook_url: receiver.url,
      send_webhook_only_on_completed: false,
    });
    await app.as(owner).put(`/api/user/assistant/${assistant}`).send({ status: 'active' }).expect(200);
    const campaignId = await createCampaign(app, owner, {
      assistant_id: assistant,
      phone_number_ids: [await addPhoneNumber(app, owner), await addPhoneNumber(app, owner)],
      max_calls_in_parallel: maxCallsInParallel,
      max_retries: MAX_RETRIES,
      retry_interval: 10,
      mark_complete_when_no_leads: false,
    });
    const harness = new DiallerHarness(app, owner, campaignId, carrier, receiver, folder, isReported);
    harness.sweeps = harness.sweepOften();
    return harness;
  }

  async begin(): Promise<void> {
    await this.app
      .as(this.owner)
      .post('/api/user/campaigns/update-status')
      .send({ campaign_id: this.campaignId, action: 'start' })
      .expect(200);
  }

  /** Adds leads whose numbers end in 00 to 06, in turn. */
  async addLeads(count: number): Promise<void> {
    const first = this.leads;
    this.leads += count;
    await this.app.query(
      `WITH numbers AS (
         SELECT '+55119' || lpad((n * 100 + n % 7)::text, 8, '0') AS phone FROM generate_series($3::int, $4::int - 1) AS n),
       added AS (
         INSERT INTO leads (user_id, campaign_id, phone_number) SELECT $1, $2, phone FROM numbers RETURNING id)
       INSERT INTO lead_dials (lead_id, user_id, campaign_id, due_at) SELECT id, $1, $2, now() FROM added`,
      [this.owner.userId, this.campaignId, first, this.leads],
    );
  }

  async startWorker(environment: Record<string, string> = {}): Promise<ProsaProcess> {
    const worker = ProsaProcess.start({
      DATABASE_URL: this.app.database.url,
      ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
      PROSA_ROLES: 'worker',
      SANDBOX_CARRIER_URL: this.carrier.url,
      SANDBOX_SPEED: String(SPEED),
      DIAL_LEASE_SECONDS: LEASE_SECONDS,
      DATABASE_POOL_SIZE: '12',
      RATE_LIMITS: 'off',
      EGRESS_ALLOW_CIDRS: '127.0.0.1/32',
      LOG_LEVEL: 'error',
      ...environment,
    });
    this.workers.add(worker);
    return worker;
  }

  async kill(worker: ProsaProcess): Promise<void> {
    worker.kill('SIGKILL');
    await this.awaitExit(worker);
  }

  /** Waits for a worker that dies by itself, and counts what it left half sent. */
  async awaitExit(worker: ProsaProcess): Promise<void> {
    await worker.exit();
    this.workers.delete(worker);
    await this.countInterrupted();
  }

  /**
   * A living process renews its calls' leases long before, and evaluates them at once; a test need not wait until the
   * time of the dead has run out.
   */
  private async expireDeadLeases(): Promise<void> {
    await this.app.query(
      "UPDATE active_calls SET lease_until = now() WHERE lease_until BETWEEN now() AND now() + interval '8 seconds'",
    );
    await this.app.query(
      `UPDATE active_calls SET stage_since = stage_since - interval '1 minute'
       WHERE stage = 'evaluating' AND stage_since BETWEEN now() - interval '1 minute' AND now() - interval '5 seconds'`,
    );
  }

  /** Attempts in sending whose lead is not locked. */
  private async countInterrupted(): Promise<void> {
    const [row] = await this.app.query<{ count: string }>(
      `SELECT count(*) FROM dial_attempts a WHERE state = 'dialing' AND NOT EXISTS (
         SELECT FROM pg_locks l WHERE l.locktype = 'advisory' AND l.objid = a.lead_id::bigint::oid)`,
    );
    this.interruptedSends += Number(row?.count);
  }

  async stillOpen(): Promise<number> {
    const [row] = await this.app.query<{ count: string }>(
      "SELECT count(*) FROM lead_dials WHERE campaign_id = $1 AND state <> 'done'",
      [this.campaignId],
    );
    return Number(row?.count);
  }

  async finished(timeoutMs: number): Promise<void> {
    const deadline = Date.now() + timeoutMs;
    while ((await this.stillOpen()) > 0 && Date.now() < deadline) await sleep(100);
  }

  /** Compares what the carrier saw with what was to be. */
  async verdict(): Promise<Verdict> {
    const log = await this.carrier.log();
    const attempts = await this.app.query<AttemptRow>(
      'SELECT id, lead_id, state, outcome, to_phone_number AS to FROM dial_attempts WHERE campaign_id = $1 ORDER BY lead_id, number',
      [this.campaignId],
    );
    const unfinished = await this.app.query<{ id: number }>(
      `SELECT l.id FROM leads l JOIN lead_dials d ON d.lead_id = l.id
       WHERE l.campaign_id = $1 AND (d.state <> 'done' OR l.status = 'created')`,
      [this.campaignId],
    );
    return {
      leads: this.leads,
      interruptedSends: this.interruptedSends,
      leadsNotFinished: unfinished.map(({ id }) => id),
      callsNotTold: this.isReported ? await callsNotTold(this.query, this.owner.userId, this.events) : [],
      moneyWrong: await moneyWrong(this.query, this.owner.userId),
      ...compareDials(log, attempts, MAX_RETRIES),
    };
  }

  /** Waits until every delivery has come to its end, those first whose worker died with them. */
  async delivered(timeoutMs: number): Promise<void> {
    await this.app.query(
      "UPDATE webhook_deliveries SET lease_until = now() WHERE status = 'pending' AND lease_until IS NOT NULL",
    );
    const deadline = Date.now() + timeoutMs;
    const pending = () => this.app.query("SELECT FROM webhook_deliveries WHERE status = 'pending' LIMIT 1");
    while ((await pending()).length > 0 && Date.now() < deadline) await sleep(100);
  }

  async stop(): Promise<void> {
    this.sweeping = false;
    await this.sweeps;
    for (const worker of this.workers) worker.kill('SIGKILL');
    await Promise.all([...this.workers].map((worker) => worker.exit()));
    await this.app.stop();
    await this.carrier.stop();
    await this.receiver.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  private async sweepOften(): Promise<void> {
    while (this.sweeping) {
      const jobs = this.app.app.get(JobsService);
      jobs.wake(sweepDialsJob, {});
      jobs.wake(sweepCallsJob, {});
      await this.expireDeadLeases();
      await sleep(SWEEP_EVERY_MS);
    }
  }
}

/** Whether a process is stopped by a signal; Linux tells. */
export async function isStopped(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return /\) T /.test(stat);
}
