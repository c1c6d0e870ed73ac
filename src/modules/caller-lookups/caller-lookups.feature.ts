import type { Feature } from '../../feature.js';
import { CallerLookupsModule } from './caller-lookups.module.js';

export const callerLookupsFeature: Feature = {
  module: CallerLookupsModule,
};
