import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { satisfies, validRange } from 'semver';
import { tableProblem, tablePrefixOf } from '../database/preparation/plugin-tables.js';
import type { Plugin } from './plugin.js';
import { variablePrefixOf } from './plugin-settings.js';
import { PluginError } from './plugin.error.js';
import { prosaVersion } from '../config/prosa-version.js';

const NAME = /^(?=.{1,30}$)[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const MAX_TITLE_LENGTH = 40;

/**
 * Whether a plugin may run here, as far as can be checked without the database.
 *
 * @throws PluginError
 */
export function checkPlugin(plugin: Plugin): void {
  const { name } = plugin;
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw new PluginError(
      `The plugin ${name} has an impossible name: use lower-case letters, digits and single hyphens, 30 at most.`,
    );
  }
  checkVersion(plugin);
  if (!plugin.module)
    throw new PluginError(`The plugin ${name} brings no module: give definePlugin a Nest module.`);
  const problem = tableProblem(name, plugin.entities ?? []);
  if (problem) throw new PluginError(problem);
  checkConsolePage(plugin);
  const stray = namesOf(plugin).find(
    ({ value, prefixes }) => !prefixes.some((prefix) => value.startsWith(prefix)),
  );
  if (stray) {
    throw new PluginError(
      `The plugin ${name} names a ${stray.kind} ${stray.value}: have it begin with ${stray.prefixes.join(' or ')}.`,
    );
  }
}

function checkConsolePage({ name, console: page }: Plugin): void {
  if (!page) return;
  const isTitled = [page.title?.pt, page.title?.en].every(
    (title) => typeof title === 'string' && title.trim() !== '' && title.length <= MAX_TITLE_LENGTH,
  );
  if (!isTitled) {
    throw new PluginError(
      `The plugin ${name} has a page without a title: give \`console\` a \`title\` in pt and en, of ${MAX_TITLE_LENGTH} characters at most.`,
    );
  }
  const isThere =
    page.folder instanceof URL &&
    page.folder.protocol === 'file:' &&
    existsSync(join(fileURLToPath(page.folder), 'index.html'));
  if (isThere) return;
  throw new PluginError(
    `The plugin ${name} has a page without an index.html in ${String(page.folder)}: have \`console.folder\` name the folder, as ` +
      "new URL('../console/', import.meta.url).",
  );
}

/** @throws PluginError when two plugins get in each other's way */
export function checkTogether(plugins: readonly Plugin[]): void {
  for (const [index, { name }] of plugins.entries()) {
    for (const other of plugins.slice(index + 1)) {
      if (name === other.name) {
        throw new PluginError(`Two plugins are called ${name}: take one of them out of PROSA_PLUGINS.`);
      }
      const [prefix, longer] = [tablePrefixOf(name), tablePrefixOf(other.name)].toSorted(
        (a, b) => a.length - b.length,
      );
      if (prefix !== undefined && longer?.startsWith(prefix)) {
        throw new PluginError(
          `The plugins ${name} and ${other.name} would share tables that begin with ${prefix}: give one of them another name.`,
        );
      }
    }
  }
}

function checkVersion({ name, prosa }: Plugin): void {
  if (typeof prosa !== 'string' || validRange(prosa) === null) {
    throw new PluginError(
      `The plugin ${name} does not say for which versions of Prosa it is made: give definePlugin a range such as "^${prosaVersion}" as prosa.`,
    );
  }
  if (satisfies(prosaVersion, prosa, { includePrerelease: true })) return;
  throw new PluginError(
    `The plugin ${name} is made for Prosa ${prosa}, and this is ${prosaVersion}: install a version of the plugin for ` +
      `${prosaVersion}, or another Prosa.`,
  );
}

interface Named {
  readonly kind: string;
  readonly value: string;
  /** One of which it must begin with. */
  readonly prefixes: readonly string[];
}

/** All names of a plugin that must not collide with those of the product and of other plugins. */
function namesOf(plugin: Plugin): Named[] {
  const { name, texts, jobs = [], tools = [], webhookEvents = [], settings } = plugin;
  const named = (kind: string, values: readonly string[], ...prefixes: string[]) =>
    values.map((value): Named => ({ kind, value, prefixes }));
  return [
    ...named('setting', Object.keys(settings?.schema.shape ?? {}), variablePrefixOf(name)),
    ...named('text', Object.keys(texts?.entries ?? {}), `${name}.`),
    ...named(
      'job',
      jobs.map((job) => job.name),
      `${name}-`,
    ),
    ...named(
      'tool',
      tools.map(({ type }) => type),
      `${name}.`,
    ),
    ...named(
      'webhook event',
      webhookEvents.map(({ kind }) => kind),
      `${name}.`,
    ),
  ];
}
