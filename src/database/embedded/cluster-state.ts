import { chown, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, EmbeddedPostgresError } from './embedded-postgres.error.js';

/** What Prosa keeps about a cluster, inside it, so that the one is never moved or restored without the other. */
export interface ClusterState {
  superuserPassword: string;
  /** The password of the role Prosa works under. */
  password: string;
  /** The port chosen at an earlier start, kept so that tools configured against it go on working. */
  port?: number;
}

const FILE = 'prosa.json';

export async function readClusterState(clusterDir: string): Promise<ClusterState> {
  const path = join(clusterDir, FILE);
  const content = await readFile(path, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return '';
    throw error;
  });
  const state = parse(content);
  if (isClusterState(state)) return state;
  throw new EmbeddedPostgresError(
    `The file ${path}, which keeps the passwords of the database beside it, is missing or damaged: restore it from a backup, or choose another DATA_DIR.`,
  );
}

function parse(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return null;
  }
}

function isClusterState(state: unknown): state is ClusterState {
  if (typeof state !== 'object' || state === null) return false;
  const { superuserPassword, password, port } = state as Record<string, unknown>;
  return (
    typeof superuserPassword === 'string' &&
    typeof password === 'string' &&
    (port === undefined || typeof port === 'number')
  );
}

/** Replaces the file as a whole: a crash leaves the old one or the new one. */
export async function writeClusterState(clusterDir: string, state: ClusterState): Promise<void> {
  const path = join(clusterDir, FILE);
  await writeFile(`${path}.new`, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600, flush: true });
  // Root writes on behalf of the account that owns the cluster, which may be the one to start it next time.
  const { uid, gid } = await stat(clusterDir);
  if (process.getuid?.() === 0) await chown(`${path}.new`, uid, gid);
  await rename(`${path}.new`, path);
}
