import { CallCarrier } from '../call-carrier.js';
import type { CallCarrierCapabilities } from '../call/call-capabilities.js';
import type { CallEvent } from '../call/carrier-call.js';
import type { CallLookup } from '../call/call-placing.js';
import type { CallMedia } from '../call/call-line.js';
import type { InboundOffer } from '../call/incoming-calls.js';
import { CallCarrierError } from '../call-carrier-error.js';
import { EventQueue } from '../event-queue.js';

/**
 * A carrier of a paused installation. It places, transfers, answers and hangs up no call, because the calls of a restored
 * copy may be the running calls of the original. Name and prices stay those of the carrier.
 */
export class PausedCarrier extends CallCarrier {
  readonly name: string;
  readonly capabilities: CallCarrierCapabilities;
  readonly media: CallMedia = { audio: { open: refuse } };
  readonly place = refuse;
  readonly hangUp = refuse;
  readonly transfer = refuse;
  readonly sendDigits = refuse;
  readonly accept = refuse;
  readonly reject = refuse;

  constructor(private readonly carrier: CallCarrier) {
    super();
    this.name = carrier.name;
    this.capabilities = { ...carrier.capabilities, inbound: false };
  }

  override get isSharedByAccounts(): boolean {
    return this.carrier.isSharedByAccounts;
  }

  override get placesHere(): boolean {
    return false;
  }

  override ofAccount(carrierAccountId: string): CallCarrier | null {
    const carrier = this.carrier.ofAccount(carrierAccountId);
    return carrier && new PausedCarrier(carrier);
  }

  async findCall(): Promise<CallLookup> {
    return { found: 'unknown' };
  }

  watch(): AsyncIterableIterator<CallEvent> {
    const events = new EventQueue<CallEvent>();
    events.fail(paused());
    return events;
  }

  inboundOffers(signal: AbortSignal): AsyncIterableIterator<InboundOffer> {
    return new EventQueue<InboundOffer>(signal);
  }

  close(): Promise<void> {
    return this.carrier.close();
  }
}

/** Not `unavailable`: the circuit breaker would take the carrier for one that is away. */
function paused(): CallCarrierError {
  return new CallCarrierError('rejected', 'no', { cause: 'the installation is paused' });
}

async function refuse(): Promise<never> {
  throw paused();
}
