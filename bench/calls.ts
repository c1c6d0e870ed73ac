/**
 * Lists of calls: `npx tsx bench/calls.ts [--calls 1000000] [--seconds 6]`, on the built product (`npm run build`).
 *
 * One tenant has a tenth of the calls, many have 900 each. Every list is asked for by both kinds of tenant from Prosa and
 * from a bare node:http + pg server with the plain SQL, in turns, on the same database. Goals:
 * first pages of the big tenant cost at most 1.5 times those of the small one; Prosa serves the small tenant at least half
 * as fast as the bare server, and the big one never slower.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { EmbeddedPostgres } from '../src/database/embedded/embedded-postgres.js';
import { assistantOf, campaignOf, seed, type Seeded, type Tenant, waitUntilSettled } from './calls/seed.js';
import { chosen } from './support/chosen.js';
import { type ChildServer, startChild } from './support/child-server.js';
import { fromDist } from './support/dist.js';
import { cpuMsOf, cpuMsOfSiblings } from './support/cpu-time.js';
import { load, type LoadResult, percentile } from './support/http-load.js';

const CONNECTIONS = 8;
const POOL_SIZE = 10;
/** Until the compiler of the engine has settled; then briefly for each list. */
const FIRST_WARM_UP_SECONDS = 10;
const WARM_UP_SECONDS = 1;
const ROUNDS = 9;
const MAX_BIG_TO_SMALL = 1.5;
const MIN_OF_BARE_SMALL = 0.5;
const MIN_OF_BARE_BIG = 1;

interface Scenario {
  readonly name: string;
  readonly isFirstPage: boolean;
  readonly query: (tenant: Tenant) => Record<string, string | number>;
}

const lastPage = ({ calls }: Tenant) => Math.floor(calls / 15);

const SCENARIOS: readonly Scenario[] = [
  { name: 'unfiltered', isFirstPage: true, query: () => ({}) },
  { name: 'status', isFirstPage: true, query: () => ({ status: 'completed' }) },
  { name: 'type', isFirstPage: true, query: () => ({ type: 'inbound' }) },
  { name: 'phone_number', isFirstPage: true, query: () => ({ phone_number: '+5511900000007' }) },
  { name: 'assistant_id', isFirstPage: true, query: ({ userId }) => ({ assistant_id: assistantOf(userId) }) },
  { name: 'campaign_id', isFirstPage: true, query: ({ userId }) => ({ campaign_id: campaignOf(userId) }) },
  {
    name: 'date_from, date_to',
    isFirstPage: true,
    query: () => ({ date_from: '2025-02-10', date_to: '2025-11-20' }),
  },
  {
    name: 'status, assistant_id',
    isFirstPage: true,
    query: ({ userId }) => ({ status: 'busy', assistant_id: assistantOf(userId) }),
  },
  {
    name: 'type, date_from',
    isFirstPage: true,
    query: () => ({ type: 'web', date_from: '2025-06-15' }),
  },
  { name: 'last page', isFirstPage: false, query: (tenant) => ({ page: lastPage(tenant) }) },
  {
    name: 'status, half way',
    isFirstPage: false,
    query: (tenant) => ({ status: 'completed', page: Math.floor(lastPage(tenant) * 0.3) }),
  },
];

interface Target {
  readonly pid: number;
  readonly url: URL;
  readonly headers: Record<string, string>;
}

interface Figures {
  /** Of the middle one of the rounds, so that another program's burst spoils none of them. */
  readonly rps: number;
  readonly p99Ms: number;
  /** Processor time of a request, in the server and in the database. */
  readonly cpuMs: number;
}

interface Sample {
  readonly rps: number;
  readonly cpuMs: number;
}

type Server = 'prosa' | 'bare';
type Kind = 'big' | 'small';
type Row = Record<`${Server}.${Kind}`, Figures>;

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '6' },
    only: { type: 'string' },
  },
});
const total = Number(values.calls);
const seconds = Number(values.seconds);

