import type { Feature } from '../../feature.js';
import { CatalogModule } from './catalog.module.js';

export const catalogFeature: Feature = {
  module: CatalogModule,
};
