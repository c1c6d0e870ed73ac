import { CallCarrier } from './call-carrier.js';
import type { CallCarrierCapabilities } from './call/call-capabilities.js';
import type { CallEvent } from './call/carrier-call.js';
import type { CallMedia } from './call/call-line.js';
import type { InboundOffer } from './call/incoming-calls.js';
import { CallCarrierError } from './call-carrier-error.js';
import { EventQueue } from './event-queue.js';

/**
 * A carrier that calls were made with and that is not set up any more. It knows no call: those that were open when it was
 * taken away are over.
 */
export class AbsentCarrier extends CallCarrier {
  readonly capabilities: CallCarrierCapabilities = {
    keyRetentionMs: 0,
    provesAbsence: false,
    transfer: 'none',
    sendDigits: false,
    inBandDigits: false,
    inbound: false,
    machineDetection: false,
    reachesPeople: true,
    reattachable: false,
    livesInProcess: true,
    placementsPerSecond: null,
    placementsPerSecondOfTrunk: null,
    speed: 1,
  };
  readonly media: CallMedia = { audio: { open: refuse } };
  readonly place = refuse;
  readonly findCall = async () => ({ found: 'unknown' as const });
  readonly hangUp = refuse;
  readonly transfer = refuse;
  readonly sendDigits = refuse;
  readonly accept = refuse;
  readonly reject = refuse;

  constructor(readonly name: string) {
    super();
  }

  watch(): AsyncIterableIterator<CallEvent> {
    const queue = new EventQueue<CallEvent>();
    queue.fail(new CallCarrierError('no-such-call', 'no'));
    return queue;
  }

  inboundOffers(signal: AbortSignal): AsyncIterableIterator<InboundOffer> {
    return new EventQueue<InboundOffer>(signal);
  }

  async close(): Promise<void> {}
}

async function refuse(): Promise<never> {
  throw new CallCarrierError('no-such-call', 'no');
}
