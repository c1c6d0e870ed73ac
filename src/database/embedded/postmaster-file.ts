import { execFile } from 'node:child_process';
import { readFile, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { codeOf, EmbeddedPostgresError } from './embedded-postgres.error.js';

const execute = promisify(execFile);

/** A server on our files, as its `postmaster.pid` tells. */
export interface RunningPostmaster {
  pid: number;
  port: number;
  /** False while it starts, recovers or stops. */
  ready: boolean;
}

/**
 * Finds the server that runs on a cluster (its real path). A file left by a dead server counts as none. So does one
 * whose process number another program has by now. That file is removed, because PostgreSQL would take the program
 * for a server.
 */
export async function findPostmaster(clusterDir: string): Promise<RunningPostmaster | null> {
  const entry = await readPostmasterFile(clusterDir);
  if (!entry) return null;
  const alive = isAlive(entry.pid);
  if (alive && (await servesCluster(entry.pid, clusterDir))) return entry;
  await refuseIfServedElsewhere(clusterDir, entry.port);
  // A server may have started since the file was read; its own file must stay.
  const latest = await readPostmasterFile(clusterDir);
  if (alive && latest?.pid === entry.pid) await rm(join(clusterDir, 'postmaster.pid'), { force: true });
  return null;
}

/** PostgreSQL 18 writes eight lines: pid, folder, start time, port, socket folder, address, shared memory, status. */
export async function readPostmasterFile(clusterDir: string): Promise<RunningPostmaster | null> {
  const content = await readFile(join(clusterDir, 'postmaster.pid'), 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return '';
    throw error;
  });
  const lines = content.split('\n').map((line) => line.trim());
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return null;
  return { pid, port: Number(lines[3] ?? 0), ready: lines[7] === 'ready' };
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Not permitted means that it lives, under another user.
    return codeOf(error) === 'EPERM';
  }
}

/**
 * Whether a process may be the cluster's server, which works in the cluster's folder. Where the system does not let us
 * look, true: two servers on one cluster destroy it.
 */
async function servesCluster(pid: number, clusterDir: string): Promise<boolean> {
  if (process.platform !== 'linux') {
    const asked = execute('ps', ['-ww', '-o', 'command=', '-p', String(pid)]);
    const command = await asked.then(({ stdout }) => stdout).catch(() => 'postgres');
    const isElsewhere = command.includes(' -D /') && !command.includes(` -D ${clusterDir} `);
    return command.includes('postgres') && !isElsewhere;
  }
  const cluster = await stat(clusterDir);
  try {
    const folder = await stat(`/proc/${pid}/cwd`);
    return folder.dev === cluster.dev && folder.ino === cluster.ino;
  } catch (error) {
    // It has ended.
    if (['ENOENT', 'ESRCH'].includes(codeOf(error))) return false;
    // PostgreSQL serves no folder of another user than its own.
    return stat(`/proc/${pid}`).then(
      ({ uid }) => uid === cluster.uid,
      () => false,
    );
  }
}

/**
 * A container does not see the processes of another, but both may have the same volume. PostgreSQL then takes the
 * other's lock file for a dead one, and two servers on one cluster destroy it. The socket of the other server is
 * among the files and answers.
 */
async function refuseIfServedElsewhere(clusterDir: string, port: number): Promise<void> {
  const path = join(clusterDir, `.s.PGSQL.${port}`);
  const answers = await new Promise<boolean>((resolve) => {
    const socket = connect(path);
    socket.setTimeout(1_000, () => socket.destroy(new Error('no answer')));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  }).catch(() => false); // A path too long for a socket is thrown; PostgreSQL has none there either.
  if (!answers) return;
  throw new EmbeddedPostgresError(
    `The database in ${clusterDir} is in use by a server this process cannot see, in another container most likely: stop that one first, or choose another DATA_DIR.`,
  );
}
