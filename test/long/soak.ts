// `npm run test:soak -- <minutes>`: mixed load at a moderate rate; what the processes and the database hold must stay flat.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Judge } from './load/judge.js';
import { Load } from './load/load.js';
import { SideLoad } from './load/side-load.js';
import { brokenPromises, comeToRest } from './load/verdict.js';
import { fail, say, table } from './say.js';
import type { ManagedProcess } from './stand/managed-process.js';
import { Stand } from './stand/stand.js';
import { growthOf, type Series, TABLES_THAT_GROW, type Trend } from './trend.js';

const SAMPLE_MS = 60_000;
/** So many samples at the least, or a trend says nothing. */
const FEWEST_SAMPLES = 6;
const PROBE_MS = 20_000;
const REST_MS = 120_000;
/** About six requests a second: a third of a small machine. */
const LOAD = {
  chats: 10,
  thinkMs: 3e3,
  leadEveryMs: 3e3,
  callEveryMs: 1e4,
  importRows: 10,
  importEveryMs: 2e4,
};

const minutes = Number(process.argv[2] ?? 60);

async function main(): Promise<void> {
  const stand = await Stand.start({ isProbed: true });
  try {
    const judge = new Judge(stand.contract);
    const load = await Load.prepare(stand, judge, LOAD);
    const side = new SideLoad(stand, judge);
    load.begin();
    side.begin();
    const series = await sampled(stand, minutes * 60_000);
    await side.end();
    await load.end();
    const restless = await comeToRest(stand, REST_MS);
    report(series, load.requests + side.requests, [
      ...stand.unwantedEnds,
      ...judge.violations,
      ...(restless === null ? [] : [`no rest within ${REST_MS} ms: ${restless}`]),
      ...(await brokenPromises(stand, load.promises)),
    ]);
  } finally {
    await stand.stop();
  }
}

/** A value for each name and sample, and the work done so far as `requests`. */
async function sampled(stand: Stand, forMs: number): Promise<Series> {
  const everyMs = Math.min(SAMPLE_MS, forMs / FEWEST_SAMPLES);
  const series: Series = new Map();
  const startedAt = performance.now();
  for (let n = 1; n * everyMs <= forMs; n++) {
    await sleep(Math.max(0, startedAt + n * everyMs - performance.now()));
    const values = { ...(await processValues(stand)), ...(await databaseValues(stand)) };
    for (const [name, value] of Object.entries(values)) {
      series.set(name, [
        ...(series.get(name) ?? []),
        { minutes: (performance.now() - startedAt) / 60_000, value },
      ]);
    }
    say(JSON.stringify({ minute: Number(((performance.now() - startedAt) / 60_000).toFixed(1)), ...values }));
  }
  return series;
}

async function processValues(stand: Stand): Promise<Record<string, number>> {
  const values: Record<string, number> = {};
  for (const one of [stand.api, stand.worker]) {
    const { name } = one.plan;
    const { rss, heapUsed, external, handles } = await probed(one);
    values[`${name} rss MB`] = megabytes(rss);
    values[`${name} heap MB`] = megabytes(heapUsed);
    values[`${name} external MB`] = megabytes(external);
    values[`${name} handles`] = handles;
    values[`${name} files`] = readdirSync(`/proc/${one.pid}/fd`).length;
  }
  return values;
}

function megabytes(bytes: number): number {
  return Number((bytes / 1_048_576).toFixed(1));
}

/** Lets the process collect its garbage, and tell. */
async function probed(
  one: ManagedProcess,
): Promise<{ rss: number; heapUsed: number; external: number; handles: number }> {
  const file = one.plan.environment.PROBE_FILE ?? '';
  rmSync(file, { force: true });
  one.signal('SIGUSR2');
  const deadline = performance.now() + PROBE_MS;
  while (performance.now() < deadline) {
    await sleep(20);
    try {
      return JSON.parse(readFileSync(file, 'utf8'));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  throw new Error(`${one.plan.name} did not tell what it holds`);
}

async function databaseValues(stand: Stand): Promise<Record<string, number>> {
  const database = await stand.cluster.connect();
  try {
    const { rows: tables } = await database.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
       WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`,
    );
    const counts = tables.map(
      ({ name }) => `(SELECT count(*) FROM ${name}) AS "${name.replace('public.', '')} rows"`,
    );
    const { rows } = await database.query<Record<string, string>>(
      `SELECT (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') AS connections,
         pg_database_size(current_database()) / 1048576 AS "database MB", ${counts.join(', ')}`,
    );
    return Object.fromEntries(Object.entries(rows[0] ?? {}).map(([name, value]) => [name, Number(value)]));
  } finally {
    await database.end();
  }
}

function report(series: Series, requests: number, broken: readonly string[]): void {
  const trends = [...series].map(([name, points]) => growthOf(name, points));
  const shown = trends.filter(({ first, last }) => first !== 0 || last !== 0);
  table(shown.map(({ name, ...rest }) => ({ what: name, ...rest })));
  const growing = trends.filter(({ verdict }) => verdict === 'GROWS').map(describe);
  for (const line of [...growing, ...broken]) say(line);
  say(
    JSON.stringify({
      minutes,
      requests,
      flat: growing.length === 0,
      growing: growing.length,
      broken: broken.length,
    }),
  );
  if (growing.length + broken.length > 0) fail('The soak failed.');
  else say(`Flat. Tables that grow with the work: ${TABLES_THAT_GROW.join(', ')}.`);
}

function describe({ name, first, last, allowed, growth }: Trend): string {
  return `${name} grows: from ${first} to ${last}, by the trend ${growth}, allowed ${allowed}`;
}

if (minutes > 0) await main();
else fail('Usage: npm run test:soak -- <minutes>');
