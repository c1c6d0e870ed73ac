import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import {
  cleanUp,
  copyFolder,
  endProcess,
  killServer,
  makeFolder,
  query,
  startInProcess,
} from '../support/embedded-postgres.js';
import { buildProduct } from '../support/prosa-process.js';
import { readPostmasterFile } from '../../src/database/embedded/postmaster-file.js';
import {
  EmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from '../../src/database/embedded/embedded-postgres.js';

const opened: EmbeddedPostgres[] = [];
const lines: string[] = [];
/** Other test files run servers too: one of them may take a port between a stop and a start. */
const linesButMoves = () => lines.filter((line) => !/^Port \d+ is taken: from now on/.test(line));

/** Fast unless durability is the point; stopped at the end of the test. */
async function start(
  dataDir: string,
  options: Partial<EmbeddedPostgresOptions> = {},
): Promise<EmbeddedPostgres> {
  const server = await EmbeddedPostgres.start({
    dataDir,
    durable: false,
    log: (line) => lines.push(line),
    ...options,
  });
  opened.push(server);
  return server;
}

async function timed<T>(step: string, work: () => Promise<T>): Promise<{ result: T; elapsedMs: number }> {
  const begunMs = performance.now();
  const result = await work();
  const elapsedMs = performance.now() - begunMs;
  process.stdout.write(`embedded PostgreSQL, ${step}: ${Math.round(elapsedMs)} ms\n`);
  return { result, elapsedMs };
}

/** A folder with a database that was used and stopped. */
async function makeUsedFolder(): Promise<string> {
  return copyFolder(model);
}

const NOTE = ['create table note (body text)', "insert into note values ('kept')"];
const readNotes = (url: string) => query<{ body: string }>(url, 'select body from note');

let model: string;

beforeAll(async () => {
  await buildProduct();
  model = await mkdtemp(join(tmpdir(), `prosa-test-${process.pid}-`));
  await chmod(model, 0o711);
  const server = await EmbeddedPostgres.start({ dataDir: model, durable: false, log: () => undefined });
  await server.stop();
}, 120_000);

afterAll(() => rm(model, { recursive: true, force: true }));

afterEach(async () => {
  await Promise.allSettled(opened.splice(0).map((server) => server.stop()));
  await cleanUp();
  lines.length = 0;
});

describe('an ordinary life', () => {
  test('the second start is fast, on the same port, and finds the data', async () => {
    const dataDir = await makeFolder();
    const first = await timed('first start', () => start(dataDir, { durable: true }));
    await query(first.result.url, ...NOTE);
    await timed('stop', () => first.result.stop());
    // The first start takes long enough on a busy machine to be announced.
    lines.length = 0;
    const second = await timed('second start', () => start(dataDir, { durable: true }));
    // 50 to 80 ms on a free machine; a test run shares its cores.
    expect(second.elapsedMs).toBeLessThan(30_000);
    expect(second.result).toMatchObject({ port: first.result.port, url: first.result.url });
    expect(await readNotes(second.result.url)).toEqual([{ body: 'kept' }]);
    expect(linesButMoves()).toEqual([]);
  });

  test('the server is durable, answers on this machine only, and sorts names as people do', async () => {
    const { url } = await start(await makeUsedFolder(), { durable: true });
    const settings = `select name, setting from pg_settings where name in
      ('fsync','full_page_writes','synchronous_commit','listen_addresses','server_encoding','data_checksums','TimeZone') order by name collate "C"`;
    const rows = await query<{ name: string; setting: string }>(url, settings);
    expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
      TimeZone: 'UTC',
      data_checksums: 'on',
      fsync: 'on',
      full_page_writes: 'on',
      listen_addresses: '127.0.0.1',
      server_encoding: 'UTF8',
      synchronous_commit: 'on',
    });
    const names = await query<{ name: string }>(
      url,
      "select * from (values ('Zeca'), ('Ágata'), ('ana')) as v(name) order by name",
    );
    expect(names.map(({ name }) => name)).toEqual(['Ágata', 'ana', 'Zeca']);
  });

  test('Prosa talks to it by its Unix socket, and by TCP from a folder whose path is too long for one', async () => {
    const bySocket = 'select inet_server_addr() is null as "bySocket"';
    const { url } = await start(await makeUsedFolder());
    expect(await query(url, bySocket)).toEqual([{ bySocket: true }]);
    await expect(query(url.replace(/:[^:@]+@/, ':wrong@'), 'select 1')).rejects.toThrow(
      'password authentication failed',
    );
    const deep = join(await makeFolder(), 'a'.repeat(100));
    await mkdir(deep, { mode: 0o711 });
    const far = await start(deep);
    expect(await query(far.url, bySocket)).toEqual([{ bySocket: false }]);
  });

  test('Prosa works under a role that owns its database and is no superuser', async () => {
    const dataDir = await makeUsedFolder();
    const { url, port } = await start(dataDir);
    const role = 'select rolsuper, rolcreaterole, rolcreatedb from pg_roles where rolname = current_user';
    expect(await query(url, 'create extension pg_trgm', role)).toEqual([
      { rolsuper: false, rolcreaterole: false, rolcreatedb: false },
    ]);
    expect((await stat(join(dataDir, 'postgres', 'prosa.json'))).mode & 0o777).toBe(0o600);
    await expect(query(`postgres://prosa:wrong@127.0.0.1:${port}/prosa`, 'select 1')).rejects.toThrow(
      'password authentication failed',
    );
  });

  test('a failed statement leaves neither its text nor its values in the log', async () => {
    const dataDir = await makeUsedFolder();
    const { url } = await start(dataDir);
    await query(
      url,
      'create table contact (phone text unique)',
      "insert into contact values ('+5511900001234')",
    );
    await expect(query(url, "insert into contact values ('+5511900001234')")).rejects.toThrow(
      'duplicate key',
    );
    expect(await readFile(join(dataDir, 'postgres.log'), 'utf8')).not.toContain('5511900001234');
  });

  test('stopping ends the server in order, with clients still connected, and may be asked for twice', async () => {
    const dataDir = await makeUsedFolder();
    const server = await start(dataDir);
    const slow = query(server.url, 'select pg_sleep(30)').catch((error: Error) => error.message);
    const sleeping = "select 1 from pg_stat_activity where wait_event = 'PgSleep'";
    while ((await query(server.adminUrl, sleeping)).length === 0) await sleep(10);
    await Promise.all([server.stop(), server.stop()]);
    expect(await slow).toBe('terminating connection due to administrator command');
    expect(await readPostmasterFile(join(dataDir, 'postgres'))).toBeNull();
    expect(await readFile(join(dataDir, 'postgres.log'), 'utf8')).toMatch(/database system is shut down\s*$/);
    expect(linesButMoves()).toEqual([]);
  });

  (process.platform === 'linux' ? test : test.skip)(
    'the server is out of reach of Ctrl-C and knows no secret of ours',
    async () => {
      const dataDir = await makeUsedFolder();
      await start(dataDir);
      const { pid } = (await readPostmasterFile(join(dataDir, 'postgres')))!;
      const processGroup = async (of: string) =>
        (await readFile(`/proc/${of}/stat`, 'utf8')).split(') ')[1]!.split(' ')[2];
      expect(await processGroup(String(pid))).toBe(String(pid));
      expect(await processGroup('self')).not.toBe(String(pid));
      const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
      expect(environment).not.toContain('PROSA_TEST_DATABASE_URL');
    },
  );
});

