import { CallCarrier } from '../../call-carrier.js';
import type { CallCarrierCapabilities } from '../../call/call-capabilities.js';
import type { CallEvent } from '../../call/carrier-call.js';
import type { CallLookup, PlaceCall, PlacedCall } from '../../call/call-placing.js';
import type { CallMedia, TransferCall } from '../../call/call-line.js';
import type { ForwardCall, InboundOffer, RejectReason, SpokenMessage } from '../../call/incoming-calls.js';
import { nameOfAccount } from '../../carrier-name.js';
import type { CarrierAccountId } from '../twilio-accounts.js';

/** The lines of a process, which all accounts at Twilio share. */
export interface TwilioLines extends CallCarrier {
  placeFor(account: CarrierAccountId, request: PlaceCall): Promise<PlacedCall>;
  hangUpFor(account: CarrierAccountId, callId: string): Promise<void>;
  announce(callId: string, message: SpokenMessage): Promise<void>;
  forward(callId: string, forward: ForwardCall): Promise<void>;
  adoptFor(account: CarrierAccountId, callId: string): Promise<void>;
}

/** Calls over an account at Twilio that an account of ours has brought. Its lines are those of the whole process. */
export class TwilioAccountCalls extends CallCarrier {
  readonly name: string;

  constructor(
    private readonly lines: TwilioLines,
    private readonly carrierAccountId: string,
  ) {
    super();
    this.name = nameOfAccount(lines.name, carrierAccountId);
  }

  get capabilities(): CallCarrierCapabilities {
    return this.lines.capabilities;
  }

  get media(): CallMedia {
    return this.lines.media;
  }

  override get placesHere(): boolean {
    return this.lines.placesHere;
  }

  place(request: PlaceCall): Promise<PlacedCall> {
    return this.lines.placeFor(this.carrierAccountId, request);
  }

  findCall(key: string): Promise<CallLookup> {
    return this.lines.findCall(key);
  }

  watch(callId: string, signal?: AbortSignal): AsyncIterableIterator<CallEvent> {
    return this.lines.watch(callId, signal);
  }

  hangUp(callId: string): Promise<void> {
    return this.lines.hangUpFor(this.carrierAccountId, callId);
  }

  transfer(callId: string, transfer: TransferCall): Promise<void> {
    return this.lines.transfer(callId, transfer);
  }

  sendDigits(callId: string, digits: string): Promise<void> {
    return this.lines.sendDigits(callId, digits);
  }

  /** The offers of all accounts come to the listener of the shared lines. */
  inboundOffers(signal: AbortSignal): AsyncIterableIterator<InboundOffer> {
    return this.lines.inboundOffers(signal);
  }

  accept(callId: string): Promise<void> {
    return this.lines.accept(callId);
  }

  override announce(callId: string, message: SpokenMessage): Promise<void> {
    return this.lines.announce(callId, message);
  }

  override forward(callId: string, forward: ForwardCall): Promise<void> {
    return this.lines.forward(callId, forward);
  }

  override adopt(callId: string): Promise<void> {
    return this.lines.adoptFor(this.carrierAccountId, callId);
  }

  reject(callId: string, reason: RejectReason): Promise<void> {
    return this.lines.reject(callId, reason);
  }

  /** The lines are closed by their owner. */
  async close(): Promise<void> {}
}