const dataDir = await mkdtemp(join(tmpdir(), 'prosa-bench-calls-'));
// Under root the database runs as another user, who must get in.
await chmod(dataDir, 0o711);
const postgres = await EmbeddedPostgres.start({ dataDir, durable: false, log: (line) => console.log(line) });
const servers: ChildServer[] = [];
try {
  await run(postgres.url);
} finally {
  for (const server of servers) await server.stop();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function run(databaseUrl: string): Promise<void> {
  const database = new Client({ connectionString: databaseUrl });
  await database.connect();
  try {
    const { rows } = await database.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await compare(databaseUrl, rows[0]?.pid ?? 0);
  } finally {
    await database.end();
  }
}

async function compare(databaseUrl: string, databasePid: number): Promise<void> {
  const { migrate } = await fromDist<typeof import('../src/database/preparation/migrate.js')>(
    'database/preparation/migrate.js',
  );
  await migrate(databaseUrl);
  const seeded = await seed(databaseUrl, total);
  console.log(`${total} calls made in ${seeded.seconds.toFixed(1)} s`);
  const environment = { DATABASE_URL: databaseUrl, DATABASE_POOL_SIZE: String(POOL_SIZE) };
  const prosa = await startChild(new URL('support/app-server.ts', import.meta.url), environment);
  servers.push(prosa);
  console.log(`counts settled in ${(await waitUntilSettled(databaseUrl)).toFixed(1)} s`);
  const bare = await startChild(new URL('calls/bare-server.ts', import.meta.url), environment);
  servers.push(bare);

  const first = targetsOf({ query: () => ({}) }, seeded, prosa, bare);
  for (const target of [first['prosa.small'], first['bare.small']])
    await loadFor(target, FIRST_WARM_UP_SECONDS);
  const rows: [Scenario, Row][] = [];
  for (const scenario of chosen(SCENARIOS, values.only)) {
    const targets = targetsOf(scenario, seeded, prosa, bare);
    await expectSameAnswers(scenario, targets);
    rows.push([scenario, await measure(targets, databasePid)]);
    console.log(`  ${scenario.name} done`);
  }
  report(rows);
}

function targetsOf(
  { query }: Pick<Scenario, 'query'>,
  { big, small }: Seeded,
  prosa: ChildServer,
  bare: ChildServer,
): Record<keyof Row, Target> {
  const target = (server: ChildServer, path: string, parameters: object, headers = {}): Target => {
    const url = new URL(path, server.origin);
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, String(value));
    return { pid: server.pid, url, headers };
  };
  const ofProsa = (tenant: Tenant) =>
    target(prosa, '/api/user/calls', query(tenant), { Authorization: `Bearer ${tenant.token}` });
  const ofBare = (tenant: Tenant) => target(bare, '/', { user_id: tenant.userId, ...query(tenant) });
  return {
    'prosa.big': ofProsa(big),
    'prosa.small': ofProsa(small),
    'bare.big': ofBare(big),
    'bare.small': ofBare(small),
  };
}

/** A fast wrong answer would be worth nothing. */
async function expectSameAnswers({ name }: Scenario, targets: Record<keyof Row, Target>): Promise<void> {
  for (const kind of ['big', 'small'] as const) {
    const [ours, plain] = await Promise.all([
      digest(targets[`prosa.${kind}`]),
      digest(targets[`bare.${kind}`]),
    ]);
    if (ours !== plain)
      throw new Error(`${name}, ${kind} tenant: Prosa answers ${ours}, the plain SQL ${plain}`);
  }
}

async function digest({ url, headers }: Target): Promise<string> {
  const response = await fetch(url, { headers });
  const { total: count, data } = (await response.json()) as { total: number; data: { id: number }[] };
  return `${count}: ${data.map(({ id }) => id).join(' ')}`;
}

