import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { type TestAccount, TEST_ENCRYPTION_KEY, TestApp } from '../support/app.js';
import { addPhoneNumber, createCampaign, createOutboundAssistant } from '../support/campaign-builders.js';
import { copyDatabase, type TestDatabase } from '../support/database.js';
import { answerJson, LocalServer } from '../support/http-server.js';
import { buildProduct, ProsaProcess } from '../support/prosa-process.js';
import { SandboxCarrierProcess } from '../support/sandbox-carrier-process.js';
import { until } from '../support/until.js';

const shell = promisify(execFile);

const LEADS = 40;
const PARALLEL = 3;
/** A call takes a second or two, so that some are open at any moment. */
const SPEED = 20;
/** Longer than every interval of the dialler, of webhooks and of calls. */
const WHILE_MS = 10_000;
const FILE = 'recordings/1/call.mp3';

/** A snapshot of a database is taken during a campaign, and started while or after the original goes on. */
describe('A copy of a database from the middle of a campaign', () => {
  let app: TestApp;
  let owner: TestAccount;
  let carrier: SandboxCarrierProcess;
  let receiver: LocalServer;
  let snapshot: TestDatabase;
  let folder: string;
  const copies: TestDatabase[] = [];
  const running = new Set<ProsaProcess>();

  const environment = (databaseUrl: string, more: Record<string, string> = {}) => ({
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
    DATA_DIR: folder,
    PROSA_ROLES: 'api,worker',
    PORT: '0',
    SANDBOX_CARRIER_URL: carrier.url,
    SANDBOX_SPEED: String(SPEED),
    RATE_LIMITS: 'off',
    RETRY_SCALE: '0.0001',
    EGRESS_ALLOW_CIDRS: '127.0.0.1/32',
    LOG_LEVEL: 'error',
    ...more,
  });

  async function start(databaseUrl: string, more: Record<string, string> = {}) {
    const prosa = ProsaProcess.start(environment(databaseUrl, more));
    running.add(prosa);
    return { prosa, url: await prosa.ready() };
  }

  async function end(prosa: ProsaProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    prosa.kill(signal);
    await prosa.exit();
    running.delete(prosa);
  }

  async function query<Row>(url: string, sql: string): Promise<Row[]> {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(sql)).rows as Row[];
    } finally {
      await client.end();
    }
  }

  const countOf = async (url: string, what: string) =>
    (await query<{ count: number }>(url, `SELECT count(*)::int AS count FROM ${what}`))[0]?.count ?? 0;

  const dialled = async () => (await carrier.log()).dials.map(({ to }) => to);

  /** What Prosa does outside in a while. */
  async function actsOf(databaseUrl: string, more: Record<string, string> = {}) {
    const before = await dialled();
    const sent = receiver.requests.length;
    const { prosa, url } = await start(databaseUrl, more);
    await sleep(WHILE_MS);
    const again = (await dialled()).slice(before.length).filter((to) => before.includes(to));
    const acts = {
      dials: (await dialled()).length - before.length,
      dialledAgain: again.length,
      webhooks: receiver.requests.length - sent,
      isFileThere: existsSync(join(folder, 'files', FILE)),
    };
    return { prosa, url, acts };
  }

  /** A copy with a planned deletion of a file that is there. */
  async function copy(): Promise<string> {
    const made = await copyDatabase(snapshot.url);
    copies.push(made);
    await mkdir(join(folder, 'files', 'recordings', '1'), { recursive: true });
    await writeFile(join(folder, 'files', FILE), 'sound');
    await query(made.url, `INSERT INTO file_cleanups (file_key, due_at) VALUES ('${FILE}', now())`);
    return made.url;
  }

  const commandOf = (databaseUrl: string) => {
    const { PATH = '', HOME = '' } = process.env;
    return { PATH, HOME, ...environment(databaseUrl, { PROSA_PAUSED: '1' }) };
  };
  const afterRestore = (databaseUrl: string, ...words: string[]) =>
    shell(process.execPath, ['scripts/run.mjs', 'cli/after-restore', ...words], {
      env: commandOf(databaseUrl),
    });

  /** The command, killed once it waits for the rows of calls that another connection has locked. */
  async function killInTheMiddle(databaseUrl: string): Promise<void> {
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    // It can read the table, and waits before it writes it: after the campaigns and the calls.
    await client.query('BEGIN; LOCK TABLE dial_attempts IN EXCLUSIVE MODE');
    const child: ChildProcess = spawn(process.execPath, ['dist/cli/after-restore.js', '--drop', 'all'], {
      env: commandOf(databaseUrl),
      stdio: 'ignore',
    });
    const waits = "pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
    await until(async () => (await countOf(databaseUrl, waits)) > 0, 30_000);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await client.query('ROLLBACK');
    await client.end();
  }

  beforeAll(async () => {
    await buildProduct();
    folder = await mkdtemp(join(tmpdir(), 'prosa-copy-'));
    carrier = await SandboxCarrierProcess.start({ journal: join(folder, 'calls.jsonl'), speed: SPEED });
    receiver = await LocalServer.start((_request, response) => answerJson(response, {}, 500));
    app = await TestApp.start({ SANDBOX_CARRIER_URL: carrier.url, EGRESS_ALLOW_CIDRS: '127.0.0.1/32' });
    owner = await app.account({ balanceUsd: 1_000 });
    const assistant = await createOutboundAssistant(app, owner, {
      is_webhook_active: true,
      webhook_url: receiver.url,
      send_webhook_only_on_completed: false,
    });
    await app.as(owner).put(`/api/user/assistant/${assistant}`).send({ status: 'active' }).expect(200);
    const campaign = await createCampaign(app, owner, {
      assistant_id: assistant,
      phone_number_ids: [await addPhoneNumber(app, owner)],
      max_calls_in_parallel: PARALLEL,
      max_retries: 1,
      retry_interval: 10,
    });
    await app.query(
      `WITH added AS (
         INSERT INTO leads (user_id, campaign_id, phone_number)
         SELECT $1, $2, '+55119' || lpad((n * 100 + n % 7)::text, 8, '0') FROM generate_series(1, $3::int) AS n RETURNING id)
       INSERT INTO lead_dials (lead_id, user_id, campaign_id, due_at) SELECT id, $1, $2, now() FROM added`,
      [owner.userId, campaign, LEADS],
    );
    await app
      .as(owner)
      .post('/api/user/campaigns/update-status')
      .send({ campaign_id: campaign, action: 'start' })
      .expect(200);
    // No connection may be left when the database is copied.
    await app.app.close();

    const first = await start(app.database.url);
    await until(async () => (await dialled()).length >= 2 * PARALLEL);
    await end(first.prosa, 'SIGKILL');
    snapshot = await copyDatabase(app.database.url);
    const before = (await dialled()).length;
    const second = await start(app.database.url);
    // Leads that the snapshot has not called yet are called by the original.
    await until(async () => (await dialled()).length >= before + 2 * PARALLEL, 60_000);
    await end(second.prosa, 'SIGKILL');
    await until(
      async () => (await countOf(snapshot.url, 'active_calls WHERE lease_until > now()')) === 0,
      30_000,
    );
  }, 240_000);

  afterEach(async () => {
    for (const prosa of running) await end(prosa, 'SIGKILL');
  });

  afterAll(async () => {
    for (const one of copies) await one.drop();
    await snapshot.drop();
    await app.database.drop();
    await carrier.stop();
    await receiver.stop();
    await rm(folder, { recursive: true, force: true });
  }, 60_000);

  it('calls again, sends again and deletes, when it is started as any other database', async () => {
    const { acts } = await actsOf(await copy());
    process.stdout.write(`\n${JSON.stringify({ test: 'a copy that is not paused', ...acts })}\n`);
    expect(acts.dialledAgain).toBeGreaterThan(0);
    expect(acts.webhooks).toBeGreaterThan(0);
    expect(acts.isFileThere).toBe(false);
  }, 120_000);

  it('does nothing outside while it is paused, nor after the command and a normal start', async () => {
    const url = await copy();
    const money = 'ledger_entries';
    const charged = await countOf(url, money);
    const waiting = await countOf(url, "webhook_deliveries WHERE status = 'pending'");
    expect(await countOf(url, "active_calls WHERE stage <> 'evaluating'")).toBeGreaterThan(0);
    expect(waiting).toBeGreaterThan(0);

    const paused = await actsOf(url, { PROSA_PAUSED: '1' });
    expect(paused.acts).toEqual({ dials: 0, dialledAgain: 0, webhooks: 0, isFileThere: true });
    expect(paused.prosa.text).toContain('PAUSED');
    const ready = (await (await fetch(`${paused.url}/health/ready`)).json()) as {
      details: { traffic: object };
    };
    expect(ready.details.traffic).toEqual({ status: 'up', paused: true });

    await expect(afterRestore(url)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no terminal to ask about webhooks, file-deletions'),
    });
    expect((await afterRestore(url, '--list')).stdout).toMatch(/^ +1 {2}running campaigns/m);
    await killInTheMiddle(url);
    expect(await countOf(url, "campaigns WHERE status = 'in-progress'")).toBe(1);
    expect(await countOf(url, 'file_cleanups')).toBe(1);

    const { stdout } = await afterRestore(url, '--drop', 'all');
    expect(stdout).toContain('Stopped 1 campaigns');
    expect((await afterRestore(url, '--drop', 'none')).stdout).toContain(
      'Stopped 0 campaigns and ended 0 calls.',
    );
    expect(await countOf(url, "active_calls WHERE stage <> 'evaluating'")).toBe(0);
    expect(await countOf(url, "dial_attempts WHERE state <> 'settled'")).toBe(0);
    expect(await countOf(url, "lead_dials WHERE state = 'calling'")).toBe(0);
    await end(paused.prosa, 'SIGTERM');

    const normal = await actsOf(url);
    expect(normal.acts).toEqual({ dials: 0, dialledAgain: 0, webhooks: 0, isFileThere: true });
    expect(normal.prosa.text).not.toContain('PAUSED');
    expect(await countOf(url, money)).toBe(charged);
    expect(await countOf(url, 'wallets WHERE held_micros <> 0')).toBe(0);
  }, 180_000);

  it('is refused by the command unless it is paused', async () => {
    const { PATH = '', HOME = '' } = process.env;
    const command = shell(process.execPath, ['scripts/run.mjs', 'cli/after-restore', '--list'], {
      env: { PATH, HOME, ...environment(snapshot.url) },
    });
    await expect(command).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('PROSA_PAUSED is off here'),
    });
  }, 60_000);
});
