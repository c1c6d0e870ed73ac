import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { prosaVersion } from '../../src/config/prosa-version.js';
import { TEST_ENCRYPTION_KEY } from '../support/app.js';
import { cloneDatabase, type TestDatabase } from '../support/database.js';
import { buildProduct, ProsaProcess } from '../support/prosa-process.js';

/** An operator starts this release after a newer one has migrated the database. */
describe('a start on the database of a newer release', () => {
  let database: TestDatabase;
  let client: Client;
  let folder: string;
  const running: ProsaProcess[] = [];

  beforeAll(async () => {
    await buildProduct();
    database = await cloneDatabase();
    client = new Client({ connectionString: database.url });
    await client.connect();
    folder = await mkdtemp(join(tmpdir(), 'prosa-rollback-'));
    await client.query(
      `INSERT INTO migrations (timestamp, name) VALUES (1999999999999, 'Later1999999999999');
       INSERT INTO database_releases (version) VALUES ('900.0.0')`,
    );
  }, 180_000);
  afterAll(async () => {
    for (const prosa of running) prosa.kill('SIGKILL');
    await Promise.all(running.map((prosa) => prosa.exit()));
    await client.end();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  async function startAfter(oldestRelease: string): Promise<ProsaProcess> {
    await client.query(
      `INSERT INTO database_migrations VALUES ('Later1999999999999', $1)
       ON CONFLICT (migration) DO UPDATE SET oldest_release = excluded.oldest_release`,
      [oldestRelease],
    );
    const prosa = ProsaProcess.start({
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
      DATA_DIR: folder,
      PORT: '0',
      LOG_LEVEL: 'warn',
    });
    running.push(prosa);
    return prosa;
  }

  it('ends with code 1 and names the newest release and migration', async () => {
    const prosa = await startAfter('900.0.0');
    expect(await prosa.exit()).toBe(1);
    expect(prosa.text).toContain(
      `Prosa 900.0.0 has prepared this database (newest migration: Later1999999999999), and Prosa ${prosaVersion} does not run on it`,
    );
    expect(prosa.text).not.toMatch(/^ +at /m);
  }, 60_000);

  it('serves, with a warning, where the newer release says that this one may', async () => {
    const prosa = await startAfter(prosaVersion);
    const url = await prosa.ready();
    expect(prosa.text).toContain(
      `Prosa ${prosaVersion} runs on it, in the middle of an upgrade or after a rollback.`,
    );
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    expect(await prosa.stop()).toBe(0);
  }, 90_000);
});
