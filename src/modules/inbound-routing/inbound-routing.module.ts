import { Module } from '@nestjs/common';
import { TelephonyModule } from '../../providers/telephony/telephony.module.js';
import { AssistantsModule } from '../assistants/assistants.module.js';
import { CallerLookupsModule } from '../caller-lookups/caller-lookups.module.js';
import { PhoneNumbersModule } from '../phone-numbers/phone-numbers.module.js';
import { ForwardTargetsService } from './forward-targets.service.js';
import { NumberLookupsRepository } from './lookups/number-lookups.repository.js';
import { NumberLookupsService } from './lookups/number-lookups.service.js';
import { RoutingTestsService } from './lookups/routing-tests.service.js';
import { NumberRoutingsController } from './number-routings.controller.js';
import { NumberRoutingsRepository } from './number-routings.repository.js';
import { NumberRoutingsService } from './number-routings.service.js';
import { RoutedNumbersService } from './routed-numbers.service.js';
import { RoutingPreviewsService } from './routing-previews.service.js';

/** Who answers the calls of a number, by its hours, and what happens otherwise. */
@Module({
  imports: [AssistantsModule, CallerLookupsModule, PhoneNumbersModule, TelephonyModule],
  controllers: [NumberRoutingsController],
  providers: [
    ForwardTargetsService,
    NumberLookupsRepository,
    NumberLookupsService,
    NumberRoutingsRepository,
    NumberRoutingsService,
    RoutedNumbersService,
    RoutingPreviewsService,
    RoutingTestsService,
  ],
  exports: [NumberLookupsService, NumberRoutingsService],
})
export class InboundRoutingModule {}
