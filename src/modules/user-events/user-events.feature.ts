import type { Feature } from '../../feature.js';
import { UserEventsModule } from './user-events.module.js';

export const userEventsFeature: Feature = {
  module: UserEventsModule,
  tags: [{ name: 'Live', description: 'Hints of what has changed, as server-sent events.' }],
};
