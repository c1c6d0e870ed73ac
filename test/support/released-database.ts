import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/database/data-source-options.js';
import { migrations } from '../../src/database/migrations.js';

/** The last release, with the rows that its demo and a conversation on a site have left in its database. */
export const RELEASE = new URL('../releases/0.2.0/', import.meta.url);

/** Migrations of the release by file, with the hash of each. */
export const releasedMigrations = JSON.parse(
  readFileSync(new URL('migrations.json', RELEASE), 'utf8'),
) as Record<string, string>;

/** Gives an empty database the schema of the release. */
export async function installReleasedSchema(url: string): Promise<void> {
  const dataSource = await new DataSource({
    ...dataSourceOptions(url, 2),
    migrations: migrations.slice(0, Object.keys(releasedMigrations).length),
  }).initialize();
  await dataSource.runMigrations();
  await dataSource.destroy();
}

/** Gives an empty database the schema and the rows of the release. */
export async function installRelease(url: string): Promise<void> {
  await installReleasedSchema(url);
  const client = new Client({ connectionString: url });
  await client.connect();
  // Without the counts of calls, which follow from the calls.
  await client.query(readFileSync(new URL('data.sql', RELEASE), 'utf8'));
  await continueSequences(client);
  await client.end();
}

async function continueSequences(client: Client): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string; sequence: string }>(
    `SELECT table_name AS table, column_name AS column,
       pg_get_serial_sequence(quote_ident(table_name), column_name) AS sequence
     FROM information_schema.columns
     WHERE table_schema = 'public' AND pg_get_serial_sequence(quote_ident(table_name), column_name) IS NOT NULL`,
  );
  for (const { table, column, sequence } of rows) {
    await client.query(`SELECT setval($1, (SELECT coalesce(max(${column}), 0) + 1 FROM ${table}), false)`, [
      sequence,
    ]);
  }
}
