import type { Feature } from '../../../feature.js';
import { enqueuePluginEventsJob } from './enqueue-plugin-events.job.js';
import { handlePluginEventJob } from './handle-plugin-event.job.js';
import { PluginEventsModule } from './plugin-events.module.js';
import { sweepPluginEventsJob } from './sweep-plugin-events.job.js';

/** Part of the product where a plugin listens to events. */
export const pluginEventsFeature: Feature = {
  jobs: [enqueuePluginEventsJob, handlePluginEventJob, sweepPluginEventsJob],
  workerModules: [PluginEventsModule],
};
