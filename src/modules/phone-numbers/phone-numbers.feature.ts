import type { Feature } from '../../feature.js';
import { rentUnpaidEvent } from './carrier-numbers/rent-unpaid.event.js';
import { chargeRentsJob } from './carrier-numbers/charge-rents.job.js';
import { PhoneNumbersModule } from './phone-numbers.module.js';
import { sweepCarrierOrdersJob } from './carrier-numbers/sweep-carrier-orders.job.js';

export const phoneNumbersFeature: Feature = {
  module: PhoneNumbersModule,
  jobs: [chargeRentsJob, sweepCarrierOrdersJob],
  webhookEvents: [rentUnpaidEvent],
  tags: [{ name: 'Phone numbers', description: 'Numbers and SIP trunks to call from and to be called on.' }],
};
