import { Module } from '@nestjs/common';
import { TelephonyModule } from '../../providers/telephony/telephony.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { CarrierAccountsModule } from '../carrier-accounts/carrier-accounts.module.js';
import { CarrierOrdersRepository } from './carrier-numbers/carrier-orders.repository.js';
import { NumberAdoptionsService } from './carrier-numbers/number-adoptions.service.js';
import { NumberOffersService } from './carrier-numbers/number-offers.service.js';
import { NumberPurchasesService } from './carrier-numbers/number-purchases.service.js';
import { NumberRentsService } from './carrier-numbers/number-rents.service.js';
import { NumberReturnsService } from './carrier-numbers/number-returns.service.js';
import { PurchaseOrdersService } from './carrier-numbers/purchase-orders.service.js';
import { PhoneNumbersController } from './phone-numbers.controller.js';
import { PhoneNumbersRepository } from './phone-numbers.repository.js';
import { PhoneNumbersService } from './phone-numbers.service.js';
import { SipTrunksController } from './sip-trunks.controller.js';
import { SipTrunksRepository } from './sip-trunks.repository.js';
import { LiveKitTrunksService } from './trunk-connections/livekit-trunks.service.js';
import { ServedTrunksService } from './trunk-connections/served-trunks.service.js';
import { SipCertificateService } from './trunk-connections/sip-certificate.service.js';
import { SipMetricsService } from './trunk-connections/sip-metrics.service.js';
import { SipTrunkConnectionsService } from './trunk-connections/sip-trunk-connections.service.js';
import { SipTrunkStatesRepository } from './trunk-connections/sip-trunk-states.repository.js';
import { TrunkNumbersService } from './trunk-connections/trunk-numbers.service.js';
import { SipTrunkFieldsService } from './sip-trunk-fields.service.js';
import { SipTrunksService } from './sip-trunks.service.js';

@Module({
  imports: [AccountsModule, BillingModule, CarrierAccountsModule, TelephonyModule, WebhooksModule],
  // The fixed segment of the trunks before the `:id` of the numbers.
  controllers: [SipTrunksController, PhoneNumbersController],
  providers: [
    CarrierOrdersRepository,
    NumberAdoptionsService,
    NumberOffersService,
    NumberPurchasesService,
    NumberRentsService,
    NumberReturnsService,
    PhoneNumbersRepository,
    PhoneNumbersService,
    PurchaseOrdersService,
    SipTrunkFieldsService,
    SipTrunksRepository,
    SipTrunksService,
    LiveKitTrunksService,
    ServedTrunksService,
    SipCertificateService,
    SipMetricsService,
    SipTrunkConnectionsService,
    SipTrunkStatesRepository,
    TrunkNumbersService,
  ],
  exports: [PhoneNumbersService],
})
export class PhoneNumbersModule {}
