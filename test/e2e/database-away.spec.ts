import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { TEST_ENCRYPTION_KEY } from '../support/app.js';
import { cloneDatabase, type TestDatabase } from '../support/database.js';
import { freePort } from '../support/free-port.js';
import { buildProduct, ProsaProcess } from '../support/prosa-process.js';

let database: TestDatabase;
let folder: string;
const running: ProsaProcess[] = [];

beforeAll(async () => {
  await buildProduct();
  database = await cloneDatabase();
  folder = await mkdtemp(join(tmpdir(), 'prosa-away-'));
}, 180_000);
afterEach(async () => {
  for (const prosa of running) prosa.kill('SIGKILL');
  await Promise.all(running.splice(0).map((prosa) => prosa.exit()));
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

function start(environment: Record<string, string>): ProsaProcess {
  const prosa = ProsaProcess.start({
    ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
    DATA_DIR: join(folder, 'data'),
    PORT: '0',
    LOG_LEVEL: 'warn',
    ...environment,
  });
  running.push(prosa);
  return prosa;
}

/** The address of the test database by TCP, with parts of it replaced. */
function addressOf(differences: Partial<Pick<URL, 'hostname' | 'port' | 'password' | 'pathname'>>): string {
  const url = Object.assign(new URL(database.url), { hostname: '127.0.0.1', ...differences });
  url.searchParams.delete('host');
  return url.href;
}

/** Lets the database be reached at a port of its own. */
async function openAt(port: number): Promise<Server> {
  const { port: target } = new URL(database.url);
  const server = createServer((client) => {
    const upstream = connect(Number(target), '127.0.0.1');
    client.on('error', () => upstream.destroy());
    upstream.on('error', () => client.destroy());
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return server;
}

describe('a start while the database is away', () => {
  it('waits with one sentence, is live and not ready, and starts when the database is there', async () => {
    const [port, operations] = [await freePort(), await freePort()];
    const prosa = start({
      DATABASE_URL: addressOf({ port: String(port) }),
      OPERATIONS_PORT: String(operations),
    });
    await prosa.says(
      new RegExp(`The database at 127.0.0.1:${port} cannot be reached .*waits for it up to 300 s`),
    );
    const status = async (path: string) => (await fetch(`http://127.0.0.1:${operations}${path}`)).status;
    expect(await status('/health/live')).toBe(200);
    expect(await status('/health/ready')).toBe(503);
    expect(await status('/metrics')).toBe(503);
    // Long enough for some more tries.
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    expect(prosa.text.match(/cannot be reached/g)).toHaveLength(1);

    const server = await openAt(port);
    try {
      await prosa.ready();
      expect(await status('/health/ready')).toBe(200);
      expect(await prosa.stop()).toBe(0);
    } finally {
      server.close();
    }
  }, 90_000);

  it('ends with a sentence after DATABASE_WAIT_SECONDS, and a service manager may start it again', async () => {
    const prosa = start({
      DATABASE_URL: addressOf({ hostname: 'no-such-host.invalid' }),
      DATABASE_WAIT_SECONDS: '1',
    });
    expect(await prosa.exit()).toBe(75);
    expect(prosa.text).toMatch(
      /The database at no-such-host\.invalid:\d+ cannot be reached \(.+\) after 1 s of waiting \(DATABASE_WAIT_SECONDS\): start the database, or correct DATABASE_URL\.\n$/,
    );
    expect(prosa.text).not.toMatch(/^ +at /m);
  }, 60_000);

  it.each([
    { what: 'a wrong password', differences: { password: 'wrong' }, says: 'password authentication failed' },
    { what: 'no password', differences: { password: '' }, says: 'password must be a string' },
    {
      what: 'a wrong database name',
      differences: { pathname: '/nothing' },
      says: 'database "nothing" does not exist',
    },
  ])(
    'ends at once with a sentence and code 1 for $what',
    async ({ differences, says }) => {
      const prosa = start({ DATABASE_URL: addressOf(differences) });
      expect(await prosa.exit()).toBe(1);
      expect(prosa.text).toContain('does not let Prosa in');
      expect(prosa.text).toContain(says);
      expect(prosa.text).not.toMatch(/^ +at /m);
    },
    60_000,
  );
});

describe('a process whose environment file is lost', () => {
  it.each(['api', 'worker', 'voice', 'api,voice'])(
    'makes no empty installation with the roles %s',
    async (roles) => {
      const prosa = start({ PROSA_ROLES: roles, ENCRYPTION_KEY: '' });
      expect(await prosa.exit()).toBe(1);
      expect(prosa.text).toContain('DATABASE_URL: is needed');
      expect(existsSync(join(folder, 'data', 'postgres'))).toBe(false);
    },
    60_000,
  );
});
