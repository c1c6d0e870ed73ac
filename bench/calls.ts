/**
 * Lists of calls: `npx tsx bench/calls.ts [--calls 1000000] [--rows 10000000] [--seconds 6]`, on the built product (`npm run build`).
 *
 * One tenant has a tenth of the calls, many have 900 each. Every list is asked for by both kinds of tenant from Prosa and
 * from a bare node:http + pg server with the plain SQL, in turns, on the same database. Goals:
 * first pages of the big tenant cost at most 1.5 times those of the small one; Prosa serves the small tenant at least half
 * as fast as the bare server, and the big one never slower.
 *
 * With `--rows 10000000` it compares Prosa on that many calls with Prosa on `--calls`, each on a database of its own: lists may
 * cost 1.3 times as much. Ten million calls need 30 GB in the folder for temporary files.
 */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { measureGrowth } from './calls/growth.js';
import { type Scenario, SCENARIOS } from './calls/scenarios.js';
import type { Tenant } from './calls/seed.js';
import { SeededProsa, type Target, targetOf } from './calls/seeded-prosa.js';
import { chosen } from './support/chosen.js';
import { type ChildServer, startChild } from './support/child-server.js';
import { cpuMsOf, cpuMsOfSiblings } from './support/cpu-time.js';
import { load, type LoadResult, percentile } from './support/http-load.js';

const CONNECTIONS = 8;
/** Until the compiler of the engine has settled; then briefly for each list. */
const FIRST_WARM_UP_SECONDS = 10;
const WARM_UP_SECONDS = 1;
const ROUNDS = 9;
const MAX_BIG_TO_SMALL = 1.5;
const MIN_OF_BARE_SMALL = 0.5;
const MIN_OF_BARE_BIG = 1;

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
    rows: { type: 'string' },
    seconds: { type: 'string', default: '6' },
    only: { type: 'string' },
  },
});
const total = Number(values.calls);
const seconds = Number(values.seconds);

if (values.rows === undefined) {
  await compare();
} else {
  const scenarios = chosen(SCENARIOS, values.only).filter(({ isFirstPage }) => isFirstPage);
  const isWithin = await measureGrowth({ from: total, to: Number(values.rows), seconds, scenarios });
  process.exitCode = isWithin ? 0 : 1;
}

async function compare(): Promise<void> {
  const prosa = await SeededProsa.start(total);
  const database = new Client({ connectionString: prosa.environment.DATABASE_URL });
  try {
    await database.connect();
    const { rows: backends } = await database.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const bare = await startChild(new URL('calls/bare-server.ts', import.meta.url), prosa.environment);
    try {
      report(await measureAll(prosa, bare, backends[0]?.pid ?? 0));
    } finally {
      await bare.stop();
    }
  } finally {
    await database.end();
    await prosa.stop();
  }
}

async function measureAll(
  prosa: SeededProsa,
  bare: ChildServer,
  databasePid: number,
): Promise<[Scenario, Row][]> {
  const first = targetsOf({ query: () => ({}) }, prosa, bare);
  for (const target of [first['prosa.small'], first['bare.small']])
    await loadFor(target, FIRST_WARM_UP_SECONDS);
  const rows: [Scenario, Row][] = [];
  for (const scenario of chosen(SCENARIOS, values.only)) {
    const targets = targetsOf(scenario, prosa, bare);
    await expectSameAnswers(scenario, targets);
    rows.push([scenario, await measure(targets, databasePid)]);
    console.log(`  ${scenario.name} done`);
  }
  return rows;
}

function targetsOf(
  scenario: Pick<Scenario, 'query'>,
  prosa: SeededProsa,
  bare: ChildServer,
): Record<keyof Row, Target> {
  const { big, small } = prosa.seeded;
  const ofBare = (tenant: Tenant) =>
    targetOf(bare, '/', { user_id: tenant.userId, ...scenario.query(tenant) });
  return {
    'prosa.big': prosa.target(scenario, big),
    'prosa.small': prosa.target(scenario, small),
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