/** The servers take turns, so that a slow moment of the machine meets them all. */
async function measure(targets: Record<keyof Row, Target>, databasePid: number): Promise<Row> {
  const names = Object.keys(targets) as (keyof Row)[];
  const samples = new Map<string, Sample[]>(names.map((name) => [name, []]));
  const latenciesMs = new Map<string, number[]>(names.map((name) => [name, []]));
  for (const name of names) await loadFor(targets[name], WARM_UP_SECONDS);
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of names) {
      const cpuMs = () => cpuMsOf(targets[name].pid) + cpuMsOfSiblings(databasePid);
      const beforeMs = cpuMs();
      const result = await loadFor(targets[name], seconds / ROUNDS);
      const { requests } = result;
      samples
        .get(name)
        ?.push({ rps: requests / result.seconds, cpuMs: (cpuMs() - beforeMs) / Math.max(1, requests) });
      latenciesMs.set(name, (latenciesMs.get(name) ?? []).concat(result.latenciesMs));
    }
  }
  const figures = (name: string): Figures => {
    const own = samples.get(name) ?? [];
    return {
      rps: percentile(
        own.map(({ rps }) => rps),
        0.5,
      ),
      p99Ms: percentile(latenciesMs.get(name) ?? [], 0.99),
      cpuMs: percentile(
        own.map(({ cpuMs }) => cpuMs),
        0.5,
      ),
    };
  };
  return Object.fromEntries(names.map((name) => [name, figures(name)])) as Row;
}

function loadFor({ url, headers }: Target, duration: number): Promise<LoadResult> {
  return load(url, headers, { connections: CONNECTIONS, seconds: duration });
}

function report(rows: readonly [Scenario, Row][]): void {
  const misses: string[] = [];
  const table = rows.map(([scenario, row]) => {
    const bigToSmall = row['prosa.small'].rps / row['prosa.big'].rps;
    const ofBareSmall = row['prosa.small'].rps / row['bare.small'].rps;
    const ofBareBig = row['prosa.big'].rps / row['bare.big'].rps;
    if (scenario.isFirstPage && bigToSmall > MAX_BIG_TO_SMALL) misses.push(`${scenario.name}: big/small`);
    if (ofBareSmall < MIN_OF_BARE_SMALL) misses.push(`${scenario.name}: small tenant against bare`);
    if (ofBareBig < MIN_OF_BARE_BIG) misses.push(`${scenario.name}: big tenant against bare`);
    const show = ({ rps, p99Ms, cpuMs }: Figures) =>
      `${rps.toFixed(0)}/s ${p99Ms.toFixed(0)} ms ${cpuMs.toFixed(2)} ms`;
    const cpu = (a: keyof Row, b: keyof Row) => (row[a].cpuMs / row[b].cpuMs).toFixed(2);
    return {
      list: scenario.name,
      'Prosa big': show(row['prosa.big']),
      'Prosa small': show(row['prosa.small']),
      'bare big': show(row['bare.big']),
      'bare small': show(row['bare.small']),
      'cost big/small (cpu)': `${bigToSmall.toFixed(2)} (${cpu('prosa.big', 'prosa.small')})`,
      'Prosa/bare small (cpu)': `${ofBareSmall.toFixed(2)} (${cpu('bare.small', 'prosa.small')})`,
      'Prosa/bare big (cpu)': `${ofBareBig.toFixed(2)} (${cpu('bare.big', 'prosa.big')})`,
    };
  });
  console.log(
    `\n${total} calls, ${CONNECTIONS} connections, ${cpus().length} processors; requests/s and p99`,
  );
  console.table(Object.fromEntries(table.map(({ list, ...figures }) => [list, figures])));
  console.log(
    `Goals: cost big/small <= ${MAX_BIG_TO_SMALL} on first pages; Prosa/bare small >= ${MIN_OF_BARE_SMALL}; ` +
      `Prosa/bare big >= ${MIN_OF_BARE_BIG}`,
  );
  console.log(misses.length === 0 ? 'All goals are met.' : `Missed: ${misses.join('; ')}`);
  process.exitCode = misses.length === 0 ? 0 : 1;
}
