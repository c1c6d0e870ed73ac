import { sealedColumn } from '../../common/crypto/sealed-column.js';
import type { Feature } from '../../feature.js';
import { rentUnpaidEvent } from './carrier-numbers/rent-unpaid.event.js';
import { chargeRentsJob } from './carrier-numbers/charge-rents.job.js';
import { PhoneNumbersModule } from './phone-numbers.module.js';
import { sweepCarrierOrdersJob } from './carrier-numbers/sweep-carrier-orders.job.js';

export const phoneNumbersFeature: Feature = {
  sealedColumns: [
    sealedColumn({
      table: 'sip_trunks',
      column: 'sealed_password',
      place: 'sip_trunks.password',
      whenLost: () => '',
    }),
  ],
  module: PhoneNumbersModule,
  jobs: [chargeRentsJob, sweepCarrierOrdersJob],
  webhookEvents: [rentUnpaidEvent],
  tags: [{ name: 'Phone numbers', description: 'Numbers and SIP trunks to call from and to be called on.' }],
};
