/**
 * A chat turn: `npm run bench -- chat [--seconds 10] [--only "10 accounts"]`, on the built product with a durable embedded
 * PostgreSQL. Each scenario runs, in turns, through Prosa and through a bare node:http + pg server that stores, holds,
 * asks the same model, stores and charges in two prepared statements. The latency that the platform adds is measured
 * against direct requests to the model.
 * Goals on two cores: with a model that answers at once, 300 turns a second at 50 conversations of one account and 400
 * over ten accounts, 5 ms of processor time a turn, half of what the bare server does; with a model of 600 ms, 8 ms
 * added (median) at one conversation and 15 ms at 50.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { EmbeddedPostgres } from '../src/database/embedded/embedded-postgres.js';
import { createBareTables, openLanes } from './chat/ground.js';
import { chosen } from './support/chosen.js';
import { type ChildServer, startChild } from './support/child-server.js';
import { cpuMsOf, cpuMsOfSiblings } from './support/cpu-time.js';
import { fromDist } from './support/dist.js';
import { loadLanes, percentile, wireRequest, type WireRequest } from './support/http-load.js';

const POOL_SIZE = 10;
const WARM_UP_SECONDS = 3;
const ROUNDS = 4;
const MIN_OF_BARE = 0.5;
const MAX_CPU_MS = 5;

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '10' }, only: { type: 'string' } },
});

interface Scenario {
  readonly name: string;
  readonly modelMs: number;
  readonly lanes: number;
  readonly accounts: number;
  /** Turns a second. */
  readonly rate?: number;
  /** What the median of a turn may add to the model's own time. */
  readonly addedMs?: number;
}

const SCENARIOS: readonly Scenario[] = [
  { name: '50 conversations, 1 account', modelMs: 0, lanes: 50, accounts: 1, rate: 300 },
  { name: '50 conversations, 10 accounts', modelMs: 0, lanes: 50, accounts: 10, rate: 400 },
  { name: '1 conversation, model of 600 ms', modelMs: 600, lanes: 1, accounts: 1, addedMs: 8 },
  { name: '50 conversations, model of 600 ms', modelMs: 600, lanes: 50, accounts: 1, addedMs: 15 },
];

interface Target {
  readonly url: URL;
  readonly requests: readonly WireRequest[];
  readonly nodeCpuMs: () => number;
}

