import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { EgressClient } from '../../common/egress/egress-client.js';
import { isForbiddenAddress } from '../../common/egress/forbidden-address.js';
import { DatabaseConfig, SecurityConfig, TelephonyConfig } from '../../config/config.js';
import { SpeechModule } from '../speech/speech.module.js';
import { SpeechProviderRegistry } from '../speech/speech-provider-registry.js';
import { CallCarrier } from './call-carrier.js';
import { CallCarriers } from './call-carriers.js';
import { NumberCarrier } from './number-carrier.js';
import { makeSandboxCarrier } from './sandbox/make-sandbox-carrier.js';
import { SandboxNumberCarrier } from './sandbox/sandbox-number-carrier.js';
import { SipCallCarrier } from './sip/carrier/sip-call-carrier.js';
import { TwilioApi } from './twilio/twilio-api.js';
import { TwilioCallCarrier } from './twilio/calls/twilio-call-carrier.js';
import { TwilioNumberCarrier } from './twilio/numbers/twilio-number-carrier.js';
import { WebCallCarrier } from './web/web-call-carrier.js';

/** What those who log in to call us are told they log in to. */
const SIP_REALM = 'prosa';

@Module({
  imports: [SpeechModule],
  providers: [
    {
      provide: NumberCarrier,
      inject: [TelephonyConfig, EgressClient],
      useFactory: ({ twilio }: TelephonyConfig, egress: EgressClient) =>
        twilio
          ? new TwilioNumberCarrier(new TwilioApi(egress, twilio), `${twilio.publicUrl}/twilio/voice`)
          : new SandboxNumberCarrier(),
    },
    // Null without an account at Twilio.
    {
      provide: TwilioCallCarrier,
      inject: [TelephonyConfig, EgressClient],
      useFactory: ({ twilio }: TelephonyConfig, egress: EgressClient) =>
        twilio ? new TwilioCallCarrier(new TwilioApi(egress, twilio), twilio) : null,
    },
    {
      provide: CallCarriers,
      inject: [CallCarrier, WebCallCarrier, SipCallCarrier, TwilioCallCarrier],
      useFactory: (
        sandbox: CallCarrier,
        web: WebCallCarrier,
        sip: SipCallCarrier | null,
        twilio: TwilioCallCarrier | null,
      ) => {
        const carriers = new CallCarriers(sandbox);
        carriers.add(web, null);
        if (sip) carriers.add(sip, ({ type }) => type === 'sip');
        if (twilio) carriers.add(twilio, ({ type }) => type === 'normal');
        return carriers;
      },
    },
    { provide: WebCallCarrier, useFactory: () => new WebCallCarrier() },
    // Null without a place to listen at.
    {
      provide: SipCallCarrier,
      inject: [TelephonyConfig, SecurityConfig],
      useFactory: ({ sip }: TelephonyConfig, { egressAllowCidrs }: SecurityConfig) =>
        sip
          ? new SipCallCarrier(
              {
                listen: { ...sip.listen, publicAddress: sip.publicAddress ?? null, tls: sip.tls },
                rtpPorts: sip.rtpPorts,
                realm: SIP_REALM,
                isPermitted: (address) => !isForbiddenAddress(address, egressAllowCidrs),
              },
              sip.callsPerSecond ?? null,
            )
          : null,
    },
    // The sandbox's, which takes what no other carrier does. Others are asked for by CallCarriers.
    {
      provide: CallCarrier,
      inject: [TelephonyConfig, DatabaseConfig, SpeechProviderRegistry],
      useFactory: (
        telephony: TelephonyConfig,
        database: DatabaseConfig,
        { sandbox }: SpeechProviderRegistry,
      ) => makeSandboxCarrier(telephony, database, sandbox),
    },
  ],
  exports: [CallCarriers, NumberCarrier, SipCallCarrier, TwilioCallCarrier, WebCallCarrier],
})
export class TelephonyModule implements OnApplicationShutdown {
  constructor(private readonly carriers: CallCarriers) {}

  onApplicationShutdown(): Promise<void> {
    return this.carriers.close();
  }
}
