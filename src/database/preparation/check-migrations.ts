import 'reflect-metadata';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../data-source-options.js';
import { EmbeddedPostgres } from '../embedded/embedded-postgres.js';
import { migrate } from './migrate.js';

/** Entities carry plain ids, not relations: foreign keys are made by migrations alone. */
const DROPS_FOREIGN_KEY = /^ALTER TABLE "\w+" DROP CONSTRAINT "\w+_fkey"$/;

/** Fails when the entities ask for something the migrations do not make, or the other way round. */
async function driftOf(url: string): Promise<string[]> {
  await migrate(url);
  const dataSource = await new DataSource(dataSourceOptions(url, 2)).initialize();
  try {
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    return upQueries.map(({ query }) => query).filter((query) => !DROPS_FOREIGN_KEY.test(query));
  } finally {
    await dataSource.destroy();
  }
}

const dataDir = await mkdtemp(join(tmpdir(), 'prosa-drift-'));
const server = await EmbeddedPostgres.start({ dataDir, durable: false, log: () => undefined });
try {
  const queries = await driftOf(server.url);
  if (queries.length > 0) {
    process.stderr.write(`Entities and migrations differ. TypeORM would run:\n  ${queries.join('\n  ')}\n`);
    process.exitCode = 1;
  }
} finally {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}
