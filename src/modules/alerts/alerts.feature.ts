import type { Feature } from '../../feature.js';
import { AlertsModule } from './alerts.module.js';

export const alertsFeature: Feature = {
  module: AlertsModule,
  tags: [{ name: 'Alerts', description: 'Limits that have refused a request.' }],
};
