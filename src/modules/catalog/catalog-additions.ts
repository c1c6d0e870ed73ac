import { CatalogFileError, parseCatalog } from './catalog-file.js';
import type { Catalog } from './catalog-schema.js';

/** Records to be offered in addition to those of the catalogue file; their ids are new ones. */
export type CatalogAdditions = Partial<Catalog>;

/** Additions, and who brings them. */
export interface CatalogContribution {
  readonly plugin: string;
  readonly additions: CatalogAdditions;
}

/** Injection token of the additions of all plugins. */
export const CATALOG_CONTRIBUTIONS = Symbol('catalogue contributions');

/** @throws CatalogFileError, naming the plugin, when the whole is not a usable catalogue */
export function withContributions(catalog: Catalog, contributions: readonly CatalogContribution[]): Catalog {
  return contributions.reduce((before, { plugin, additions }) => {
    const sections = Object.entries(before).map(([section, records]): [string, unknown] => [
      section,
      [...(records as unknown[]), ...((additions as Record<string, unknown[] | undefined>)[section] ?? [])],
    ]);
    try {
      return parseCatalog({ ...additions, ...Object.fromEntries(sections) });
    } catch (error) {
      if (!(error instanceof CatalogFileError)) throw error;
      const message = `The plugin ${plugin} adds to the catalogue what does not fit (${error.problems[0] ?? ''}): give its records ids and codes of their own.`;
      throw new CatalogFileError(error.problems, message, { cause: error });
    }
  }, catalog);
}
