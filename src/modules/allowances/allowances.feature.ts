import type { Feature } from '../../feature.js';
import { AllowancesModule } from './allowances.module.js';

export const allowancesFeature: Feature = {
  module: AllowancesModule,
};
