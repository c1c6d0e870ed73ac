/**
 * Whether accounts wait for one another: `npm run bench -- tenants [--tenants 200] [--seconds 15] [--workers 2]
 * [--every 200]`, on the built product with an embedded, durable PostgreSQL, one process for the API, some for workers, and a sandbox carrier
 * that refuses each call at once. Quiet accounts start calls, have leads that fall due and webhooks to deliver: first
 * alone, which is the reference, then next to one account that floods all three. Last, fifty accounts start a call at the
 * same moment, compared with one account that starts as many.
 * Goals: what the quiet ones wait for takes at most 3 times as long in the middle and at the 99th percentile, on a
 * machine with cores to spare; and many accounts together are no slower than one.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import type * as OpaqueToken from '../src/common/auth/opaque-token.js';
import { EmbeddedPostgres } from '../src/database/embedded/embedded-postgres.js';
import { fromDist } from './support/dist.js';
import { percentile } from './support/http-load.js';

const { values } = parseArgs({
  options: {
    tenants: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '15' },
    workers: { type: 'string', default: '2' },
    every: { type: 'string', default: '200' },
  },
});
const TENANTS = Number(values.tenants);
const PHASE_MS = Number(values.seconds) * 1_000;
const SPEED = '1000000';
const KEY = Buffer.alloc(32, 7).toString('base64');
const FLOOD_LEADS = 100_000;
const FLOODING_REQUESTS = 8;
/** Between two of what the quiet accounts do. */
const QUIET_EVERY_MS = Number(values.every);
const SAMPLE_EVERY_MS = 20;
const MAX_RATIO = 3;
const WARM_UP = 50;
/** More starts than that at once are refused to one account, and a refusal is no start. */
const AT_ONCE = 50;

interface Tenant {
  readonly userId: number;
  readonly assistantId: number;
  readonly campaignId: number;
  readonly token: string;
}

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

/** Something that takes webhooks. */
async function receiver(): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => {
    request.resume();
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() };
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

/** Accounts with money, a key, an assistant, a number and a running campaign without leads, straight in the tables. */
async function seedTenant(client: Client, token: string, hash: Buffer, webhookUrl: string): Promise<Tenant> {
  const { rows } = await client.query(
    `WITH owner AS (
       INSERT INTO users (plan_id, name, email)
       SELECT id, 'Bench', gen_random_uuid() || '@example.com' FROM plans WHERE code = 'unlimited' RETURNING id),
     money AS (INSERT INTO wallets (user_id, balance_micros) SELECT id, 100000000000 FROM owner),
     key AS (INSERT INTO api_keys (user_id, name, token_hash) SELECT id, 'bench', $1 FROM owner),
     number AS (
       INSERT INTO phone_numbers (user_id, phone_number, country_code, type)
       SELECT id, '+551197' || lpad(id::text, 7, '0'), 'BR', 'normal' FROM owner RETURNING id),
     assistant AS (
       INSERT INTO assistants (uuid, user_id, name, type, mode, status, language_id, voice_id, llm_model_id,
         phone_number_id, config)
       SELECT gen_random_uuid(), owner.id, a.name, 'outbound', a.mode, 'active', a.language_id, a.voice_id,
         a.llm_model_id, number.id, a.config || jsonb_build_object('is_webhook_active', true, 'webhook_url', $2::text,
           'send_webhook_only_on_completed', false, 'post_call_evaluation', false)
       FROM owner, number, (SELECT * FROM assistants ORDER BY id LIMIT 1) AS a RETURNING id, user_id),
     campaign AS (
       INSERT INTO campaigns (user_id, assistant_id, name, timezone, max_calls_in_parallel, allowed_hours_start_time,
         allowed_hours_end_time, allowed_days, max_retries, retry_interval_minutes, retry_on_voicemail,
         retry_on_goal_incomplete, mark_complete_when_no_leads, status)
       SELECT user_id, id, 'Bench', 'UTC', 100, '00:00', '24:00',
         '{monday,tuesday,wednesday,thursday,friday,saturday,sunday}', 1, 4320, false, false, false, 'in-progress'
       FROM assistant RETURNING id)
     SELECT assistant.user_id, assistant.id AS assistant_id, campaign.id AS campaign_id FROM assistant, campaign`,
    [hash, webhookUrl],
  );
  const [row] = rows;
  return { userId: row.user_id, assistantId: row.assistant_id, campaignId: row.campaign_id, token };
}

/** Leads that are due now, whose calls the carrier refuses. */
async function addLeads(client: Client, { userId, campaignId }: Tenant, count: number): Promise<void> {
  await client.query(
    `WITH added AS (
       INSERT INTO leads (user_id, campaign_id, phone_number, duplicate_allowed)
       SELECT $1, $2, '+55119' || lpad((n * 100 + 4)::text, 8, '0'), true FROM generate_series(1, $3::int) AS n
       RETURNING id)
     INSERT INTO lead_dials (lead_id, user_id, campaign_id, due_at) SELECT id, $1, $2, now() FROM added`,
    [userId, campaignId, count],
  );
}

