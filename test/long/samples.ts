import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { say, table } from './say.js';
import type { Cluster } from './testbed/cluster.js';
import type { ManagedProcess } from './testbed/managed-process.js';
import { growthOf, type Series, type Trend } from './trend.js';

const SAMPLE_MS = 60_000;
/** So many samples at the least, or a trend says nothing. */
const FEWEST_SAMPLES = 6;
const PROBE_MS = 20_000;

/**
 * What processes and the database hold, from time to time.
 *
 * @param processes were started with the probe
 */
export async function sampled(
  processes: readonly ManagedProcess[],
  cluster: Cluster,
  forMs: number,
): Promise<Series> {
  const everyMs = Math.min(SAMPLE_MS, forMs / FEWEST_SAMPLES);
  const series: Series = new Map();
  const startedAt = performance.now();
  for (let n = 1; n * everyMs <= forMs; n++) {
    await sleep(Math.max(0, startedAt + n * everyMs - performance.now()));
    const values = { ...(await processValues(processes)), ...(await databaseValues(cluster)) };
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

async function processValues(processes: readonly ManagedProcess[]): Promise<Record<string, number>> {
  const values: Record<string, number> = {};
  for (const one of processes) {
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

async function databaseValues(cluster: Cluster): Promise<Record<string, number>> {
  const database = await cluster.connect();
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

/** Prints what was held. Returns a line for each that grows and must not. */
export function growing(series: Series, processes?: number): string[] {
  const trends = [...series].map(([name, points]) => growthOf(name, points, processes));
  const shown = trends.filter(({ first, last }) => first !== 0 || last !== 0);
  table(shown.map(({ name, ...rest }) => ({ what: name, ...rest })));
  return trends.filter(({ verdict }) => verdict === 'GROWS').map(describe);
}

function describe({ name, first, last, allowed, growth }: Trend): string {
  return `${name} grows: from ${first} to ${last}, by the trend ${growth}, allowed ${allowed}`;
}
