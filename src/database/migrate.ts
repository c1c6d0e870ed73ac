import { DataSource } from 'typeorm';
import { dataSourceOptions } from './data-source-options.js';

/** Brings the database to the newest migration, for one process at a time. Returns the names applied. */
export async function migrate(url: string): Promise<string[]> {
  const dataSource = await new DataSource({ ...dataSourceOptions(url, 2), extra: {} }).initialize();
  try {
    const applied = await dataSource.runMigrations();
    return applied.map(({ name }) => name);
  } finally {
    await dataSource.destroy();
  }
}