interface Figures {
  readonly rps: number;
  /** Processor time of a turn, the server's own and the database's. */
  readonly nodeMs: number;
  readonly databaseMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const dataDir = await mkdtemp(join(tmpdir(), 'prosa-bench-chat-'));
// Under root the database runs as another user, who must get in.
await chmod(dataDir, 0o711);
const postgres = await EmbeddedPostgres.start({ dataDir, log: (line) => console.log(line) });
const servers: ChildServer[] = [];
const database = new Client({ connectionString: postgres.url });
try {
  const { migrate } = await fromDist<typeof import('../src/database/preparation/migrate.js')>(
    'database/preparation/migrate.js',
  );
  await migrate(postgres.url);
  await database.connect();
  await createBareTables(database);
  await run();
} finally {
  await database.end();
  for (const server of servers) await server.stop();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function run(): Promise<void> {
  const start = async (script: URL, environment: Record<string, string>) => {
    const server = await startChild(script, environment);
    servers.push(server);
    return server;
  };
  const model = await start(new URL('chat/model-server.ts', import.meta.url), {});
  const environment = {
    DATABASE_URL: postgres.url,
    DATABASE_POOL_SIZE: String(POOL_SIZE),
    OPENAI_BASE_URL: `${model.origin}/v1`,
    OPENAI_MODEL: 'any',
  };
  const prosa = await start(new URL('support/app-server.ts', import.meta.url), environment);
  const bare = await start(new URL('chat/bare-server.ts', import.meta.url), environment);
  const { rows } = await database.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const databasePid = rows[0]?.pid ?? 0;

  const results: [Scenario, Figures, Figures, Figures][] = [];
  for (const scenario of chosen(SCENARIOS, values.only)) {
    await fetch(`${model.origin}/delay/${scenario.modelMs}`, { method: 'POST' });
    const lanes = await openLanes(database, prosa.origin, scenario);
    const target = ({ origin, pid }: ChildServer, paths: readonly string[], body: object): Target => ({
      url: new URL(origin),
      requests: paths.map((path) =>
        wireRequest(new URL(path, origin), {}, { method: 'POST', body: () => JSON.stringify(body) }),
      ),
      nodeCpuMs: () => cpuMsOf(pid),
    });
    const question = { message: 'Olá, tudo bem?' };
    const direct = { model: 'm', stream: true, messages: [{ role: 'user', content: 'Olá' }] };
    const [ours, plain, asked] = await measure(
      [
        target(prosa, lanes.prosa, question),
        target(bare, lanes.bare, question),
        target(model, Array<string>(scenario.lanes).fill('/v1/chat/completions'), direct),
      ],
      () => cpuMsOfSiblings(databasePid),
      scenario.modelMs,
    );
    if (ours && plain && asked) results.push([scenario, ours, plain, asked]);
    console.log(`  ${scenario.name} done`);
  }
  report(results);
}

/** The servers take turns, so that a slow moment of the machine meets all. */
async function measure(
  targets: readonly Target[],
  databaseCpuMs: () => number,
  spreadMs: number,
): Promise<Figures[]> {
  const samples = targets.map(() => newSample());
  for (const { url, requests } of targets) await loadLanes(url, requests, WARM_UP_SECONDS, spreadMs);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, { url, requests, nodeCpuMs }] of targets.entries()) {
      const [nodeBefore, databaseBefore] = [nodeCpuMs(), databaseCpuMs()];
      const load = await loadLanes(url, requests, Number(values.seconds) / ROUNDS, spreadMs);
      const turns = Math.max(1, load.requests);
      samples[index]?.rps.push(load.requests / load.seconds);
      samples[index]?.nodeMs.push((nodeCpuMs() - nodeBefore) / turns);
      samples[index]?.databaseMs.push((databaseCpuMs() - databaseBefore) / turns);
      // Arguments of one call would be too many for the stack.
      for (const latencyMs of load.latenciesMs) samples[index]?.latenciesMs.push(latencyMs);
    }
  }
  return samples.map(({ rps, nodeMs, databaseMs, latenciesMs }) => ({
    rps: percentile(rps, 0.5),
    nodeMs: percentile(nodeMs, 0.5),
    databaseMs: percentile(databaseMs, 0.5),
    p50Ms: percentile(latenciesMs, 0.5),
    p99Ms: percentile(latenciesMs, 0.99),
  }));
}

function newSample(): Record<'rps' | 'nodeMs' | 'databaseMs' | 'latenciesMs', number[]> {
  return { rps: [], nodeMs: [], databaseMs: [], latenciesMs: [] };
}

function report(results: readonly [Scenario, Figures, Figures, Figures][]): void {
  const misses: string[] = [];
  const show = ({ nodeMs, databaseMs }: Figures) => `${nodeMs.toFixed(1)} + ${databaseMs.toFixed(1)}`;
  const table: Record<string, object> = {};
  for (const [{ name, rate, addedMs }, ours, plain, asked] of results) {
    const addedP50Ms = ours.p50Ms - asked.p50Ms;
    const ofBare = ours.rps / plain.rps;
    if (rate !== undefined) {
      if (ours.rps < rate) misses.push(`${name}: ${ours.rps.toFixed(0)}/s of ${rate}/s`);
      if (ofBare < MIN_OF_BARE) misses.push(`${name}: ${ofBare.toFixed(2)} of bare`);
      const cpuMs = ours.nodeMs + ours.databaseMs;
      if (cpuMs > MAX_CPU_MS) misses.push(`${name}: ${cpuMs.toFixed(1)} ms of processor time`);
    }
    if (addedMs !== undefined && addedP50Ms > addedMs)
      misses.push(`${name}: ${addedP50Ms.toFixed(1)} ms added`);
    table[name] = {
      'Prosa /s': ours.rps.toFixed(0),
      'bare /s': plain.rps.toFixed(0),
      'Prosa/bare': ofBare.toFixed(2),
      'Prosa cpu ms': show(ours),
      'bare cpu ms': show(plain),
      'added p50 ms': addedP50Ms.toFixed(1),
      'added p99 ms': (ours.p99Ms - asked.p99Ms).toFixed(1),
      'bare added p50 ms': (plain.p50Ms - asked.p50Ms).toFixed(1),
    };
  }
  console.log(`\n${cpus().length} processors; processor time of a turn: the server's + PostgreSQL's`);
  console.table(table);
  console.log(misses.length === 0 ? 'All goals are met.' : `Missed: ${misses.join('; ')}`);
  process.exitCode = misses.length === 0 ? 0 : 1;
}
