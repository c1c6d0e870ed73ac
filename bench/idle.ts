/**
 * What an idle Prosa costs: `npm run bench -- idle [--seconds 120] [--roles api,worker,voice] [--voice-processes 0]`, on the
 * built product. With one voice process it is what `npm start` runs.
 *
 * Starts `node dist/main.js` on a database of its own, lets it settle, and then counts processor time, of Prosa and of
 * PostgreSQL, and connections while nothing is asked of it. Goals: 1 % of a core, all processes together, and 12
 * connections.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { EmbeddedPostgres } from '../src/database/embedded/embedded-postgres.js';
import { cpuMsOf, cpuMsOfFamily, cpuMsOfTree } from './support/cpu-time.js';
import { freePort } from '../test/support/free-port.js';

const MAX_SHARE = 0.01;
const MAX_CONNECTIONS = 12;
/**
 * Until what a start does once is over: connections that only the start needed are closed, and V8 has taken back the memory
 * of the start. Seen with --trace-gc: it compacts at about 70, 120 and 125 s and then rests; these three alone are half a
 * second of processor time, more than a minute of being idle costs.
 */
const SETTLE_SECONDS = 240;
const LOOK_EVERY_MS = 1_000;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '120' },
    roles: { type: 'string', default: 'api,worker,voice' },
    'voice-processes': { type: 'string', default: '0' },
  },
});
const seconds = Number(values.seconds);

const dataDir = await mkdtemp(join(tmpdir(), 'prosa-bench-idle-'));
// Under root the database runs as another user, who must get in.
await chmod(dataDir, 0o711);
const postgres = await EmbeddedPostgres.start({ dataDir, log: (line) => console.log(line) });
const database = new Client({ connectionString: postgres.url });
let prosa: ChildProcess | undefined;
try {
  await database.connect();
  prosa = await startProsa();
  await sleep(SETTLE_SECONDS * 1_000);
  await measure(prosa.pid ?? 0);
} finally {
  prosa?.kill('SIGTERM');
  if (prosa) await once(prosa, 'exit');
  await database.end();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function startProsa(): Promise<ChildProcess> {
  const port = await freePort();
  const child = spawn(process.execPath, ['dist/main.js'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      PROSA_ROLES: values.roles,
      VOICE_PROCESSES: values['voice-processes'],
      PORT: String(port),
      LOG_LEVEL: 'warn',
      DATA_DIR: dataDir,
      DATABASE_URL: postgres.url,
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    },
  });
  if (!values.roles.includes('api')) return child;
  for (let tries = 0; !(await isReady(port)); tries++) {
    if (child.exitCode !== null || tries > 600) throw new Error('Prosa did not start');
    await sleep(100);
  }
  return child;
}

async function isReady(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function measure(pid: number): Promise<void> {
  const { rows } = await database.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const backendPid = rows[0]?.pid ?? 0;
  const cpu = () => ({ prosa: cpuMsOfTree(pid), postgres: cpuMsOfFamily(backendPid) - cpuMsOf(backendPid) });
  const before = cpu();
  const transactionsBefore = await transactions();
  const openedBefore = await connectionsOpened();
  const startedAt = performance.now();
  let most = 0;
  while (performance.now() - startedAt < seconds * 1_000) {
    most = Math.max(most, await connections());
    await sleep(LOOK_EVERY_MS);
  }
  const elapsedMs = performance.now() - startedAt;
  const after = cpu();
  const looks = Math.round(elapsedMs / LOOK_EVERY_MS);
  const perSecond = ((await transactions()) - transactionsBefore - looks) / (elapsedMs / 1_000);
  const opened = (await connectionsOpened()) - openedBefore;
  report({
    openedPerMinute: opened / (elapsedMs / 60_000),
    prosa: (after.prosa - before.prosa) / elapsedMs,
    postgres: (after.postgres - before.postgres) / elapsedMs,
    connections: most,
    perSecond,
  });
}

async function connections(): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM pg_stat_activity
      WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
  );
  return rows[0]?.count ?? 0;
}

async function connectionsOpened(): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    'SELECT sessions::float8 AS count FROM pg_stat_database WHERE datname = current_database()',
  );
  return rows[0]?.count ?? 0;
}

async function transactions(): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    'SELECT xact_commit::float8 AS count FROM pg_stat_database WHERE datname = current_database()',
  );
  return rows[0]?.count ?? 0;
}

interface Figures {
  readonly prosa: number;
  readonly postgres: number;
  readonly connections: number;
  readonly openedPerMinute: number;
  readonly perSecond: number;
}

function report(figures: Figures): void {
  const percent = (share: number) => `${(share * 100).toFixed(2)} %`;
  const share = figures.prosa + figures.postgres;
  console.log(
    `\nIdle for ${seconds} s, roles ${values.roles}, ${values['voice-processes']} extra voice processes:`,
  );
  console.log(`  processor, of one core     ${percent(share)}   (goal ${percent(MAX_SHARE)})`);
  console.log(`    Prosa                    ${percent(figures.prosa)}`);
  console.log(`    PostgreSQL               ${percent(figures.postgres)}`);
  console.log(`  connections at most        ${figures.connections}   (goal ${MAX_CONNECTIONS})`);
  console.log(`  opened anew, a minute      ${figures.openedPerMinute.toFixed(1)}`);
  console.log(`  transactions a second      ${figures.perSecond.toFixed(1)}`);
  if (share > MAX_SHARE || figures.connections > MAX_CONNECTIONS) process.exitCode = 1;
}