let failures = 0;
let numbersCalled = 0;

/** Returns how long the answer took, in milliseconds; one that fails is counted apart. */
async function startCall(origin: string, { token, assistantId }: Tenant): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(`${origin}/api/user/make_call`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      // Each number once: a second call to one that is being called is refused.
      phone_number: `+55119${String((numbersCalled++ % 999_999) * 100 + 4).padStart(8, '0')}`,
      assistant_id: assistantId,
    }),
  });
  const text = await response.text();
  if (!response.ok && ++failures <= 3) console.error(`a call was refused: ${response.status} ${text}`);
  return performance.now() - startedAt;
}

/** Connections of Prosa that wait for a lock, by what they wait for, until the signal. */
async function sampleLocks(databaseUrl: string, signal: AbortSignal): Promise<Map<string, number>> {
  const sampler = new Client({ connectionString: databaseUrl });
  await sampler.connect();
  const waits = new Map<string, number>();
  let samples = 0;
  for (; !signal.aborted; samples++) {
    const { rows } = await sampler.query(
      "SELECT wait_event AS what, count(*)::int AS count FROM pg_stat_activity WHERE wait_event_type = 'Lock' GROUP BY 1",
    );
    for (const { what, count } of rows) waits.set(what, (waits.get(what) ?? 0) + count);
    await sleep(SAMPLE_EVERY_MS);
  }
  await sampler.end();
  return new Map([...waits].map(([what, count]) => [what, count / samples]));
}

interface Waits {
  readonly 'call start': readonly number[];
  readonly 'lead due to dialled': readonly number[];
  readonly 'webhook written to sent': readonly number[];
}

/** What the quiet accounts wait for while they do a little of everything. */
async function measure(client: Client, origin: string, quiet: readonly Tenant[]): Promise<Waits> {
  const { rows: began } = await client.query('SELECT clock_timestamp() AS at');
  const since = began[0].at;
  const starts: Promise<number>[] = [];
  const endsAt = performance.now() + PHASE_MS;
  for (let at = 0; performance.now() < endsAt; at++) {
    const [caller, dialler] = [quiet[(at * 2) % quiet.length], quiet[(at * 2 + 1) % quiet.length]];
    if (caller) starts.push(startCall(origin, caller));
    if (dialler) await addLeads(client, dialler, 1);
    await sleep(QUIET_EVERY_MS);
  }
  const callStarts = await Promise.all(starts);
  await sleep(3_000);
  const owners = quiet.map(({ userId }) => userId);
  const dialled = await client.query(
    `SELECT extract(epoch FROM coalesce(a.created_at, clock_timestamp()) - l.created_at) * 1000 AS ms
     FROM leads l LEFT JOIN dial_attempts a ON a.lead_id = l.id
     WHERE l.user_id = ANY($1::int[]) AND l.created_at >= $2`,
    [owners, since],
  );
  const sent = await client.query(
    `SELECT extract(epoch FROM coalesce(t.started_at, clock_timestamp()) - d.created_at) * 1000 AS ms
     FROM webhook_deliveries d LEFT JOIN webhook_attempts t ON t.delivery_id = d.id AND t.number = 1
     WHERE d.user_id = ANY($1::int[]) AND d.created_at >= $2`,
    [owners, since],
  );
  const ms = ({ rows }: { rows: { ms: string }[] }) => rows.map((row) => Number(row.ms));
  return {
    'call start': callStarts,
    'lead due to dialled': ms(dialled),
    'webhook written to sent': ms(sent),
  };
}

/** Runs until the signal: starts calls as fast as they are answered. */
async function flood(origin: string, tenant: Tenant, signal: AbortSignal): Promise<void> {
  const lane = async () => {
    while (!signal.aborted) await startCall(origin, tenant);
  };
  await Promise.all(Array.from({ length: FLOODING_REQUESTS }, lane));
}

function row(what: string, alone: readonly number[], flooded: readonly number[]): object {
  const at = (share: number) => [percentile(alone, share), percentile(flooded, share)] as const;
  const [p50, p50Flooded] = at(0.5);
  const [p99, p99Flooded] = at(0.99);
  const ratios = [p50Flooded / p50, p99Flooded / p99];
  return {
    what,
    n: `${alone.length} / ${flooded.length}`,
    'p50 ms': `${p50.toFixed(1)} → ${p50Flooded.toFixed(1)}`,
    'p99 ms': `${p99.toFixed(1)} → ${p99Flooded.toFixed(1)}`,
    'ratio p50': Number(ratios[0]?.toFixed(2)),
    'ratio p99': Number(ratios[1]?.toFixed(2)),
    [`≤ ${MAX_RATIO}`]: ratios.every((ratio) => ratio <= MAX_RATIO) ? 'yes' : 'no',
  };
}

