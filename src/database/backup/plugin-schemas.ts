import { escapeIdentifier } from 'pg';
import type { QueryRunner } from 'typeorm';
import { nameOfMigration, type PluginMigrations } from '../preparation/migrate-plugins.js';
import { migrationsTableOf } from '../preparation/plugin-tables.js';
import { BackupError } from './backup.error.js';
import type { Manifest } from './manifest.js';

/** @throws BackupError when the backup holds tables of a plugin that is not there, or is older than the backup */
export function refuseOtherPlugins(
  { pluginMigrations }: Manifest,
  plugins: readonly PluginMigrations[],
): void {
  for (const [table, applied] of Object.entries(pluginMigrations)) {
    const plugin = plugins.find(({ name }) => migrationsTableOf(name) === table);
    if (!plugin) {
      const name = table.replace(/_migrations$/, '').replaceAll('_', '-');
      throw new BackupError(
        `This backup holds tables of the plugin ${name}: name it in PROSA_PLUGINS. Nothing was changed.`,
      );
    }
    const known = new Set((plugin.migrations ?? []).map(nameOfMigration));
    const unknown = applied.find((name) => !known.has(name));
    if (unknown !== undefined) {
      throw new BackupError(
        `This backup was made with a newer version of the plugin ${plugin.name} than the one here, which does not know ` +
          `${unknown}: install that version. Nothing was changed.`,
      );
    }
  }
}

/** Makes the tables of plugins as the backup knows them; their rows, also those of the migrations, come with the backup. */
export async function makePluginTables(
  { pluginMigrations }: Manifest,
  plugins: readonly PluginMigrations[],
  runner: QueryRunner,
): Promise<void> {
  for (const { name: plugin, migrations = [] } of plugins) {
    const table = migrationsTableOf(plugin);
    const applied = pluginMigrations[table];
    if (!applied) continue;
    const key = runner.connection.namingStrategy.primaryKeyName(table, ['id']);
    // As the ORM makes it, which looks into it at the next start.
    await runner.query(
      `CREATE TABLE ${escapeIdentifier(table)} (id serial NOT NULL, timestamp bigint NOT NULL, name varchar NOT NULL,
         CONSTRAINT ${escapeIdentifier(key)} PRIMARY KEY (id))`,
    );
    const byName = new Map(migrations.map((Migration) => [nameOfMigration(Migration), new Migration()]));
    for (const name of applied) await byName.get(name)?.up(runner);
  }
}
