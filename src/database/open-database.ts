import { DataSource } from 'typeorm';
import { dataSourceOptions } from './data-source-options.js';
import { DatabaseHealthService } from './database-health.service.js';
import { Database } from './database.js';

/** Opens the database for a command, which has no application around it, and closes it after the work. */
export async function withDatabase<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  const dataSource = await new DataSource(dataSourceOptions(url, 1)).initialize();
  try {
    return await work(new Database(dataSource, new DatabaseHealthService()));
  } finally {
    await dataSource.destroy();
  }
}
