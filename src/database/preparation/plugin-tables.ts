import { getMetadataArgsStorage } from 'typeorm';
import type { EntityClass } from '../data-source-options.js';
import { entities as ownEntities } from '../entities.js';

/** What the tables of a plugin begin with. */
export function tablePrefixOf(plugin: string): string {
  return `${plugin.replaceAll('-', '_')}_`;
}

/** The table in which a plugin's migrations are recorded. */
export function migrationsTableOf(plugin: string): string {
  return `${tablePrefixOf(plugin)}migrations`;
}

/** What is wrong with the tables that a plugin maps, as a sentence; null when nothing is. */
export function tableProblem(plugin: string, entities: readonly EntityClass[]): string | null {
  const prefix = tablePrefixOf(plugin);
  const own = ownEntities.map((entity) => tableOf(entity)).find((table) => table?.startsWith(prefix));
  if (own)
    return `The tables of the plugin ${plugin} would have the same prefix as ${own} of Prosa: give it another name.`;
  for (const entity of entities) {
    const table = tableOf(entity);
    if (table === undefined)
      return `The plugin ${plugin} names ${entity.name} as an entity: name its table with @Entity.`;
    if (!table.startsWith(prefix))
      return `The plugin ${plugin} has a table ${table}: have its name begin with ${prefix}.`;
    if (table === migrationsTableOf(plugin))
      return `The plugin ${plugin} has a table ${table}, where its migrations are recorded: choose another name.`;
  }
  return null;
}

function tableOf(entity: EntityClass): string | undefined {
  return getMetadataArgsStorage().tables.find(({ target }) => target === entity)?.name;
}
