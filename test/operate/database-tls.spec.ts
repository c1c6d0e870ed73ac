import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdtemp, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeCertificate } from '@prosa/testing';
import { EmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.js';
import { query, removeFolder } from '../support/embedded-postgres.js';
import { buildProduct, ProsaProcess } from '../support/prosa-process.js';
import { until } from '../support/until.js';

const run = promisify(execFile);
const TLS_REFUSED =
  /No encrypted connection to the database at 127\.0\.0\.1:\d+ is possible \(.+\): name the file of its certificate/;
const KEY = randomBytes(32).toString('base64');

/** An operator's PostgreSQL with a certificate of its own. */
describe('TLS to PostgreSQL', () => {
  const [ofServer, ofOther, ofClient] = [makeCertificate(), makeCertificate(), makeCertificate()];
  let folder: string;
  let server: EmbeddedPostgres;
  const running: ProsaProcess[] = [];
  const file = (name: string) => join(folder, name);

  beforeAll(async () => {
    await buildProduct();
    folder = await realpath(await mkdtemp(join(tmpdir(), 'prosa-tls-')));
    await chmod(folder, 0o711);
    server = await EmbeddedPostgres.start({ dataDir: folder, durable: false, log: () => undefined });
    await writeFile(file('ca.pem'), ofServer.ca);
    await writeFile(file('other.pem'), ofOther.ca);
    await writeFile(file('client.pem'), ofClient.cert);
    await writeFile(file('client.key'), ofClient.key, { mode: 0o600 });
  }, 240_000);
  afterAll(async () => {
    for (const prosa of running) prosa.kill('SIGKILL');
    await Promise.all(running.map((prosa) => prosa.exit()));
    await server.stop();
    await removeFolder(folder);
  }, 60_000);

  /** Writes a file that only the account of the server reads. */
  async function writeForServer(name: string, content: string): Promise<void> {
    const path = join(folder, 'postgres', name);
    await writeFile(path, content, { mode: 0o600 });
    const { uid, gid } = await stat(join(folder, 'postgres', 'PG_VERSION'));
    if (process.getuid?.() === 0) await chown(path, uid, gid);
  }

  async function configure(...statements: string[]): Promise<void> {
    await query(server.adminUrl, ...statements, 'SELECT pg_reload_conf()');
  }

  const passwordOf = () => new URL(server.url).password;
  const urlWith = (parameters: string, host = '127.0.0.1') =>
    `postgres://prosa:${passwordOf()}@${host}:${server.port}/prosa?${parameters}`;
  const verified = () => urlWith(`sslmode=verify-full&sslrootcert=${file('ca.pem')}`);

  function start(databaseUrl: string, environment: Record<string, string> = {}): ProsaProcess {
    const prosa = ProsaProcess.start({
      DATABASE_URL: databaseUrl,
      ENCRYPTION_KEY: KEY,
      DATA_DIR: file('data'),
      PROSA_ROLES: 'api,worker',
      PORT: '0',
      LOG_LEVEL: 'warn',
      DATABASE_WAIT_SECONDS: '5',
      ...environment,
    });
    running.push(prosa);
    return prosa;
  }

  async function command(name: string, words: readonly string[], environment: Record<string, string>) {
    const { PATH = '', HOME = '' } = process.env;
    const env = { PATH, HOME, DATA_DIR: file('data'), ENCRYPTION_KEY: KEY, ...environment };
    const { stdout } = await run(process.execPath, [`dist/cli/${name}.js`, ...words], { env });
    return stdout;
  }

  async function refusalOf(databaseUrl: string): Promise<string> {
    const prosa = start(databaseUrl);
    expect({ code: await prosa.exit(), said: prosa.text }).toMatchObject({ code: 1 });
    expect(prosa.text).not.toMatch(/^ +at /m);
    expect(prosa.text).not.toContain(passwordOf());
    return prosa.text;
  }

  it.each(['require', 'verify-ca', 'verify-full'])(
    'is not given up with sslmode=%s where the server has none',
    async (mode) => {
      expect(await refusalOf(urlWith(`sslmode=${mode}`))).toContain(
        'offers no TLS, and sslmode in DATABASE_URL asks for it: set ssl = on in PostgreSQL, or take sslmode out.',
      );
    },
    60_000,
  );

  it('encrypts every connection of a running product and of its commands', async () => {
    await writeForServer('server.crt', ofServer.cert);
    await writeForServer('server.key', ofServer.key);
    await configure('ALTER SYSTEM SET ssl = on', 'ALTER SYSTEM SET log_connections = on');
    await until(async () => {
      const [row] = await query<{ ssl: string }>(server.adminUrl, 'SHOW ssl');
      return row?.ssl === 'on';
    });
    expect(await command('migrate', [], { MIGRATION_DATABASE_URL: verified() })).toContain('is prepared');
    const prosa = start(verified(), { PROSA_ROLES: 'api,worker,voice' });
    await prosa.ready();
    const connections = () =>
      query<{ name: string; ssl: boolean }>(
        server.adminUrl,
        `SELECT DISTINCT application_name AS name, ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
         WHERE usename = 'prosa' ORDER BY application_name`,
      );
    // Sessions for locks and notifications are opened when they are needed.
    await until(async () => {
      const names = (await connections()).map(({ name }) => name);
      return ['prosa', 'prosa-jobs-listener', 'prosa-queues'].every((name) => names.includes(name));
    }, 30_000);
    expect((await connections()).filter(({ ssl }) => !ssl)).toEqual([]);

    const environment = { DATABASE_URL: verified() };
    const made = await command(
      'account',
      ['create', '--email', 'ana@example.com', '--name', 'Ana'],
      environment,
    );
    expect(made).toContain('prosa_');
    expect(await command('keys', ['status'], environment)).not.toBe('');
    expect(await command('backup', [file('prosa.backup')], environment)).toContain('rows of');
    expect(await prosa.stop()).toBe(0);
    expect(await command('restore', [file('prosa.backup'), '--replace'], environment)).toContain(
      'Restored: ',
    );

    const log = await readFile(file('postgres.log'), 'utf8');
    const ofProsa = log.match(/connection authorized: user=prosa .*/g) ?? [];
    expect(ofProsa.length).toBeGreaterThan(20);
    expect(ofProsa.filter((line) => !line.includes('SSL enabled'))).toEqual([]);
  }, 180_000);

  it.each([
    ['require', ''],
    ['require', 'other.pem'],
    ['verify-ca', 'other.pem'],
    ['verify-full', 'other.pem'],
  ])(
    'with sslmode=%s refuses a server whose certificate it does not know (%s)',
    async (mode, ca) => {
      const said = await refusalOf(urlWith(`sslmode=${mode}${ca ? `&sslrootcert=${file(ca)}` : ''}`));
      expect(said).toMatch(TLS_REFUSED);
    },
    60_000,
  );

  it('refuses a certificate of another name, unless verify-ca is meant as PostgreSQL means it', async () => {
    const ca = `sslrootcert=${file('ca.pem')}`;
    expect(await refusalOf(urlWith(`sslmode=verify-full&${ca}`, 'localhost'))).toContain(
      'No encrypted connection to the database at localhost',
    );
    for (const parameters of [`sslmode=verify-ca&uselibpqcompat=true&${ca}`, 'sslmode=no-verify']) {
      const url = urlWith(parameters, 'localhost');
      expect(await command('migrate', [], { MIGRATION_DATABASE_URL: url })).toContain('is prepared');
    }
  }, 90_000);

  it('says which file it cannot read', async () => {
    const missing = file('missing.pem');
    expect(await refusalOf(urlWith(`sslmode=verify-full&sslrootcert=${missing}`))).toContain(
      `A file that DATABASE_URL names cannot be read (ENOENT: no such file or directory, open '${missing}')`,
    );
  }, 60_000);

  it('presents the certificate of a client', async () => {
    await writeForServer('clients.crt', ofClient.cert);
    const rules = join(folder, 'postgres', 'pg_hba.conf');
    const rule =
      'hostssl all prosa 127.0.0.1/32 scram-sha-256 clientcert=verify-ca\nhost all prosa all reject\n';
    await writeFile(rules, rule + (await readFile(rules, 'utf8')));
    await configure("ALTER SYSTEM SET ssl_ca_file = 'clients.crt'");
    const certificate = `&sslcert=${file('client.pem')}&sslkey=${file('client.key')}`;
    const prosa = start(verified() + certificate);
    await prosa.ready();
    const clients = await query<{ subject: string | null }>(
      server.adminUrl,
      `SELECT DISTINCT client_dn AS subject FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE usename = 'prosa'`,
    );
    expect(clients).toEqual([{ subject: '/CN=127.0.0.1' }]);
    expect(await prosa.stop()).toBe(0);

    expect(await refusalOf(verified())).toMatch(
      /asks for a certificate of the client \(connection requires .*\): name its file in sslcert/,
    );
    const plain = await refusalOf(urlWith(''));
    expect(plain).toMatch(/accepts no connection without TLS \(.*no encryption\): add sslmode=verify-full/);
  }, 120_000);
});
