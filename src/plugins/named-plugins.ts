import type { Config } from '../config/config.js';
import type { Plugin } from './plugin.js';

/**
 * The plugins that `PROSA_PLUGINS` names; where there are none, nothing is loaded for them.
 *
 * @throws PluginError
 */
export async function namedPlugins({ server }: Config): Promise<readonly Plugin[]> {
  if (server.plugins.length === 0) return [];
  const { loadPlugins } = await import('./load-plugins.js');
  return loadPlugins(server.plugins);
}
