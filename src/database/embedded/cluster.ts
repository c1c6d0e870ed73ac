import { randomBytes } from 'node:crypto';
import { chown, lchown, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf, EmbeddedPostgresError } from './embedded-postgres.error.js';
import { POSTGRES_MAJOR, type Programs } from './programs.js';

/** What Prosa keeps about a cluster, inside it, so that the one is never moved or restored without the other. */
export interface ClusterState {
  superuserPassword: string;
  /** The password of the role Prosa works under. */
  password: string;
  /** The port chosen at an earlier start, kept so that tools configured against it go on working. */
  port?: number;
}

const STATE_FILE = 'prosa.json';
const UNFINISHED = 'postgres.new-';

/** Whether the folder holds a complete cluster of our version. Throws for anything that must not be touched. */
export async function findCluster(clusterDir: string): Promise<boolean> {
  try {
    const version = (await readFile(join(clusterDir, 'PG_VERSION'), 'utf8')).trim();
    if (version === POSTGRES_MAJOR) return true;
    throw new EmbeddedPostgresError(
      `The database in ${clusterDir} was made by PostgreSQL ${version}, and this release brings PostgreSQL ${POSTGRES_MAJOR}: ` +
        'carry it over with pg_dump, or choose another DATA_DIR, or set DATABASE_URL to a PostgreSQL of that version.',
    );
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) throw error;
    if (codeOf(error) !== 'ENOENT') throw unreadable(clusterDir, error);
  }
  const entries = await readdir(clusterDir).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw unreadable(clusterDir, error);
  });
  if (entries.length === 0) return false;
  throw new EmbeddedPostgresError(
    `The folder ${clusterDir} is where the database belongs, but it holds something else: move it away, or choose another DATA_DIR.`,
  );
}

function unreadable(path: string, error: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The database files in ${path} cannot be read (${codeOf(error)}): ` +
      'start Prosa as the user they belong to or as root, or choose another DATA_DIR.',
  );
}

/**
 * Makes a cluster in a neighbouring folder and moves it to its place when it is complete. The place therefore holds a
 * whole cluster or nothing, also after an interruption.
 *
 * @param durable whether to wait until the files are on the disk.
 */
export async function createCluster(clusterDir: string, programs: Programs, durable: boolean): Promise<void> {
  const dataDir = dirname(clusterDir);
  const workDir = join(dataDir, `${UNFINISHED}${process.pid}-${randomBytes(6).toString('hex')}`);
  try {
    await mkdir(workDir, { mode: 0o700 });
    await giveToServer(workDir, programs);
    const state = { superuserPassword: newPassword(), password: newPassword() };
    const passwordFile = join(workDir, 'password');
    await writeFile(passwordFile, state.superuserPassword, { mode: 0o600 });
    await giveToServer(passwordFile, programs);
    const newDir = join(workDir, 'cluster');
    await initialise(newDir, passwordFile, programs, durable);
    await writeClusterState(newDir, state);
    await rename(newDir, clusterDir);
    if (durable) await flushFolder(dataDir);
  } catch (error) {
    // Another process may have made the same cluster a moment earlier, and removed ours: then that one counts.
    if (!(await findCluster(clusterDir))) throw error;
  } finally {
    await rm(workDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}

/** Removes what killed first starts have left. For the owner of the complete cluster, for whom no other one counts. */
export async function removeUnfinished(clusterDir: string): Promise<void> {
  const dataDir = dirname(clusterDir);
  for (const entry of await readdir(dataDir)) {
    if (!entry.startsWith(UNFINISHED)) continue;
    // An initdb may still be writing, and ends when its files are gone. The next start removes what it has left.
    await rm(join(dataDir, entry), { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }).catch(
      () => undefined,
    );
  }
}

async function giveToServer(path: string, { account: { ids } }: Programs): Promise<void> {
  if (ids) await chown(path, ids.uid, ids.gid);
}

/** Files that root copied or restored belong to root; the server refuses a folder that is not its user's. */
export async function adoptFilesOfRoot(clusterDir: string, programs: Programs): Promise<void> {
  const { ids } = programs.account;
  if (!ids || (await stat(clusterDir)).uid !== 0) return;
  for (const entry of await readdir(clusterDir, { recursive: true }))
    await lchown(join(clusterDir, entry), ids.uid, ids.gid);
  // Last, so that an interrupted pass is taken up again.
  await giveToServer(clusterDir, programs);
}

export async function readClusterState(clusterDir: string): Promise<ClusterState> {
  const path = join(clusterDir, STATE_FILE);
  try {
    const { superuserPassword, password, port } = JSON.parse(await readFile(path, 'utf8'));
    if (superuserPassword && password) return { superuserPassword, password, port };
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && !(error instanceof SyntaxError)) throw error;
  }
  throw new EmbeddedPostgresError(
    `The file ${path}, which keeps the passwords of the database in the same folder, is missing or damaged: restore it from a backup, or choose another DATA_DIR.`,
  );
}

/** Replaces the file as a whole: a crash leaves the old one or the new one. */
export async function writeClusterState(clusterDir: string, state: ClusterState): Promise<void> {
  const path = join(clusterDir, STATE_FILE);
  await writeFile(`${path}.new`, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600, flush: true });
  // Root writes on behalf of the account that owns the cluster, which may be the one to start it next time.
  const { uid, gid } = await stat(clusterDir);
  if (process.getuid?.() === 0) await chown(`${path}.new`, uid, gid);
  await rename(`${path}.new`, path);
}

function newPassword(): string {
  return randomBytes(24).toString('base64url');
}

async function initialise(
  newDir: string,
  passwordFile: string,
  programs: Programs,
  durable: boolean,
): Promise<void> {
  const args = [
    `--pgdata=${newDir}`,
    `--pwfile=${passwordFile}`,
    '--username=postgres',
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    ...(durable ? [] : ['--no-sync']),
  ];
  // People's names sort as people expect under ICU's root locale; a build without ICU has Unicode's rules for letters only.
  let result = await programs.run('initdb', [...args, '--locale-provider=icu', '--icu-locale=und']);
  if (/ICU is not supported/i.test(result.output)) {
    await rm(newDir, { recursive: true, force: true });
    result = await programs.run('initdb', [...args, '--locale-provider=builtin', '--builtin-locale=C.UTF-8']);
  }
  if (result.succeeded) return;
  const lines = result.output.split('\n').map((line) => line.trim());
  const telling =
    lines.find((line) => /(error|FATAL|loading shared libraries):/i.test(line)) ??
    lines.findLast(Boolean) ??
    'no reason given';
  throw new EmbeddedPostgresError(
    `The database could not be made in ${dirname(dirname(newDir))} (${telling}): choose another DATA_DIR, or set DATABASE_URL to an existing PostgreSQL.`,
  );
}

async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
