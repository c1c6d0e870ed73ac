import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { codeOf, EmbeddedPostgresError, messageOf } from './embedded-postgres.error.js';

const execute = promisify(execFile);

/** Whom PostgreSQL runs as. It refuses to run as root, so under root that is another user of the system. */
export interface ServerAccount {
  /** Only set under root, who alone can give them to a process. */
  ids?: { uid: number; gid: number };
  /** A command that takes PostgreSQL's own as its arguments, for folders which the user cannot reach by itself. */
  wrapper: readonly string[];
}

const WAYS_OUT =
  'start Prosa as an ordinary user, choose a DATA_DIR every user can reach, or set DATABASE_URL to an existing PostgreSQL';

/**
 * Chooses the account. Normally it is the present user. Under root it is the owner of the existing database files, so
 * that a database of an ordinary user stays usable by that user. Without files it is the system user `postgres`,
 * created when missing.
 *
 * @param clusterDir the database files, which need not exist yet.
 * @param reached folders the account must be able to reach; they exist.
 */
export async function chooseServerAccount(
  clusterDir: string,
  reached: readonly string[],
): Promise<ServerAccount> {
  if (process.getuid?.() !== 0) return { wrapper: [] };
  const ids = (await ownerOf(clusterDir)) ?? (await ensureSystemUser('postgres'));
  for (const folder of reached) {
    const closed = await findClosedFolder(folder, ids);
    if (!closed) continue;
    const wrapper = passingClosedFolders(ids);
    if (await runs([...wrapper, '/bin/true'])) return { ids, wrapper };
    throw new EmbeddedPostgresError(
      `PostgreSQL refuses to run as root, and the user it runs as instead may not enter ${closed} on the way to ${folder}: ${WAYS_OUT}.`,
    );
  }
  return { ids, wrapper: [] };
}

async function ownerOf(folder: string): Promise<{ uid: number; gid: number } | null> {
  try {
    const { uid, gid } = await stat(folder);
    return uid === 0 ? null : { uid, gid };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** @internal exported for its test. */
export async function ensureSystemUser(name: string): Promise<{ uid: number; gid: number }> {
  const known = await findSystemUser(name);
  if (known) return known;
  try {
    await execute('groupadd', ['--system', '--force', name]);
    const home = ['--no-create-home', '--home-dir', '/nonexistent', '--shell', '/usr/sbin/nologin'];
    await execute('useradd', ['--system', '--gid', name, ...home, name]);
  } catch (error) {
    const reason =
      codeOf(error) === 'ENOENT'
        ? 'groupadd and useradd are not on this machine'
        : messageOf(error).trim().replaceAll(/\s+/g, ' ');
    throw new EmbeddedPostgresError(
      `PostgreSQL refuses to run as root, and the system user "${name}" to run it could not be made (${reason}): ` +
        'start Prosa as an ordinary user, or set DATABASE_URL to an existing PostgreSQL.',
    );
  }
  const made = await findSystemUser(name);
  if (!made)
    throw new EmbeddedPostgresError(`The system user "${name}" was made but cannot be found: ${WAYS_OUT}.`);
  return made;
}

async function findSystemUser(name: string): Promise<{ uid: number; gid: number } | null> {
  try {
    const [uid, gid] = await Promise.all([execute('id', ['-u', name]), execute('id', ['-g', name])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return null;
  }
}

/** The first folder on the way to `folder`, itself included, which the user may not enter (root's home, mostly). */
async function findClosedFolder(folder: string, ids: { uid: number; gid: number }): Promise<string | null> {
  const way = [folder];
  while (dirname(way[0] ?? '/') !== way[0]) way.unshift(dirname(way[0] ?? '/'));
  for (const step of way) {
    const { mode, uid, gid } = await stat(step);
    const entry = uid === ids.uid ? 0o100 : gid === ids.gid ? 0o010 : 0o001;
    if ((mode & entry) === 0) return step;
  }
  return null;
}

/**
 * Lets the server pass folders closed to its user: `npm start` by root in root's home is an ordinary case, and making
 * that home public is not ours to do. The process keeps one capability of root's, reading past file permissions.
 * PostgreSQL asks `access(2)` about its own program, which ignores capabilities unless `no_setuid_fixup` is set.
 */
function passingClosedFolders(ids: { uid: number; gid: number }): string[] {
  const only = '-all,+dac_read_search';
  return [
    '/usr/bin/setpriv',
    `--reuid=${ids.uid}`,
    `--regid=${ids.gid}`,
    '--clear-groups',
    `--inh-caps=${only}`,
    `--ambient-caps=${only}`,
    `--bounding-set=${only}`,
    '--securebits=+no_setuid_fixup,+no_setuid_fixup_locked',
  ];
}

/** A system without the program, or a container that forbids it, fails. */
async function runs([file = '', ...args]: string[]): Promise<boolean> {
  return execute(file, args).then(
    () => true,
    () => false,
  );
}
