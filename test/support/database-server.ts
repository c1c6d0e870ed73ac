import 'reflect-metadata';
import { chmod, mkdtemp, readdir, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { isAlive } from '../../src/database/embedded/postmaster-file.js';
import { EmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.js';
import { migrate } from '../../src/database/preparation/migrate.js';
import { migrateQueues } from '../../src/queues/backend/queue-schema.js';
import { createTemplate, dropTemplate, type TemplateServer } from './database.js';
import { removeFolder } from './embedded-postgres.js';

const FOLDER = /^prosa-test-(\d+)-/;

/** The whole schema, that of the queues included. */
async function migrateAll(url: string): Promise<void> {
  await migrate(url);
  await migrateQueues(url, []);
}

/**
 * Gives the tests a server with a migrated template: the one PROSA_TEST_DATABASE_URL names (its role must be allowed
 * to make databases), or an embedded one that lives as long as the run.
 *
 * @returns the server, and what to do at the end of the run
 */
export async function startDatabaseServer(): Promise<{ server: TemplateServer; stop: () => Promise<void> }> {
  await removeLeftovers();
  const given = process.env.PROSA_TEST_DATABASE_URL;
  if (given) {
    const server = await createTemplate(given, migrateAll);
    return { server, stop: () => dropTemplate(server) };
  }
  const dataDir = await mkdtemp(join(tmpdir(), `prosa-test-${process.pid}-`));
  // Under root the server runs as another user, who must get in.
  await chmod(dataDir, 0o711);
  const postgres = await EmbeddedPostgres.start({
    dataDir,
    durable: false,
    log: (line) => console.log(line),
  });
  await allowDatabases(postgres);
  const server = await createTemplate(postgres.url, migrateAll);
  const stop = async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { server, stop };
}

/** Tests work under Prosa's ordinary role, as the product does; here it also copies databases. */
async function allowDatabases(server: EmbeddedPostgres): Promise<void> {
  const admin = new Client({ connectionString: server.adminUrl });
  await admin.connect();
  await admin.query('alter role prosa createdb');
  await admin.end();
}

/** A run that was killed leaves its folders and servers behind; the next run of that user removes them. */
async function removeLeftovers(): Promise<void> {
  const temporary = await realpath(tmpdir());
  for (const entry of await readdir(temporary)) {
    const runner = Number(FOLDER.exec(entry)?.[1]);
    if (!runner || isAlive(runner)) continue;
    const folder = join(temporary, entry);
    if ((await stat(folder)).uid === process.getuid?.()) await removeFolder(folder);
  }
}
