import type { Feature } from '../../feature.js';
import { callForwardedEvent } from './call-forwarded.event.js';
import { callIncomingEvent } from './call-incoming.event.js';
import { callQueuedEvent } from './call-queued.event.js';

export const inboundEventsFeature: Feature = {
  webhookEvents: [callForwardedEvent, callIncomingEvent, callQueuedEvent],
};
