import {
  CallCarrier,
  type CallCarrierCapabilities,
  type CallEvent,
  type CallLookup,
  type InboundOffer,
  type PlaceCall,
  type PlacedCall,
  type RejectReason,
  type TextLine,
  type TransferCall,
} from '../../../providers/telephony/call-carrier.js';
import { CallCarrierError } from '../../../providers/telephony/call-carrier-error.js';

/**
 * The carrier, as the process that monitors a call may use it. Once it has let go of the call, because it shuts down or
 * another process has adopted the call, nothing it still does reaches the line; above all it does not hang up.
 */
export class LeaseGuardedCarrier extends CallCarrier {
  readonly textLine: TextLine | null;

  /** @param isHeld whether the call is still this process's */
  constructor(
    private readonly carrier: CallCarrier,
    private readonly isHeld: () => boolean,
  ) {
    super();
    const { textLine } = carrier;
    this.textLine = textLine && {
      say: (callId, text) => this.whileHeld(() => textLine.say(callId, text)),
    };
  }

  get name(): string {
    return this.carrier.name;
  }

  get capabilities(): CallCarrierCapabilities {
    return this.carrier.capabilities;
  }

  place(request: PlaceCall): Promise<PlacedCall> {
    return this.whileHeld(() => this.carrier.place(request));
  }

  findCall(key: string): Promise<CallLookup> {
    return this.carrier.findCall(key);
  }

  watch(callId: string, signal?: AbortSignal): AsyncIterableIterator<CallEvent> {
    return this.carrier.watch(callId, signal);
  }

  /** Whoever leaves a call hangs it up; one that has been let go of is left as it is. */
  async hangUp(callId: string): Promise<void> {
    if (this.isHeld()) await this.carrier.hangUp(callId);
  }

  transfer(callId: string, transfer: TransferCall): Promise<void> {
    return this.whileHeld(() => this.carrier.transfer(callId, transfer));
  }

  sendDigits(callId: string, digits: string): Promise<void> {
    return this.whileHeld(() => this.carrier.sendDigits(callId, digits));
  }

  inboundOffers(signal: AbortSignal): AsyncIterableIterator<InboundOffer> {
    return this.carrier.inboundOffers(signal);
  }

  accept(callId: string): Promise<void> {
    return this.whileHeld(() => this.carrier.accept(callId));
  }

  reject(callId: string, reason: RejectReason): Promise<void> {
    return this.whileHeld(() => this.carrier.reject(callId, reason));
  }

  /** The carrier belongs to the process, and outlives its calls. */
  async close(): Promise<void> {}

  private async whileHeld<T>(deed: () => Promise<T>): Promise<T> {
    if (!this.isHeld()) throw new CallCarrierError('unavailable', 'no');
    return deed();
  }
}