const { makeToken, hashToken } = await fromDist<typeof OpaqueToken>('common/auth/opaque-token.js');
const key = makeToken('prosa_');
const folder = await mkdtemp(join(tmpdir(), 'prosa-bench-tenants-'));
await chmod(folder, 0o711);
const postgres = await EmbeddedPostgres.start({ dataDir: folder, log: () => undefined });
const receivers = await Promise.all([receiver(), receiver()]);
const client = new Client({ connectionString: postgres.url });
process.once('SIGINT', () => {
  for (const child of children) child.kill('SIGKILL');
  void postgres.stop().then(() => process.exit(130));
});
try {
  const carrier = run('dist/cli/sandbox-carrier.js', [
    '--port',
    '0',
    '--journal',
    join(folder, 'calls.jsonl'),
    '--speed',
    SPEED,
  ]);
  const environment = {
    DATABASE_URL: postgres.url,
    ENCRYPTION_KEY: KEY,
    SANDBOX_CARRIER_URL: await textOf(carrier, /"url":"([^"]+)"/),
    SANDBOX_SPEED: SPEED,
    CALLS_MAX_IN_PARALLEL: '1000',
    EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
  };
  const api = run('dist/main.js', [], {
    ...environment,
    PROSA_ROLES: 'api',
    PORT: '0',
    BOOTSTRAP_EMAIL: 'bench@example.com',
    BOOTSTRAP_API_KEY: key,
  });
  const origin = await textOf(api, /API\s+(\S+)\/api[\s\S]*Model /);
  await createAssistant(origin, key);
  await client.connect();
  const tenants: Tenant[] = [];
  for (let at = 0; at < TENANTS; at++) {
    const token = makeToken('prosa_');
    tenants.push(await seedTenant(client, token, hashToken(token), receivers[at === 0 ? 0 : 1].url));
  }
  const [loud, ...quiet] = tenants as [Tenant, ...Tenant[]];
  const workers = Array.from({ length: Number(values.workers) }, () =>
    run('dist/main.js', [], { ...environment, PROSA_ROLES: 'worker', OPERATIONS_PORT: '0' }),
  );
  await Promise.all(workers.map((worker) => textOf(worker, /(Model) /)));
  console.log(
    `${cpus().length} cores, ${TENANTS} accounts, ${workers.length} workers, ${PHASE_MS / 1_000} s a phase`,
  );

  // So that no process meets anything for the first time.
  for (const each of tenants.slice(0, WARM_UP)) await startCall(origin, each);
  await sleep(3_000);
  const alone = await measure(client, origin, quiet);

  await addLeads(client, loud, FLOOD_LEADS);
  await client.query('ANALYZE');
  const stop = new AbortController();
  const flooding = flood(origin, loud, stop.signal);
  await sleep(2_000);
  const sampling = sampleLocks(postgres.url, stop.signal);
  const { rows: before } = await client.query('SELECT count(*) AS calls FROM calls WHERE user_id = $1', [
    loud.userId,
  ]);
  const flooded = await measure(client, origin, quiet);
  const { rows: after } = await client.query('SELECT count(*) AS calls FROM calls WHERE user_id = $1', [
    loud.userId,
  ]);
  stop.abort();
  await flooding;
  await client.query("UPDATE campaigns SET status = 'stopped' WHERE id = $1", [loud.campaignId]);
  const perSecond = (Number(after[0].calls) - Number(before[0].calls)) / (PHASE_MS / 1_000 + 3);
  console.log(`One account floods with ${perSecond.toFixed(0)} calls a second; ${failures} starts failed.`);
  const locks =
    [...(await sampling)].map(([what, count]) => `${what} ${count.toFixed(2)}`).join(', ') || 'none';
  console.log(`Connections that wait for a lock during the flood, on average: ${locks}`);
  console.table((Object.keys(alone) as (keyof Waits)[]).map((what) => row(what, alone[what], flooded[what])));

  await sleep(5_000);
  const asOne: number[] = [];
  const asMany: number[] = [];
  for (let first = 0; first < TENANTS; first += AT_ONCE) {
    const many = tenants.slice(first, first + AT_ONCE);
    asOne.push(...(await Promise.all(many.map(() => startCall(origin, loud)))));
    await sleep(2_000);
    asMany.push(...(await Promise.all(many.map((each) => startCall(origin, each)))));
    await sleep(2_000);
  }
  console.log(`${AT_ONCE} calls at the same moment: of one account → one of each account`);
  console.table([row('call start', asOne, asMany)]);
  process.exitCode = failures > 0 ? 1 : 0;
} finally {
  await client.end();
  await Promise.all([...children].map(end));
  for (const each of receivers) each.close();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
