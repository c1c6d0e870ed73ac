/**
 * How fast campaigns dial: `npm run bench -- dialler [--attempts 1000] [--leads 1000,100000] [--workers 1,4]
 * [--warm-up 2000]`, on the built product with an embedded, durable PostgreSQL and a sandbox carrier in a process of its
 * own, which refuses each call at once: calls of zero length. The first attempts, `--warm-up` for each process, do not
 * count: a dialler runs for hours. Shown next to the rate, for each attempt: processor time of the workers and of
 * PostgreSQL, transactions, and writes of the log that were waited for. On a machine that does other work as well, those
 * are what can be compared.
 * Goals: 250 attempts a second with one worker on two cores, 300 with four; 100,000 leads cost at most 1.3 times 1,000.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import type * as OpaqueToken from '../src/common/auth/opaque-token.js';
import { EmbeddedPostgres } from '../src/database/embedded/embedded-postgres.js';
import { cpuMsOf, cpuMsOfSiblings } from './support/cpu-time.js';
import { fromDist } from './support/dist.js';

const { values } = parseArgs({
  options: {
    attempts: { type: 'string', default: '1000' },
    leads: { type: 'string', default: '1000,100000' },
    workers: { type: 'string', default: '1,4' },
    'warm-up': { type: 'string', default: '2000' },
  },
});
const ATTEMPTS = Number(values.attempts);
const WARM_UP = Number(values['warm-up']);
const SPEED = '1000000';
const PARALLEL = 200;
const KEY = Buffer.alloc(32, 7).toString('base64');

const children = new Set<ChildProcess>();

function run(file: string, args: readonly string[], environment: Record<string, string> = {}): ChildProcess {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [file, ...args], {
    env: { PATH, HOME, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.add(child);
  return child;
}

async function textOf(child: ChildProcess, pattern: RegExp): Promise<string> {
  let output = '';
  child.stdout?.on('data', (text) => (output += String(text)));
  while (!pattern.test(output)) {
    if (child.exitCode !== null) throw new Error(`a process ended:\n${output}`);
    await sleep(20);
  }
  return pattern.exec(output)?.[1] ?? '';
}

async function end(child: ChildProcess): Promise<void> {
  children.delete(child);
  child.kill('SIGTERM');
  if (child.exitCode === null) await once(child, 'exit');
}

/** An account, assistant, number and campaign of its own for each measurement, straight in the tables. */
async function seed(client: Client, leads: number): Promise<number> {
  const one = async (sql: string, parameters: unknown[] = []): Promise<number> =>
    Number((await client.query(sql, parameters)).rows[0].id);
  const user = await one('SELECT id FROM users ORDER BY id LIMIT 1');
  await client.query("UPDATE users SET plan_id = (SELECT id FROM plans WHERE code = 'unlimited')");
  const number = await one(
    `INSERT INTO phone_numbers (user_id, phone_number, country_code, type)
     VALUES ($1, '+551198' || lpad((random() * 9999999)::int::text, 7, '0'), 'BR', 'normal') RETURNING id`,
    [user],
  );
  const assistant = await one(
    "UPDATE assistants SET type = 'outbound', status = 'active', phone_number_id = $2 WHERE user_id = $1 RETURNING id",
    [user, number],
  );
  const campaign = await one(
    `INSERT INTO campaigns (user_id, assistant_id, name, timezone, max_calls_in_parallel, allowed_hours_start_time,
       allowed_hours_end_time, allowed_days, max_retries, retry_interval_minutes, retry_on_voicemail,
       retry_on_goal_incomplete, mark_complete_when_no_leads)
     VALUES ($1, $2, 'Bench', 'UTC', ${PARALLEL}, '00:00', '24:00',
       '{monday,tuesday,wednesday,thursday,friday,saturday,sunday}', 1, 4320, false, false, false) RETURNING id`,
    [user, assistant],
  );
  await client.query(
    `WITH added AS (INSERT INTO leads (user_id, campaign_id, phone_number)
       SELECT $1, $2, '+55119' || lpad((n * 100 + 4)::text, 8, '0') FROM generate_series(1, $3::int) AS n RETURNING id)
     INSERT INTO lead_dials (lead_id, user_id, campaign_id, due_at) SELECT id, $1, $2, now() FROM added`,
    [user, campaign, leads],
  );
  await client.query('ANALYZE');
  return campaign;
}

/** What has been used and done up to a moment. */
interface Used {
  readonly settled: number;
  readonly nodeMs: number;
  readonly databaseMs: number;
  readonly transactions: number;
  readonly flushes: number;
}

async function usedBy(client: Client, campaign: number, workers: readonly ChildProcess[]): Promise<Used> {
  const { rows } = await client.query(
    `SELECT pg_backend_pid() AS pid, pg_stat_get_db_xact_commit(oid) AS transactions,
       (SELECT sum(fsyncs) FROM pg_stat_io WHERE object = 'wal') AS flushes,
       (SELECT count(*) FROM dial_attempts WHERE campaign_id = $1 AND state = 'settled') AS settled
     FROM pg_database WHERE datname = current_database()`,
    [campaign],
  );
  return {
    settled: Number(rows[0].settled),
    nodeMs: workers.reduce((sumMs, { pid = 0 }) => sumMs + cpuMsOf(pid), 0),
    databaseMs: cpuMsOfSiblings(rows[0].pid),
    transactions: Number(rows[0].transactions),
    flushes: Number(rows[0].flushes),
  };
}

