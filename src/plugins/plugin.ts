import type { DynamicModule, Type } from '@nestjs/common';
import type { PersonalDataSource } from '../common/personal-data/personal-data-source.js';
import type { EntityClass } from '../database/data-source-options.js';
import type { MigrationClass } from '../database/preparation/migrate-plugins.js';
import type { Feature } from '../feature.js';
import type { TextEntry } from '../i18n/text.js';
import type { CatalogAdditions } from '../modules/catalog/catalog-additions.js';
import type { PluginEventHandlers } from './plugin-events.js';
import type { PluginSettings } from './plugin-settings.js';

/** A page in the console, made of files of the plugin. */
export interface ConsolePage {
  /** What the navigation of the console calls it; 40 characters at most. */
  readonly title: TextEntry;
  /** A folder with an `index.html`, as `new URL('../console/', import.meta.url)`. */
  readonly folder: URL;
}

/** A module from outside, as `definePlugin` takes it. */
export interface Plugin extends Feature {
  /**
   * Lower-case letters, digits and hyphens, 30 at most. Keys of texts, jobs, tools and webhook events begin with it; tables
   * begin with it and an underscore, hyphens written as underscores.
   */
  readonly name: string;
  /** The versions of Prosa it is made for, as `^0.6.0`. */
  readonly prosa: string;
  readonly module: Type | DynamicModule;
  readonly entities?: readonly EntityClass[];
  /** In any order: they run in that of their timestamps. */
  readonly migrations?: readonly MigrationClass[];
  /** Records in addition to those of the catalogue file. */
  readonly catalog?: CatalogAdditions;
  readonly console?: ConsolePage;
  /** Its environment variables, see `defineSettings`. */
  readonly settings?: PluginSettings;
  /** Handlers of events of the product, by their kind. They run in worker processes. */
  readonly on?: PluginEventHandlers;
  /** Providers of `module` that give out and erase what the plugin holds about a person. */
  readonly personalData?: readonly Type<PersonalDataSource>[];
}

const MARK = Symbol.for('prosa.plugin');

/** Describes a plugin; the file named in `PROSA_PLUGINS` exports the result as its default. */
export function definePlugin(plugin: Plugin): Plugin {
  return Object.freeze({ ...plugin, [MARK]: true });
}

/** Whether `definePlugin` has made it, this one or that of another copy of Prosa. */
export function isPlugin(value: unknown): value is Plugin {
  return typeof value === 'object' && value !== null && MARK in value;
}