describe('after a violent end', () => {
  const serverOf = async (dataDir: string) => (await readPostmasterFile(join(dataDir, 'postgres')))?.pid;

  test('the server of a killed process is stopped and started anew, with its data, and stops with its new owner', async () => {
    const dataDir = await makeUsedFolder();
    const owner = await startInProcess({ dataDir });
    await query(owner.url, ...NOTE);
    const left = await serverOf(dataDir);
    await endProcess(owner, 'SIGKILL');
    const { result: server } = await timed('start after a kill', () => start(dataDir));
    expect(server.port).toBe(owner.port);
    expect(await serverOf(dataDir)).not.toBe(left);
    expect(await readNotes(server.url)).toEqual([{ body: 'kept' }]);
    expect(await readFile(join(dataDir, 'postgres.log'), 'utf8')).not.toContain('automatic recovery');
    await server.stop();
    expect(await serverOf(dataDir)).toBeUndefined();
  });

  test('the server of a killed process is kept while another process works with it', async () => {
    const dataDir = await makeUsedFolder();
    const owner = await startInProcess({ dataDir, durable: false });
    const left = await serverOf(dataDir);
    const worker = new Client({ connectionString: owner.url });
    await worker.connect();
    await endProcess(owner, 'SIGKILL');
    const server = await start(dataDir);
    expect(await serverOf(dataDir)).toBe(left);
    expect((await worker.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await worker.end();
    await server.stop();
    expect(await serverOf(dataDir)).toBeUndefined();
  });

  test('a start after a kill takes the port that was asked for', async () => {
    const dataDir = await makeUsedFolder();
    const owner = await startInProcess({ dataDir, durable: false });
    await endProcess(owner, 'SIGKILL');
    const server = await start(dataDir, { port: 15498 });
    expect(server.port).toBe(15498);
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('what was committed survives the kill of process and server together', async () => {
    const dataDir = await makeUsedFolder();
    const owner = await startInProcess({ dataDir });
    await query(owner.url, ...NOTE);
    await endProcess(owner, 'SIGKILL');
    await killServer(join(dataDir, 'postgres'));
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(true);
    const { result: server } = await timed('start with recovery', () => start(dataDir, { durable: true }));
    expect(await readNotes(server.url)).toEqual([{ body: 'kept' }]);
  });

  test('a lock file whose process number belongs to another program by now is no obstacle', async () => {
    const dataDir = await makeUsedFolder();
    const clusterDir = join(dataDir, 'postgres');
    // This very process: alive, of the same user, and surely not PostgreSQL.
    await writeFile(
      join(clusterDir, 'postmaster.pid'),
      [process.pid, clusterDir, 1, 5440, '.', '127.0.0.1', '1 1', 'ready'].join('\n'),
    );
    await start(dataDir);
    expect(await serverOf(dataDir)).not.toBe(process.pid);
  });

  test('a first start killed half way is cleaned up and done again', async () => {
    const dataDir = await makeFolder();
    const killed = startInProcess({ dataDir }).catch(() => undefined);
    const unfinished = async () =>
      (await readdir(dataDir)).filter((entry) => entry.startsWith('postgres.new-'));
    let folder: string | undefined;
    // PG_VERSION is there early: its presence does not tell a whole cluster.
    while (!folder || !existsSync(join(dataDir, folder, 'cluster', 'PG_VERSION'))) {
      [folder] = await unfinished();
      await sleep(2);
    }
    process.kill(Number(folder.split('-')[1]), 'SIGKILL');
    await Promise.race([killed, sleep(300)]);
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false);
    const server = await start(dataDir);
    expect(await unfinished()).toEqual([]);
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('a server that dies is started again on the same port, and still stops with its owner', async () => {
    const dataDir = await makeUsedFolder();
    const server = await start(dataDir, { durable: true });
    await query(server.url, ...NOTE);
    await killServer(join(dataDir, 'postgres'));
    while (!lines.includes('The database is back.')) await sleep(10);
    expect(await readNotes(server.url)).toEqual([{ body: 'kept' }]);
    await server.stop();
    expect(await readPostmasterFile(join(dataDir, 'postgres'))).toBeNull();
  });
});

describe('more than one process', () => {
  test('a second Prosa on the same data is refused in a sentence and harms nothing', async () => {
    const dataDir = await makeUsedFolder();
    const server = await start(dataDir);
    await query(server.url, ...NOTE);
    const second = await startInProcess({ dataDir });
    expect(second.error).toBe(
      `EmbeddedPostgresError: Another Prosa (process ${process.pid}) is running on the data in ${dataDir}: stop it first, or choose another DATA_DIR.`,
    );
    expect(await readNotes(server.url)).toEqual([{ body: 'kept' }]);
  });

  test('a command next to a running Prosa joins its database and leaves it running', async () => {
    const dataDir = await makeUsedFolder();
    const server = await start(dataDir);
    const guest = await startInProcess({ dataDir, joinRunning: true });
    expect(guest).toMatchObject({ url: server.url });
    await endProcess(guest);
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('of two first starts at once one wins, and the database is whole', async () => {
    const dataDir = await makeFolder();
    const outcomes = await Promise.allSettled([start(dataDir), start(dataDir)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const refused = outcomes.find((outcome) => outcome.status === 'rejected');
    expect(refused?.reason.message).toMatch(/^Another Prosa \(process \d+\) is running on the data in /);
    expect(await query(opened[0]!.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres.log']);
  });

  test('a start while the predecessor is stopping waits for its end', async () => {
    const dataDir = await makeUsedFolder();
    const first = await start(dataDir);
    const stopping = first.stop();
    const second = await start(dataDir);
    await stopping;
    expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});

describe('ports', () => {
  async function occupy(port: number): Promise<() => Promise<void>> {
    const blocker = createServer().listen(port, '127.0.0.1');
    await new Promise((resolve) => blocker.once('listening', resolve));
    return () => new Promise((resolve) => blocker.close(() => resolve()));
  }

  test('a taken port is named together with the variable to change', async () => {
    const free = await occupy(15497);
    await expect(start(await makeUsedFolder(), { port: 15497 })).rejects.toMatchObject({
      name: 'EmbeddedPostgresError',
      message:
        'Port 15497 is taken by another program, so the embedded PostgreSQL cannot listen on it: free the port, or set EMBEDDED_PG_PORT to another one.',
    });
    await free();
  });

  test('a port of our own choosing gives way when it is taken', async () => {
    const dataDir = await makeUsedFolder();
    const first = await start(dataDir);
    await first.stop();
    const free = await occupy(first.port);
    const second = await start(dataDir);
    expect(second.port).not.toBe(first.port);
    expect(lines).toEqual([
      `Port ${first.port} is taken: from now on the database listens on port ${second.port}.`,
    ]);
    await free();
  });
});

describe('files that are not as they should be', () => {
  test('a database of another major version is refused and left alone', async () => {
    const dataDir = await makeFolder();
    await mkdir(join(dataDir, 'postgres'));
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '17\n');
    await expect(start(dataDir)).rejects.toThrow(
      /was made by PostgreSQL 17, and this release brings PostgreSQL 18: carry it over/,
    );
    expect(await readdir(join(dataDir, 'postgres'))).toEqual(['PG_VERSION']);
  });

  test('a folder with something else in it is refused and left alone', async () => {
    const dataDir = await makeFolder();
    await mkdir(join(dataDir, 'postgres'));
    await writeFile(join(dataDir, 'postgres', 'thesis.txt'), 'years of work');
    await expect(start(dataDir)).rejects.toThrow(/holds something else: move it away/);
    expect(await readdir(join(dataDir, 'postgres'))).toEqual(['thesis.txt']);
  });

  test('a file in place of DATA_DIR is reported in a sentence', async () => {
    const path = join(await makeFolder(), 'data');
    await writeFile(path, '');
    await expect(start(path)).rejects.toThrow(
      `The folder ${path} for Prosa's data cannot be used (EEXIST): make it writable`,
    );
  });

  test('lost passwords are reported in a sentence', async () => {
    const dataDir = await makeUsedFolder();
    await writeFile(join(dataDir, 'postgres', 'prosa.json'), '{"port": 5440');
    await expect(start(dataDir)).rejects.toThrow(
      /prosa\.json, which keeps the passwords of the database in the same folder, is missing or damaged/,
    );
  });

  test("a cluster that cannot start is reported with PostgreSQL's own reason", async () => {
    const dataDir = await makeUsedFolder();
    await writeFile(join(dataDir, 'postgres', 'postgresql.conf'), 'no_such_setting = 1\n');
    await expect(start(dataDir)).rejects.toThrow(
      /^The database did not start \(.*FATAL:.*\): the whole story is in .*postgres\.log\.$/,
    );
  });

  test('indexes are built anew when the sorting rules come in another version', async () => {
    const dataDir = await makeUsedFolder();
    const first = await start(dataDir);
    await query(first.url, 'create table person (name text primary key)');
    const node = "select pg_relation_filenode('person_pkey') as node";
    const before = await query(first.url, node);
    await query(first.adminUrl, "update pg_database set datcollversion = '1.0'");
    await first.stop();
    const second = await start(dataDir);
    expect(await query(second.url, node)).not.toEqual(before);
    expect(lines).toContain(
      'The sorting rules of the database "prosa" have changed with this release: building its indexes anew.',
    );
    await second.stop();
    lines.length = 0;
    await start(dataDir);
    expect(linesButMoves()).toEqual([]);
  });
});
