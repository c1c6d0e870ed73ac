import { existsSync, readFileSync, statSync } from 'node:fs';
import { register } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { addFeature } from '../add-feature.js';
import { ACCOUNT_EVENTS } from '../modules/webhooks/webhook-kinds.js';
import { checkPlugin, checkTogether } from './check-plugin.js';
import { isPlugin, type Plugin } from './plugin.js';
import { checkListeners } from './plugin-events.js';
import { PluginError } from './plugin.error.js';
import { FROM_WORKING_DIRECTORY, type HookSettings } from './resolve-hook.js';

/**
 * Loads the plugins that `PROSA_PLUGINS` names, and makes what they bring known. Once in a process, before the application
 * is built.
 *
 * @param sources files, relative to the working directory, and names of packages
 * @throws PluginError
 */
export async function loadPlugins(sources: readonly string[]): Promise<Plugin[]> {
  if (sources.length === 0) return [];
  register<HookSettings>(new URL('./resolve-hook.js', import.meta.url), {
    data: {
      api: new URL('./api.js', import.meta.url).href,
      workingDirectory: pathToFileURL(join(process.cwd(), 'package.json')).href,
    },
  });
  const plugins: Plugin[] = [];
  for (const source of sources) {
    const plugin = await load(source);
    checkPlugin(plugin);
    plugins.push(plugin);
  }
  checkTogether(plugins);
  for (const plugin of plugins) add(plugin);
  // Last, because plugins may add kinds of events.
  for (const plugin of plugins) checkListeners(plugin, ACCOUNT_EVENTS);
  return plugins;
}

async function load(source: string): Promise<Plugin> {
  const isFile = /^(\.{0,2}\/|\.{1,2}$)/.test(source);
  const specifier = isFile ? pathToFileURL(fileOf(source)).href : `${FROM_WORKING_DIRECTORY}${source}`;
  let loaded: { readonly default?: unknown };
  try {
    loaded = (await import(specifier)) as typeof loaded;
  } catch (error) {
    throw new PluginError(isFile ? brokenSentence(source, error) : packageSentence(source, error), {
      cause: error,
    });
  }
  if (isPlugin(loaded.default)) return loaded.default;
  throw new PluginError(
    `The plugin ${source} exports no plugin: have its default export made by definePlugin of "prosa/plugin".`,
  );
}

/** The file itself, or the one that the package.json of a folder calls its `main`. */
function fileOf(source: string): string {
  const path = resolve(source);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) {
    throw new PluginError(
      `The plugin ${source} is not there: correct PROSA_PLUGINS, whose paths are relative to the folder where Prosa is ` +
        `started (${process.cwd()}).`,
    );
  }
  if (!stats.isDirectory()) return path;
  const main = mainOf(join(path, 'package.json'));
  if (main === null) {
    throw new PluginError(
      `The plugin ${source} is a folder without a package.json that names its "main": name the file itself in PROSA_PLUGINS.`,
    );
  }
  if (existsSync(join(path, main))) return join(path, main);
  throw new PluginError(
    `The plugin ${source} has no ${main}, which its package.json calls "main": build the plugin first, as with npm run build.`,
  );
}

function mainOf(path: string): string | null {
  if (!existsSync(path)) return null;
  try {
    const { main } = JSON.parse(readFileSync(path, 'utf8')) as { main?: unknown };
    return typeof main === 'string' ? main : null;
  } catch {
    return null;
  }
}

function packageSentence(source: string, error: unknown): string {
  const isMissing =
    codeOf(error) === 'ERR_MODULE_NOT_FOUND' && messageOf(error).includes(`Cannot find package '${source}'`);
  return isMissing
    ? `The plugin ${source} is not installed: run npm install ${source} in ${process.cwd()}, or correct PROSA_PLUGINS.`
    : brokenSentence(source, error);
}

function brokenSentence(source: string, error: unknown): string {
  const hint =
    codeOf(error) === 'ERR_UNKNOWN_FILE_EXTENSION'
      ? 'name its compiled file in PROSA_PLUGINS'
      : 'mend or rebuild it, or take it out of PROSA_PLUGINS';
  return `The plugin ${source} cannot be loaded (${messageOf(error)}): ${hint}.`;
}

function add(plugin: Plugin): void {
  try {
    addFeature(plugin);
  } catch (error) {
    throw new PluginError(
      `The plugin ${plugin.name} cannot be taken up (${messageOf(error)}): choose another name there.`,
      { cause: error },
    );
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** Of errors that say more, the first line. */
function messageOf(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return line.replace(/\.$/, '');
}
