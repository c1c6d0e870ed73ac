import type { Feature } from '../../feature.js';
import { CarrierAccountsModule } from './carrier-accounts.module.js';

export const carrierAccountsFeature: Feature = {
  module: CarrierAccountsModule,
  tags: [
    {
      name: 'Carrier accounts',
      description:
        'Accounts at carriers that numbers are rented with, and calls are made through, in place of ours.',
    },
  ],
};
