import { sealedColumn } from '../../common/crypto/sealed-column.js';
import type { Feature } from '../../feature.js';
import { CarrierAccountsModule } from './carrier-accounts.module.js';

export const carrierAccountsFeature: Feature = {
  sealedColumns: [
    sealedColumn({
      table: 'carrier_accounts',
      column: 'sealed_auth_token',
      place: 'carrier_accounts.auth_token',
      whenLost: () => '',
      newestBy: 'updated_at',
    }),
    sealedColumn({
      table: 'carrier_accounts',
      column: 'sealed_previous_auth_token',
      place: 'carrier_accounts.auth_token',
      whenLost: 'null',
      newestBy: 'updated_at',
    }),
  ],
  module: CarrierAccountsModule,
  tags: [
    {
      name: 'Carrier accounts',
      description:
        'Accounts at carriers that numbers are rented with, and calls are made through, in place of the carriers of the installation.',
    },
  ],
};
