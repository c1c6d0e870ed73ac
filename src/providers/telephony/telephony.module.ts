import { join } from 'node:path';
import { Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import { SystemClock } from '../../common/time/clock.js';
import { isForbiddenAddress } from '../../common/egress/forbidden-address.js';
import { DatabaseConfig, SecurityConfig, TelephonyConfig } from '../../config/config.js';
import { SpeechModule } from '../speech/speech.module.js';
import { SpeechProviderRegistry } from '../speech/speech-provider-registry.js';
import { CallCarrier } from './call-carrier.js';
import { CallCarriers } from './call-carriers.js';
import { NumberCarrier } from './number-carrier.js';
import { SandboxCallCarrier } from './sandbox/sandbox-call-carrier.js';
import { SandboxCarrierClient } from './sandbox/sandbox-carrier-client.js';
import { FileJournal, NoJournal } from './sandbox/sandbox-journal.js';
import { SandboxNumberCarrier } from './sandbox/sandbox-number-carrier.js';
import { SandboxAudioCarrier } from './sandbox/sound/sandbox-audio-carrier.js';
import { SipCallCarrier } from './sip/carrier/sip-call-carrier.js';
import { WebCallCarrier } from './web/web-call-carrier.js';

/**
 * The embedded database and the sandbox's journal live and die in one folder. A database of the operator outlives folders
 * and may have workers on other machines: there a sandbox inside a process remembers its own calls only, and says so.
 */
function sandboxMemory(folder: string, database: DatabaseConfig) {
  return database.url === undefined
    ? { journal: new FileJournal(join(folder, 'calls.jsonl')), knowsAllDials: true }
    : { journal: new NoJournal(), knowsAllDials: false };
}

/** The sandbox's calls, in sound where that is wished and there is a voice for it. */
function sandboxCarrier(
  telephony: TelephonyConfig,
  database: DatabaseConfig,
  { sandbox: speech }: SpeechProviderRegistry,
): CallCarrier {
  const { sandboxMedia, sandboxSpeed, sandboxCarrierUrl, sandboxDir } = telephony;
  if (sandboxMedia === 'audio') {
    if (speech.obstacle === null) return new SandboxAudioCarrier({ voice: speech });
    new Logger('Telephony').warn(`SANDBOX_MEDIA=audio: the sandbox is text only, as ${speech.obstacle}`);
  }
  if (sandboxCarrierUrl !== undefined) return new SandboxCarrierClient(sandboxCarrierUrl, sandboxSpeed);
  return new SandboxCallCarrier({
    clock: new SystemClock(sandboxSpeed),
    ...sandboxMemory(sandboxDir, database),
  });
}

/** What those who log in to call us are told they log in to. */
const SIP_REALM = 'prosa';

@Module({
  imports: [SpeechModule],
  providers: [
    { provide: NumberCarrier, useClass: SandboxNumberCarrier },
    {
      provide: CallCarriers,
      inject: [CallCarrier, WebCallCarrier, SipCallCarrier],
      useFactory: (sandbox: CallCarrier, web: WebCallCarrier, sip: SipCallCarrier | null) => {
        const carriers = new CallCarriers(sandbox);
        carriers.add(web, null);
        if (sip) carriers.add(sip, ({ type }) => type === 'sip');
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
          ? new SipCallCarrier({
              listen: { ...sip.listen, publicAddress: sip.publicAddress ?? null, tls: sip.tls },
              rtpPorts: sip.rtpPorts,
              realm: SIP_REALM,
              isPermitted: (address) => !isForbiddenAddress(address, egressAllowCidrs),
            })
          : null,
    },
    // The sandbox's, which takes what no other carrier does. Others are asked for by CallCarriers.
    {
      provide: CallCarrier,
      inject: [TelephonyConfig, DatabaseConfig, SpeechProviderRegistry],
      useFactory: sandboxCarrier,
    },
  ],
  exports: [CallCarriers, NumberCarrier, SipCallCarrier, WebCallCarrier],
})
export class TelephonyModule implements OnApplicationShutdown {
  constructor(private readonly carriers: CallCarriers) {}

  onApplicationShutdown(): Promise<void> {
    return this.carriers.close();
  }
}
