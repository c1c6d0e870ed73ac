import { escapeIdentifier } from 'pg';
import {
  DataSource,
  type Logger,
  MigrationExecutor,
  type MigrationInterface,
  type QueryRunner,
} from 'typeorm';
import { dataSourceOptions } from '../data-source-options.js';
import { SHORT_LOCK_WAIT, untilTablesAreFree } from './lock-wait.js';
import { migrationsTableOf, tablePrefixOf } from './plugin-tables.js';
import { withPreparationClient } from './preparation-client.js';

const nothing = () => undefined;
/** TypeORM writes a failed migration on the console, though its logging is off; the error says it. */
const SILENT: Logger = {
  log: nothing,
  logMigration: nothing,
  logQuery: nothing,
  logQueryError: nothing,
  logQuerySlow: nothing,
  logSchemaBuild: nothing,
};

/** A migration; its name ends with a timestamp in milliseconds, as `Bookings1767225600000`. */
export type MigrationClass = new () => MigrationInterface;

export interface PluginMigrations {
  readonly name: string;
  readonly migrations?: readonly MigrationClass[];
}

/** The message is a complete sentence for the operator. */
export class PluginMigrationError extends Error {
  override readonly name = 'PluginMigrationError';
}

/**
 * Brings the tables of each plugin to its newest migration. To be called under the lock of preparation, after the product's
 * own migrations, whose tables a plugin may refer to. Returns the names applied.
 *
 * @throws PluginMigrationError; what the plugin's migrations did in this run is undone
 */
export async function migratePlugins(url: string, plugins: readonly PluginMigrations[]): Promise<string[]> {
  const applied: string[] = [];
  for (const plugin of plugins) {
    if (plugin.migrations && plugin.migrations.length > 0) applied.push(...(await migrateOne(url, plugin)));
  }
  return applied;
}

/** What {@link migratePlugins} would apply, such as `the migration Bookings1767225600000 of the plugin shop`. */
export async function findMissingOfPlugins(
  url: string,
  plugins: readonly PluginMigrations[],
): Promise<string[]> {
  const missing: string[] = [];
  for (const { name: plugin, migrations = [] } of plugins) {
    if (migrations.length === 0) continue;
    const applied = await appliedOf(url, migrationsTableOf(plugin));
    const names = migrations.map(nameOfMigration).filter((name) => !applied.has(name));
    missing.push(...names.map((name) => `the migration ${name} of the plugin ${plugin}`));
  }
  return missing;
}

/** As the ORM calls it. */
export function nameOfMigration(Migration: MigrationClass): string {
  return new Migration().name || Migration.name;
}

function appliedOf(url: string, table: string): Promise<ReadonlySet<string>> {
  return withPreparationClient(url, async (client) => {
    const there = await client.query('SELECT FROM pg_class WHERE oid = to_regclass($1)', [table]);
    if (there.rowCount === 0) return new Set();
    const { rows } = await client.query<{ name: string }>(`SELECT name FROM ${escapeIdentifier(table)}`);
    return new Set(rows.map(({ name }) => name));
  });
}

async function migrateOne(url: string, { name, migrations = [] }: PluginMigrations): Promise<string[]> {
  const dataSource = await new DataSource({
    ...dataSourceOptions(url, 2),
    entities: [],
    migrations: [...migrations],
    migrationsTableName: migrationsTableOf(name),
    extra: SHORT_LOCK_WAIT,
    logger: SILENT,
  }).initialize();
  try {
    return await untilTablesAreFree(() => migrateOnce(dataSource, name));
  } catch (error) {
    if (error instanceof PluginMigrationError) throw error;
    throw new PluginMigrationError(
      `A migration of the plugin ${name} failed and was undone (${messageOf(error)}): install a version of the plugin that ` +
        'mends it, or take the plugin out of PROSA_PLUGINS.',
      { cause: error },
    );
  } finally {
    await dataSource.destroy();
  }
}

/** All of the plugin's new migrations, or none. */
async function migrateOnce(dataSource: DataSource, name: string): Promise<string[]> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.startTransaction();
    const before = await tablesOf(runner);
    refuseStrangers(name, before);
    const executor = new MigrationExecutor(dataSource, runner);
    executor.transaction = 'none';
    const applied = await executor.executePendingMigrations();
    refuseForeign(name, before, await tablesOf(runner));
    await runner.commitTransaction();
    return applied.map((migration) => migration.name);
  } catch (error) {
    if (runner.isTransactionActive) await runner.rollbackTransaction();
    throw error;
  } finally {
    await runner.release();
  }
}

async function tablesOf(runner: QueryRunner): Promise<ReadonlySet<string>> {
  const rows = (await runner.query(
    "SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm')",
  )) as { name: string }[];
  return new Set(rows.map(({ name }) => name));
}

/** A plugin that has never been here has no tables. */
function refuseStrangers(name: string, tables: ReadonlySet<string>): void {
  if (tables.has(migrationsTableOf(name))) return;
  const stranger = [...tables].find((table) => table.startsWith(tablePrefixOf(name)));
  if (stranger === undefined) return;
  throw new PluginMigrationError(
    `The plugin ${name} cannot be set up, because there is a table ${stranger} that it has not made: rename or drop the ` +
      'table, or give the plugin another name.',
  );
}

function refuseForeign(name: string, before: ReadonlySet<string>, after: ReadonlySet<string>): void {
  const prefix = tablePrefixOf(name);
  const made = [...after].filter((table) => !before.has(table));
  const dropped = [...before].filter((table) => !after.has(table));
  const touched = [...made, ...dropped].find((table) => !table.startsWith(prefix));
  if (touched === undefined) return;
  throw new PluginMigrationError(
    `A migration of the plugin ${name} makes or drops the table ${touched} and was undone: have the names of its tables ` +
      `begin with ${prefix}.`,
  );
}

function messageOf(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return line.replace(/\.$/, '');
}
