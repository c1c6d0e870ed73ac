import type { Feature } from '../../feature.js';
import { InboundRoutingModule } from './inbound-routing.module.js';
import { inboundRoutingTexts } from './inbound-routing.texts.js';

export const inboundRoutingFeature: Feature = {
  module: InboundRoutingModule,
  texts: inboundRoutingTexts,
};