interface Measured {
  readonly perSecond: number;
  /** Of one attempt. */
  readonly cost: Omit<Used, 'settled'>;
}

async function measure(
  databaseUrl: string,
  carrierUrl: string,
  leads: number,
  workers: number,
): Promise<Measured> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const warmUp = WARM_UP * workers;
  const campaign = await seed(client, warmUp + leads);
  const started = Array.from({ length: workers }, () =>
    run('dist/main.js', [], {
      DATABASE_URL: databaseUrl,
      ENCRYPTION_KEY: KEY,
      PROSA_ROLES: 'worker',
      SANDBOX_CARRIER_URL: carrierUrl,
      SANDBOX_SPEED: SPEED,
      CALLS_MAX_IN_PARALLEL: '1000',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'error',
    }),
  );
  await Promise.all(started.map((worker) => textOf(worker, /(Model) /)));
  await client.query("UPDATE campaigns SET status = 'in-progress' WHERE id = $1", [campaign]);
  const goal = Math.min(ATTEMPTS, leads);
  const settledAre = async (count: number): Promise<Used> => {
    for (;;) {
      const used = await usedBy(client, campaign, started);
      if (used.settled >= count) return used;
      await sleep(100);
    }
  };
  const before = await settledAre(warmUp);
  const after = await settledAre(warmUp + goal);
  await client.query("UPDATE campaigns SET status = 'stopped' WHERE id = $1", [campaign]);
  await Promise.all(started.map(end));
  const { rows } = await client.query(
    `SELECT extract(epoch FROM max(settled_at) - min(settled_at)) AS seconds FROM (
       SELECT settled_at FROM dial_attempts WHERE campaign_id = $1 AND state = 'settled'
       ORDER BY settled_at OFFSET $2 LIMIT $3) AS counted`,
    [campaign, warmUp, goal],
  );
  await client.end();
  const each = (what: Exclude<keyof Used, 'settled'>) =>
    (after[what] - before[what]) / (after.settled - before.settled);
  return {
    perSecond: goal / Number(rows[0].seconds),
    cost: {
      nodeMs: each('nodeMs'),
      databaseMs: each('databaseMs'),
      transactions: each('transactions'),
      flushes: each('flushes'),
    },
  };
}

async function createAssistant(url: string, token: string): Promise<void> {
  const response = await fetch(`${url}/api/user/assistant`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      name: 'Bench',
      voice_id: 1,
      language_id: 1,
      llm_model_id: 1,
      type: 'outbound',
      mode: 'pipeline',
      timezone: 'UTC',
      initial_message: 'Olá!',
      system_prompt: 'Você é breve.',
    }),
  });
  if (!response.ok) throw new Error(`the assistant was refused: ${await response.text()}`);
}

const { makeToken } = await fromDist<typeof OpaqueToken>('common/auth/opaque-token.js');
const key = makeToken('prosa_');
const folder = await mkdtemp(join(tmpdir(), 'prosa-bench-dialler-'));
await chmod(folder, 0o711);
const postgres = await EmbeddedPostgres.start({ dataDir: folder, log: (line) => console.log(line) });
try {
  const carrier = run('dist/cli/sandbox-carrier.js', [
    '--port',
    '0',
    '--journal',
    join(folder, 'calls.jsonl'),
    '--speed',
    SPEED,
  ]);
  const carrierUrl = await textOf(carrier, /"url":"([^"]+)"/);
  const first = run('dist/main.js', [], {
    DATABASE_URL: postgres.url,
    ENCRYPTION_KEY: KEY,
    PROSA_ROLES: 'api',
    PORT: '0',
    BOOTSTRAP_EMAIL: 'bench@example.com',
    BOOTSTRAP_BALANCE: '100000',
    BOOTSTRAP_API_KEY: key,
  });
  await createAssistant(await textOf(first, /API\s+(\S+)\/api[\s\S]*Model /), key);
  await end(first);
  console.log(`${cpus().length} cores, ${ATTEMPTS} attempts a run after ${WARM_UP} for each process`);
  const rows: object[] = [];
  for (const workers of values.workers.split(',').map(Number)) {
    for (const leads of values.leads.split(',').map(Number)) {
      const { perSecond, cost } = await measure(postgres.url, carrierUrl, leads, workers);
      const result = {
        workers,
        leads,
        'attempts/s': Number(perSecond.toFixed(1)),
        'ms/attempt': Number((1_000 / perSecond).toFixed(2)),
        'node cpu ms': Number(cost.nodeMs.toFixed(2)),
        'PostgreSQL cpu ms': Number(cost.databaseMs.toFixed(2)),
        transactions: Number(cost.transactions.toFixed(2)),
        'log flushes': Number(cost.flushes.toFixed(2)),
      };
      console.log(JSON.stringify(result));
      rows.push(result);
    }
  }
  console.table(rows);
} finally {
  await Promise.all([...children].map(end));
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
