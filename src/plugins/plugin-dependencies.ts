import type { DynamicModule, Type } from '@nestjs/common';
import { UnknownDependenciesException } from '@nestjs/core/errors/exceptions/unknown-dependencies.exception.js';
import { RuntimeException } from '@nestjs/core/errors/exceptions/runtime.exception.js';
import type { Plugin } from './plugin.js';
import { PluginError } from './plugin.error.js';

/** Keys under which Nest keeps what `@Module` lists. */
const LISTS = ['imports', 'controllers', 'providers'] as const;

/**
 * Turns Nest's error about a dependency into one sentence that names the plugin, because no second start mends it. Other errors
 * stay as they are, and so do those of the product's own classes.
 */
export function namingPlugin(error: unknown, plugins: readonly Plugin[]): unknown {
  if (error instanceof UnknownDependenciesException) {
    const { type, context } = error;
    const plugin = plugins.find((each) => classNamesOf(each).has(nameOf(type)));
    return plugin ? missingDependency(plugin, nameOf(type), nameOf(context.name), error) : error;
  }
  if (!(error instanceof RuntimeException)) return error;
  const [line = ''] = error.message.split('\n');
  const plugin = plugins.find((each) => [...classNamesOf(each)].some((name) => line.includes(name)));
  if (!plugin) return error;
  return new PluginError(
    `The plugin ${plugin.name} cannot be started (${line.replace(/\.$/, '')}): correct it, and build it again.`,
    {
      cause: error,
    },
  );
}

function missingDependency(plugin: Plugin, user: string, dependency: string, cause: Error): PluginError {
  const cure = `add ${dependency} to the providers of the plugin's module, or import the module that exports it`;
  const what = dependency === 'Object' ? 'a dependency that is imported with "import type"' : dependency;
  return new PluginError(
    `The plugin ${plugin.name} cannot be started, because ${user} needs ${what} and Prosa does not find it: ` +
      `${what === dependency ? cure : 'import the class itself'}.`,
    { cause },
  );
}

/** Names of all classes that the module of a plugin lists. */
function classNamesOf(plugin: Plugin): ReadonlySet<string> {
  const { module, workerModules = [] } = plugin;
  const names = new Set<string>();
  const visit = (entry: unknown): void => {
    const name = nameOf(entry);
    if (name === '' || names.has(name)) return;
    names.add(name);
    const own = isDynamic(entry) ? entry : undefined;
    const target = own ? own.module : (entry as Type);
    for (const list of LISTS) {
      const listed = (Reflect.getMetadata(list, target) ?? []) as unknown[];
      for (const each of [...listed, ...(own?.[list] ?? [])]) visit(each);
    }
  };
  for (const each of [module, ...workerModules]) visit(each);
  return names;
}

function isDynamic(entry: unknown): entry is DynamicModule {
  return typeof entry === 'object' && entry !== null && 'module' in entry;
}

/** Name of a class, of a module, or of the token that a provider is found by. */
function nameOf(entry: unknown): string {
  if (typeof entry === 'function') return entry.name;
  if (typeof entry === 'object' && entry !== null) {
    if (isDynamic(entry)) return entry.module.name;
    return 'provide' in entry ? nameOf(entry.provide) : '';
  }
  return typeof entry === 'string' || typeof entry === 'symbol' ? String(entry) : '';
}
