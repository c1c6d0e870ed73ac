import type { Feature } from '../../../feature.js';
import { enqueuePluginEventsJob } from './enqueue-plugin-events.job.js';
import { EnqueuePluginEventsProcessor } from './enqueue-plugin-events.processor.js';
import { handlePluginEventJob } from './handle-plugin-event.job.js';
import { HandlePluginEventProcessor } from './handle-plugin-event.processor.js';
import { PluginEventsModule } from './plugin-events.module.js';
import { sweepPluginEventsJob } from './sweep-plugin-events.job.js';
import { SweepPluginEventsProcessor } from './sweep-plugin-events.processor.js';

/** Part of the product where a plugin listens to events. */
export const pluginEventsFeature: Feature = {
  jobs: [
    { definition: enqueuePluginEventsJob, processor: EnqueuePluginEventsProcessor },
    { definition: handlePluginEventJob, processor: HandlePluginEventProcessor },
    { definition: sweepPluginEventsJob, processor: SweepPluginEventsProcessor },
  ],
  workerModules: [PluginEventsModule],
};
