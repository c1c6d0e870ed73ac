import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { chmod, chown, cp, mkdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cleanUp, endProcess, makeFolder, query, startInProcess } from '../support/embedded-postgres.js';
import { buildProduct } from '../support/prosa-process.js';
import { findPlatformPackage } from '../../src/database/embedded/programs.js';
import { readPostmasterFile } from '../../src/database/embedded/postmaster-file.js';
import { ensureSystemUser } from '../../src/database/embedded/server-account.js';

const execute = promisify(execFile);
const UNPRIVILEGED = { uid: 65_534, gid: 65_534 };
const asRoot = process.platform === 'linux' && process.getuid?.() === 0;

/** The user the server of a data directory runs as. */
async function serverUser(dataDir: string): Promise<number> {
  const { pid } = (await readPostmasterFile(join(dataDir, 'postgres')))!;
  return (await stat(`/proc/${pid}`)).uid;
}

beforeAll(() => buildProduct(), 120_000);
afterEach(cleanUp);

(asRoot ? describe : describe.skip)('started by root', () => {
  test('the server runs as the system user postgres, and the rest of DATA_DIR stays with root', async () => {
    const dataDir = join(await makeFolder(), 'data');
    const owner = await startInProcess({ dataDir, durable: false });
    const { uid } = await ensureSystemUser('postgres');
    expect(await serverUser(dataDir)).toBe(uid);
    expect((await stat(join(dataDir, 'postgres', 'prosa.json'))).uid).toBe(uid);
    expect((await stat(dataDir)).uid).toBe(0);
    await endProcess(owner);
  });

  test("data and programs in root's closed home are reached", async () => {
    const home = await makeFolder();
    await chmod(home, 0o700);
    const packageDir = join(home, 'package');
    await cp(findPlatformPackage(), packageDir, { recursive: true, verbatimSymlinks: true });
    const dataDir = join(home, 'data');
    const owner = await startInProcess({ dataDir, packageDir, durable: false });
    expect(await query(owner.url, 'create table t (n int)', 'insert into t values (1) returning n')).toEqual([
      { n: 1 },
    ]);
    expect(await serverUser(dataDir)).toBe((await ensureSystemUser('postgres')).uid);
    expect((await stat(home)).mode & 0o777).toBe(0o700);
    await endProcess(owner);
    expect(await readPostmasterFile(join(dataDir, 'postgres'))).toBeNull();
  });

  test('in a closed home, a container without access gets an error that lists the remedies', async () => {
    const home = await makeFolder();
    await chmod(home, 0o700);
    const launcher = ['setpriv', '--bounding-set=-dac_read_search', '--inh-caps=-dac_read_search'];
    const { error } = await startInProcess({ dataDir: join(home, 'data') }, { launcher });
    expect(error).toBe(
      `EmbeddedPostgresError: PostgreSQL refuses to run as root, and the user it runs as instead may not enter ${home} on the way to ${home}/data: ` +
        'start Prosa as an ordinary user, choose a DATA_DIR every user can reach, or set DATABASE_URL to an existing PostgreSQL.',
    );
  });

  test('a server of another container on the same volume is not joined by a second one', async () => {
    const dataDir = await makeFolder();
    const owner = await startInProcess({ dataDir, durable: false });
    const launcher = ['unshare', '--pid', '--fork', '--mount-proc'];
    const { error } = await startInProcess({ dataDir, durable: false }, { launcher });
    expect(error).toBe(
      `EmbeddedPostgresError: The database in ${dataDir}/postgres is in use by a server this process cannot see, in another container most likely: stop that one first, or choose another DATA_DIR.`,
    );
    expect(await query(owner.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await endProcess(owner);
  });

  test('files that root restored from a backup are given to the server', async () => {
    const folder = await makeFolder();
    await endProcess(await startInProcess({ dataDir: join(folder, 'old'), durable: false }));
    await execute('cp', ['-r', join(folder, 'old'), join(folder, 'new')]);
    expect((await stat(join(folder, 'new', 'postgres'))).uid).toBe(0);
    const owner = await startInProcess({ dataDir: join(folder, 'new'), durable: false });
    expect(await query(owner.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await endProcess(owner);
  });

  test('a missing system user is made, without a home or a shell', async () => {
    const name = `prosa-test-${process.pid}`;
    try {
      const made = await ensureSystemUser(name);
      expect(await ensureSystemUser(name)).toEqual(made);
      expect(await readFile('/etc/passwd', 'utf8')).toContain(
        `${name}:x:${made.uid}:${made.gid}::/nonexistent:/usr/sbin/nologin`,
      );
    } finally {
      await execute('userdel', [name]);
      await execute('groupdel', [name]).catch(() => undefined);
    }
  });

  test('a system without the tools to make a user gets an error that says so', async () => {
    const call =
      "const { ensureSystemUser } = await import('./src/database/embedded/server-account.ts'); await ensureSystemUser('prosa-test-absent');";
    const run = execute(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', call], {
      env: { PATH: '/nonexistent' },
    });
    await expect(run).rejects.toMatchObject({
      stderr: expect.stringMatching(
        /EmbeddedPostgresError: PostgreSQL refuses to run as root, and the system user "prosa-test-absent" .* \(groupadd and useradd are not on this machine\): start/,
      ),
    });
  });
});

(asRoot ? describe : describe.skip)('started by an ordinary user', () => {
  async function makeUnprivilegedFolder(): Promise<string> {
    const folder = await makeFolder();
    await chown(folder, UNPRIVILEGED.uid, UNPRIVILEGED.gid);
    return folder;
  }

  test('the server lives as that user, survives a kill, and stays usable when root starts it once', async () => {
    const dataDir = await makeUnprivilegedFolder();
    const first = await startInProcess({ dataDir }, { ids: UNPRIVILEGED });
    await query(first.url, 'create table t (n int)', 'insert into t values (7)');
    expect(await serverUser(dataDir)).toBe(UNPRIVILEGED.uid);
    await endProcess(first, 'SIGKILL');
    const second = await startInProcess({ dataDir }, { ids: UNPRIVILEGED });
    await endProcess(second);
    const third = await startInProcess({ dataDir, port: 15496 });
    expect(await serverUser(dataDir)).toBe(UNPRIVILEGED.uid);
    await endProcess(third);
    const fourth = await startInProcess({ dataDir }, { ids: UNPRIVILEGED });
    expect(await query(fourth.url, 'select n from t')).toEqual([{ n: 7 }]);
    await endProcess(fourth);
  });

  test('library links go to DATA_DIR when the package may not be written to', async () => {
    const packageDir = join(await makeFolder(), 'package');
    await cp(findPlatformPackage(), packageDir, { recursive: true, verbatimSymlinks: true });
    const list = JSON.parse(await readFile(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8'));
    await Promise.all(
      list.map(({ target }: { target: string }) => rm(join(packageDir, target), { force: true })),
    );
    const dataDir = await makeUnprivilegedFolder();
    const owner = await startInProcess({ dataDir, packageDir, durable: false }, { ids: UNPRIVILEGED });
    expect(await query(owner.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect((await stat(join(dataDir, 'postgres-libraries', 'libpq.so.5'))).isFile()).toBe(true);
    await endProcess(owner);
  });

  test("another user's database is refused in a sentence", async () => {
    const dataDir = await makeUnprivilegedFolder();
    await mkdir(join(dataDir, 'postgres'), { mode: 0o700 });
    const { error } = await startInProcess({ dataDir }, { ids: UNPRIVILEGED });
    expect(error).toBe(
      `EmbeddedPostgresError: The database files in ${dataDir}/postgres cannot be read (EACCES): ` +
        'start Prosa as the user they belong to or as root, or choose another DATA_DIR.',
    );
  });

  test('a DATA_DIR that the user may not write to is reported in a sentence', async () => {
    const dataDir = await makeFolder();
    const { error } = await startInProcess({ dataDir }, { ids: UNPRIVILEGED });
    expect(error).toContain(
      `The folder ${dataDir} for Prosa's data cannot be used (EACCES): make it writable`,
    );
  });
});
