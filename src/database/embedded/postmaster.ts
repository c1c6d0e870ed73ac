import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { open, rename, stat, type FileHandle } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { findPostmaster, isAlive, readPostmasterFile } from './postmaster-file.js';
import type { ProgramRunner } from './program-runner.js';

const POLL_MS = 10;
/** PostgreSQL's names: INT is a fast shutdown, QUIT an immediate one. */
const STOPS = [
  ['INT', 20_000],
  ['QUIT', 5_000],
] as const;
const EXIT_LIMIT_MS = 500;
const LOG_LIMIT_BYTES = 5 * 1024 * 1024;

/** How a launch ended: `occupied` when another server holds the cluster, which may be a moment from its end. */
export type LaunchOutcome = 'ready' | 'port-busy' | 'occupied';

export interface Launch {
  runner: ProgramRunner;
  clusterDir: string;
  logFile: string;
  port: number;
  durable: boolean;
  /** How long recovery after a crash may take. */
  timeoutMs: number;
}

/** Starts the server and waits until it accepts connections. It outlives this process unless it is stopped. */
export async function launchPostmaster(launch: Launch): Promise<LaunchOutcome> {
  const { runner } = launch;
  const log = await openLog(launch.logFile, runner);
  try {
    const { size } = await log.stat();
    const child = runner.spawn('postgres', serverArguments(launch), ['ignore', log.fd, log.fd]);
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    // What it is about is seen below, by the process that is not there or does not stop; a signal that could not be sent
    // would otherwise end this process.
    child.on('error', () => undefined);
    await once(child, 'spawn').catch((error: Error) => {
      throw runner.explain('postgres', error);
    });
    if (await becomesReady(child, launch, ended)) {
      child.unref();
      return 'ready';
    }
    return explainExit(await log.read({ position: size, buffer: Buffer.alloc(64 * 1024) }), launch);
  } finally {
    await log.close();
  }
}

async function openLog(path: string, { account }: ProgramRunner): Promise<FileHandle> {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size > LOG_LIMIT_BYTES) await rename(path, `${path}.old`);
  const log = await open(path, 'a+', 0o600);
  // Root opens it now, the account itself may have to at the next start.
  if (account.ids) await log.chown(account.ids.uid, account.ids.gid);
  return log;
}

/**
 * Settings are arguments, not a file in the cluster: a new release may change them, and nothing else has to agree.
 * The memory suits a small machine which Prosa shares; whoever needs more has a PostgreSQL of their own.
 */
function serverArguments({ clusterDir, port, durable }: Launch): string[] {
  const settings: Record<string, string | number> = {
    listen_addresses: '127.0.0.1',
    port,
    // Relative to the cluster, so that no path is too long for a socket.
    unix_socket_directories: '.',
    unix_socket_permissions: '0700',
    max_connections: 200,
    shared_buffers: '128MB',
    effective_cache_size: '512MB',
    work_mem: '8MB',
    random_page_cost: 1.1,
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    // A failed statement is Prosa's to report; here its text and values would put customers' words into a log.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    ...(durable ? {} : FORGETFUL),
  };
  return [
    '-D',
    clusterDir,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}

/** For tests only: whatever is written may be lost. */
const FORGETFUL = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: 0,
};

/** Resolves to false when the server ended instead. */
async function becomesReady(child: ChildProcess, launch: Launch, ended: Promise<void>): Promise<boolean> {
  const deadlineMs = performance.now() + launch.timeoutMs;
  while (child.exitCode === null && child.signalCode === null) {
    const entry = await readPostmasterFile(launch.clusterDir);
    if (entry?.pid === child.pid && entry?.ready) return true;
    if (performance.now() > deadlineMs) {
      child.kill('SIGINT');
      await ended;
      throw new EmbeddedPostgresError(
        `The database was not ready after ${launch.timeoutMs / 1000} seconds: see ${launch.logFile}, and start again.`,
      );
    }
    await Promise.race([ended, sleep(POLL_MS)]);
  }
  return false;
}

function explainExit(
  { buffer, bytesRead }: { buffer: Buffer; bytesRead: number },
  launch: Launch,
): LaunchOutcome {
  const output = buffer.toString('utf8', 0, bytesRead);
  if (/could not create any TCP\/IP sockets/.test(output)) return 'port-busy';
  if (/lock file "postmaster.pid" (already exists|is empty)|pre-existing shared memory block/.test(output))
    return 'occupied';
  const lines = output.split('\n');
  const telling =
    lines.findLast((line) => /(FATAL|PANIC|shared libraries):/.test(line)) ??
    lines.findLast((line) => line.trim() !== '');
  throw new EmbeddedPostgresError(
    `The database did not start (${telling?.trim() ?? 'it gave no reason'}): the whole story is in ${launch.logFile}.`,
  );
}

/**
 * Stops the server of a cluster: in order first, at once (with recovery at the next start) when that takes too long.
 * `pg_ctl stop` is not used because it watches the cluster, not the process: a server which the next Prosa starts as
 * soon as this one is gone would be taken for the old one, and stopped as well.
 */
export async function stopPostmaster(runner: ProgramRunner, clusterDir: string): Promise<void> {
  const server = await findPostmaster(clusterDir);
  if (!server) return;
  for (const [signal, limitMs] of STOPS) {
    // Through pg_ctl because Windows has no signals.
    await runner.run('pg_ctl', ['kill', signal, String(server.pid)]);
    if (await waitUntil(limitMs, async () => !(await holdsCluster(server.pid, clusterDir)))) {
      // Its last act after that is a line in the log. Not waited for long: where nobody collects ended processes it
      // would seem alive for ever.
      await waitUntil(EXIT_LIMIT_MS, async () => !isAlive(server.pid));
      return;
    }
  }
  throw new EmbeddedPostgresError(`The database in ${clusterDir} (process ${server.pid}) did not stop.`);
}

/** A server takes its file away when it ends; one that was killed leaves it. */
async function holdsCluster(pid: number, clusterDir: string): Promise<boolean> {
  return isAlive(pid) && (await readPostmasterFile(clusterDir))?.pid === pid;
}

async function waitUntil(limitMs: number, condition: () => Promise<boolean>): Promise<boolean> {
  const deadlineMs = performance.now() + limitMs;
  while (!(await condition())) {
    if (performance.now() > deadlineMs) return false;
    await sleep(POLL_MS);
  }
  return true;
}
