import type { Feature } from './feature.js';
import { features } from './features.js';
import { pluginEventsFeature } from './modules/webhooks/plugin-events/plugin-events.feature.js';
import { listenersOf } from './plugins/plugin-events.js';
import type { Plugin } from './plugins/plugin.js';

/** The modules of the product and those of plugins. */
export function allFeatures(plugins: readonly Plugin[]): readonly Feature[] {
  const isListening = listenersOf(plugins).length > 0;
  return [...features, ...plugins, ...(isListening ? [pluginEventsFeature] : [])];
}
