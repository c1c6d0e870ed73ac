import { systemLookup } from '../../common/egress/host-lookup.js';
import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { InternalToken } from '../../common/crypto/internal-token.js';
import { EgressClient } from '../../common/egress/egress-client.js';
import { isForbiddenAddress } from '../../common/egress/forbidden-address.js';
import { Logger } from '../../common/observability/logger.js';
import {
  DatabaseConfig,
  SecurityConfig,
  ServerConfig,
  TelephonyConfig,
  type TwilioConfig,
} from '../../config/config.js';
import { SpeechModule } from '../speech/speech.module.js';
import { SpeechProviderRegistry } from '../speech/speech-provider-registry.js';
import { CallCarrier } from './call-carrier.js';
import { CallCarriers, type CarrierNumber } from './call-carriers.js';
import { DestinationPolicy } from './destination-policy.js';
import type { NumberCarrier } from './number-carrier.js';
import { NumberCarriers } from './number-carriers.js';
import { LiveKitSipCarrier } from './livekit-sip/livekit-sip-carrier.js';
import { installationName } from './livekit/installation-name.js';
import { PausedCarrier } from './paused/paused-carrier.js';
import { PausedNumberCarrier } from './paused/paused-number-carrier.js';
import { makeSandboxCarrier } from './sandbox/make-sandbox-carrier.js';
import { SandboxNumberCarrier } from './sandbox/sandbox-number-carrier.js';
import { SipCallCarrier } from './sip/carrier/sip-call-carrier.js';
import { AUDIO_CODECS, NARROW_CODECS } from '@prosa/sip';
import { TwilioAccounts } from './twilio/twilio-accounts.js';
import { TwilioCallCarrier } from './twilio/calls/twilio-call-carrier.js';
import { TwilioNumberCarrier } from './twilio/numbers/twilio-number-carrier.js';
import { WebCallCarrier } from './web/web-call-carrier.js';

/** The realm that SIP clients see when they log in to call us. */
const SIP_REALM = 'prosa';

@Module({
  imports: [SpeechModule],
  providers: [
    DestinationPolicy,
    {
      provide: TwilioAccounts,
      inject: [TelephonyConfig, EgressClient],
      useFactory: ({ twilio }: TelephonyConfig, egress: EgressClient) =>
        new TwilioAccounts(egress, twilio?.account ?? null),
    },
    {
      provide: NumberCarriers,
      inject: [TelephonyConfig, ServerConfig, TwilioAccounts],
      useFactory: ({ twilio }: TelephonyConfig, { isPaused }: ServerConfig, accounts: TwilioAccounts) => {
        const usable = (carrier: NumberCarrier) => (isPaused ? new PausedNumberCarrier(carrier) : carrier);
        const at = (account: string | null) =>
          usable(
            new TwilioNumberCarrier(
              () => accounts.apiOf(account),
              twilio ? voiceUrlOf(twilio, account) : null,
            ),
          );
        return new NumberCarriers(twilio?.account ? at(null) : usable(new SandboxNumberCarrier()), at);
      },
    },
    // Null where Twilio cannot reach this installation.
    {
      provide: TwilioCallCarrier,
      inject: [TelephonyConfig, TwilioAccounts],
      useFactory: ({ twilio }: TelephonyConfig, accounts: TwilioAccounts) =>
        twilio ? new TwilioCallCarrier(accounts, twilio) : null,
    },
    {
      provide: CallCarriers,
      inject: [
        CallCarrier,
        WebCallCarrier,
        LiveKitSipCarrier,
        SipCallCarrier,
        TwilioCallCarrier,
        TelephonyConfig,
        ServerConfig,
      ],
      useFactory: (
        sandbox: CallCarrier,
        web: WebCallCarrier,
        livekit: LiveKitSipCarrier | null,
        sip: SipCallCarrier | null,
        twilio: TwilioCallCarrier | null,
        config: TelephonyConfig,
        { isPaused }: ServerConfig,
      ) => {
        const usable = (carrier: CallCarrier) => (isPaused ? new PausedCarrier(carrier) : carrier);
        const carriers = new CallCarriers(usable(sandbox));
        carriers.add(web, null);
        // Before our user agent, which then takes calls in alone.
        if (livekit) carriers.add(usable(livekit), ({ type }) => type === 'sip');
        if (sip) carriers.add(usable(sip), ({ type }) => type === 'sip');
        const isOfTwilio = ({ type, carrierAccountId }: CarrierNumber) =>
          type !== 'sip' && (carrierAccountId !== null || config.twilio?.account !== null);
        if (twilio) carriers.add(usable(twilio), isOfTwilio);
        return carriers;
      },
    },
    { provide: WebCallCarrier, useFactory: () => new WebCallCarrier() },
    // Null unless the operator has chosen it.
    {
      provide: LiveKitSipCarrier,
      inject: [TelephonyConfig, SecurityConfig, InternalToken, Logger],
      useFactory: (
        { livekit, livekitSip }: TelephonyConfig,
        { egressAllowCidrs }: SecurityConfig,
        token: InternalToken,
        logger: Logger,
      ) =>
        livekit && livekitSip
          ? new LiveKitSipCarrier({
              server: livekit,
              roomPrefix: `${installationName(token)}-sip-`,
              allowCidrs: egressAllowCidrs,
              pace: {
                placementsPerSecond: livekitSip.callsPerSecond ?? null,
                placementsPerSecondOfTrunk: livekitSip.trunkCallsPerSecond ?? null,
              },
              onTrouble: (err) => logger.warn('trouble with a call through LiveKit', { err }),
            })
          : null,
    },
    // Null without a place to listen at.
    {
      provide: SipCallCarrier,
      inject: [TelephonyConfig, SecurityConfig, ServerConfig],
      useFactory: (
        { sip }: TelephonyConfig,
        { egressAllowCidrs }: SecurityConfig,
        { isPaused }: ServerConfig,
      ) =>
        sip
          ? new SipCallCarrier(
              {
                listen: { ...sip.listen, publicAddress: sip.publicAddress ?? null, tls: sip.tls },
                proxy: sip.proxy,
                processPorts: sip.processPorts,
                isPaused,
                rtpPorts: sip.rtpPorts,
                codecs: sip.isWideband ? AUDIO_CODECS : NARROW_CODECS,
                realm: SIP_REALM,
                lookup: systemLookup,
                isPermitted: (address) => !isForbiddenAddress(address, egressAllowCidrs),
              },
              {
                placementsPerSecond: sip.callsPerSecond ?? null,
                placementsPerSecondOfTrunk: sip.trunkCallsPerSecond ?? null,
              },
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
  exports: [
    CallCarriers,
    DestinationPolicy,
    LiveKitSipCarrier,
    NumberCarriers,
    SipCallCarrier,
    TwilioAccounts,
    TwilioCallCarrier,
    WebCallCarrier,
  ],
})
export class TelephonyModule implements OnApplicationShutdown {
  constructor(private readonly carriers: CallCarriers) {}

  onApplicationShutdown(): Promise<void> {
    return this.carriers.close();
  }
}

/** Where Twilio asks what to do with a call to a number of the account. */
function voiceUrlOf({ publicUrl }: TwilioConfig, account: string | null): string {
  return `${publicUrl}/twilio${account === null ? '' : `/accounts/${account}`}/voice`;
}
