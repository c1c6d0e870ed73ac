import { DataSource } from 'typeorm';
import { dataSourceOptions } from './data-source-options.js';

/** Any constant of our own: the advisory lock under which one process at a time migrates. */
const MIGRATION_LOCK = 7_711_001;

/** Brings the database to the newest migration. Safe to run from many processes at once. Returns the names applied. */
export async function migrate(url: string): Promise<string[]> {
  const dataSource = await new DataSource({ ...dataSourceOptions(url, 2), extra: {} }).initialize();
  const runner = dataSource.createQueryRunner();
  try {
    await runner.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const applied = await dataSource.runMigrations();
    return applied.map(({ name }) => name);
  } finally {
    await runner.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    await runner.release();
    await dataSource.destroy();
  }
}
