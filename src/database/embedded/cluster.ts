import { randomBytes } from 'node:crypto';
import { chown, lchown, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { POSTGRES_MAJOR } from './binaries.js';
import { codeOf, EmbeddedPostgresError } from './embedded-postgres.error.js';
import { writeClusterState, type ClusterState } from './cluster-state.js';
import { isAlive } from './postmaster-file.js';
import type { ProgramRunner } from './program-runner.js';

/** Folders in which this process is making a cluster. */
const underWay = new Set<string>();
const UNFINISHED = /^postgres\.new-(\d+)-/;

/** Whether the folder holds a complete cluster of our version. Throws for anything that must not be touched. */
export async function findCluster(clusterDir: string): Promise<boolean> {
  const version = await readVersion(clusterDir);
  if (version === null) return false;
  if (version === POSTGRES_MAJOR) return true;
  throw new EmbeddedPostgresError(
    `The database in ${clusterDir} was made by PostgreSQL ${version}, and this release brings PostgreSQL ${POSTGRES_MAJOR}: ` +
      'carry it over with pg_dump, or choose another DATA_DIR, or set DATABASE_URL to a PostgreSQL of that version.',
  );
}

async function readVersion(clusterDir: string): Promise<string | null> {
  try {
    return (await readFile(join(clusterDir, 'PG_VERSION'), 'utf8')).trim();
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw unreadable(clusterDir, error);
  }
  const entries = await readdir(clusterDir).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw unreadable(clusterDir, error);
  });
  if (entries.length === 0) return null;
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
 * Makes a cluster beside its place and moves it there when it is complete. Whatever interrupts this, the place holds
 * a whole cluster or nothing, so no start ever has to guess whether a folder may be deleted.
 *
 * @param durable whether to wait until the files are on the disk.
 */
export async function createCluster(
  clusterDir: string,
  runner: ProgramRunner,
  durable: boolean,
): Promise<void> {
  const dataDir = dirname(clusterDir);
  const workDir = join(dataDir, `postgres.new-${process.pid}-${randomBytes(6).toString('hex')}`);
  underWay.add(workDir);
  try {
    await removeUnfinished(dataDir);
    await mkdir(workDir, { mode: 0o700 });
    await giveToServer(workDir, runner);
    const state: ClusterState = { superuserPassword: newPassword(), password: newPassword() };
    const passwordFile = join(workDir, 'password');
    await writeFile(passwordFile, state.superuserPassword, { mode: 0o600 });
    await giveToServer(passwordFile, runner);
    const newDir = join(workDir, 'cluster');
    await initialise(newDir, passwordFile, runner, durable);
    await writeClusterState(newDir, state);
    await rename(newDir, clusterDir);
    if (durable) await flushFolder(dataDir);
  } catch (error) {
    // Another process may have made the same cluster a moment earlier: then that one counts.
    if (!['ENOTEMPTY', 'EEXIST'].includes(codeOf(error))) throw error;
  } finally {
    await rm(workDir, { recursive: true, force: true });
    underWay.delete(workDir);
  }
}

async function removeUnfinished(dataDir: string): Promise<void> {
  for (const entry of await readdir(dataDir)) {
    const maker = Number(UNFINISHED.exec(entry)?.[1]);
    const folder = join(dataDir, entry);
    // Every start in a container has the same number, so our own number alone does not make it ours.
    if (!maker || underWay.has(folder) || (maker !== process.pid && isAlive(maker))) continue;
    // The initdb of a killed process may still be writing; it ends when its files are gone.
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}

async function giveToServer(path: string, runner: ProgramRunner): Promise<void> {
  const { ids } = runner.account;
  if (ids) await chown(path, ids.uid, ids.gid);
}

/** Files that root copied or restored belong to root; the server refuses a folder that is not its user's. */
export async function adoptFilesOfRoot(clusterDir: string, runner: ProgramRunner): Promise<void> {
  const { ids } = runner.account;
  if (!ids || (await stat(clusterDir)).uid !== 0) return;
  for (const entry of await readdir(clusterDir, { recursive: true }))
    await lchown(join(clusterDir, entry), ids.uid, ids.gid);
  // Last, so that an interrupted pass is taken up again.
  await chown(clusterDir, ids.uid, ids.gid);
}

function newPassword(): string {
  return randomBytes(24).toString('base64url');
}

async function initialise(
  newDir: string,
  passwordFile: string,
  runner: ProgramRunner,
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
  let result = await runner.run('initdb', [...args, '--locale-provider=icu', '--icu-locale=und']);
  if (!result.succeeded && /ICU is not supported/i.test(result.output)) {
    await rm(newDir, { recursive: true, force: true });
    result = await runner.run('initdb', [...args, '--locale-provider=builtin', '--builtin-locale=C.UTF-8']);
  }
  if (!result.succeeded) throw new EmbeddedPostgresError(explainFailure(newDir, result.output));
}

function explainFailure(newDir: string, output: string): string {
  const lines = output.split('\n').map((line) => line.trim());
  const telling =
    lines.find((line) => /(error|FATAL|loading shared libraries):/i.test(line)) ??
    lines.findLast(Boolean) ??
    'no reason given';
  return `The database could not be made in ${dirname(dirname(newDir))} (${telling}): choose another DATA_DIR, or set DATABASE_URL to an existing PostgreSQL.`;
}

async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
