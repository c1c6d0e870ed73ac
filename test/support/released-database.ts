import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { DataSource, type QueryRunner } from 'typeorm';
import { dataSourceOptions } from '../../src/database/data-source-options.js';
import { applyFunctions } from '../../src/database/functions/apply-functions.js';
import { withChecksum } from '../../src/database/functions/function-files.js';
import { migrations } from '../../src/database/migrations.js';

/** Releases whose databases are upgraded, oldest first. */
export const RELEASES = ['0.2.0', '0.3.0', '0.4.0', '0.5.0'] as const;
export type Release = (typeof RELEASES)[number];

/** Releases whose processes may run next to those of this one, during an upgrade. */
export const ROLLING_RELEASES = ['0.4.0', '0.5.0'] as const satisfies readonly Release[];

function read(release: Release, name: string): string {
  return readFileSync(new URL(`../releases/${release}/${name}`, import.meta.url), 'utf8');
}

/** Migrations of a release by file, with the hash of each. */
export function migrationsOf(release: Release): Readonly<Record<string, string>> {
  return JSON.parse(read(release, 'migrations.json')) as Record<string, string>;
}

/** What processes of a release send to the database, logged while its contract tests ran. */
export function statementsOf(release: (typeof ROLLING_RELEASES)[number]): readonly string[] {
  return JSON.parse(read(release, 'statements.json')) as string[];
}

/** Gives an empty database the schema of a release. */
export async function installReleasedSchema(url: string, release: Release): Promise<void> {
  const dataSource = await new DataSource({
    ...dataSourceOptions(url, 2),
    migrations: migrations.slice(0, Object.keys(migrationsOf(release)).length),
  }).initialize();
  await dataSource.runMigrations();
  // The migrations of 0.2.0 hold its functions.
  if (release !== '0.2.0') await applyReleasedFunctions(dataSource, release);
  await dataSource.destroy();
}

function applyReleasedFunctions(dataSource: DataSource, release: Release): Promise<unknown> {
  const texts = JSON.parse(read(release, 'functions.json')) as Record<string, string>;
  const files = Object.entries(texts).map(([name, text]) => withChecksum(name, text));
  return dataSource.transaction(({ queryRunner }) =>
    applyFunctions(queryRunner as QueryRunner, files, release),
  );
}

/** Gives an empty database the schema of a release, and the rows of its demo and of conversations on a site. */
export async function installRelease(url: string, release: Release): Promise<void> {
  await installReleasedSchema(url, release);
  const client = new Client({ connectionString: url });
  await client.connect();
  // Without rows that triggers write: counts of calls and versions of prompts.
  await client.query(read(release, 'data.sql'));
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
