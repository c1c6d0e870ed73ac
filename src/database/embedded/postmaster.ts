import { once } from 'node:events';
import { open, readFile, rename, stat, type FileHandle } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { findPostmaster, isAlive, readPostmasterFile } from './postmaster-file.js';
import type { Programs } from './programs.js';

const POLL_MS = 10;
/** PostgreSQL's names: INT is a fast shutdown, QUIT an immediate one. */
const STOPS = [
  ['INT', 20_000],
  ['QUIT', 5_000],
] as const;
const EXIT_LIMIT_MS = 500;
const LOG_LIMIT_BYTES = 5 * 1024 * 1024;
const MAY_SUCCEED_LATER =
  /could not create any TCP\/IP sockets|lock file "postmaster.pid" (already exists|is empty)|pre-existing shared memory block/;

export interface Launch {
  programs: Programs;
  /** A real path, without links. */
  clusterDir: string;
  logFile: string;
  port: number;
  durable: boolean;
}

/** A server that was started and may not be ready yet. It outlives this process unless it is stopped. */
export interface LaunchedPostmaster {
  readonly pid: number | undefined;
  readonly hasEnded: boolean;
  /**
   * Of one that has ended.
   * @returns null when another one held its port or the cluster, which may be a moment from its end: try again.
   */
  failure(): Promise<EmbeddedPostgresError | null>;
}

export async function launchPostmaster(launch: Launch): Promise<LaunchedPostmaster> {
  const { programs, logFile } = launch;
  const log = await openLog(logFile, programs);
  try {
    const { size } = await log.stat();
    const child = programs.spawn('postgres', serverArguments(launch), ['ignore', log.fd, log.fd]);
    // A signal that could not be sent would otherwise end this process.
    child.on('error', () => undefined);
    await once(child, 'spawn').catch((error: Error) => {
      throw programs.explain('postgres', error);
    });
    child.unref();
    return {
      pid: child.pid,
      get hasEnded() {
        return child.exitCode !== null || child.signalCode !== null;
      },
      failure: async () => explainExit((await readFile(logFile)).toString('utf8', size), logFile),
    };
  } finally {
    await log.close();
  }
}

async function openLog(path: string, { account }: Programs): Promise<FileHandle> {
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
 * The memory suits a small machine that Prosa shares; larger installations have their own PostgreSQL.
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
    ...(durable ? {} : NOT_DURABLE),
  };
  return [
    '-D',
    clusterDir,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}

/** For tests only: writes may be lost. */
const NOT_DURABLE = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: 0,
};

function explainExit(output: string, logFile: string): EmbeddedPostgresError | null {
  if (MAY_SUCCEED_LATER.test(output)) return null;
  const lines = output.split('\n');
  const telling =
    lines.findLast((line) => /(FATAL|PANIC|shared libraries):/.test(line)) ??
    lines.findLast((line) => line.trim() !== '');
  return new EmbeddedPostgresError(
    `The database did not start (${telling?.trim() ?? 'it gave no reason'}): the whole story is in ${logFile}.`,
  );
}

/**
 * Stops the server of a cluster: in order first, at once (with recovery at the next start) when that takes too long.
 * `pg_ctl stop` is not used because it watches the cluster, not the process: a server which the next Prosa starts as
 * soon as this one is gone would be taken for the old one, and stopped as well.
 */
export async function stopPostmaster(programs: Programs, clusterDir: string): Promise<void> {
  const server = await findPostmaster(clusterDir);
  if (!server) return;
  for (const [signal, limitMs] of STOPS) {
    // Through pg_ctl because Windows has no signals.
    await programs.run('pg_ctl', ['kill', signal, String(server.pid)]);
    if (await waitUntil(limitMs, async () => !(await holdsCluster(server.pid, clusterDir)))) {
      // After that it only writes a line to its log. The wait is short: without a parent that reaps it, an ended process
      // seems alive for ever.
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
