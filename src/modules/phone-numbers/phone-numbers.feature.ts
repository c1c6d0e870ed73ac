import type { Feature } from '../../feature.js';
import { rentUnpaidEvent } from './carrier-numbers/rent-unpaid.event.js';
import { chargeRentsJob } from './carrier-numbers/charge-rents.job.js';
import { ChargeRentsProcessor } from './carrier-numbers/charge-rents.processor.js';
import { PhoneNumbersModule } from './phone-numbers.module.js';
import { sweepCarrierOrdersJob } from './carrier-numbers/sweep-carrier-orders.job.js';
import { SweepCarrierOrdersProcessor } from './carrier-numbers/sweep-carrier-orders.processor.js';

export const phoneNumbersFeature: Feature = {
  module: PhoneNumbersModule,
  jobs: [
    { definition: chargeRentsJob, processor: ChargeRentsProcessor },
    { definition: sweepCarrierOrdersJob, processor: SweepCarrierOrdersProcessor },
  ],
  webhookEvents: [rentUnpaidEvent],
  tags: [{ name: 'Phone numbers', description: 'Numbers and SIP trunks to call from and to be called on.' }],
};
