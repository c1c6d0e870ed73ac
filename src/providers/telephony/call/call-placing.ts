import type { CarrierCall } from './carrier-call.js';

export interface PlaceCall {
  /** The id of the attempt. The same key is the same call: it is never dialled twice while the carrier keeps keys. */
  readonly key: string;
  /** E.164; of a second leg, the number that the far end is to see. */
  readonly from: string;
  /** E.164; of a second leg also a SIP address or an extension. */
  readonly to: string;
  /** The far end of a transfer is called, for a customer who is on another line. Left out: it is not. */
  readonly isSecondLeg?: boolean;
  /** Of a second leg: E.164 of the number that forwards to it. The far end learns it where the carrier can say so. */
  readonly divertedFrom?: string;
  /** Id of the row of `from`, and of its SIP trunk; null for a number without one. */
  readonly phoneNumberId?: number | null;
  /** After so long without an answer the call ends as `no-answer`. In the carrier's time, see `speed`. */
  readonly ringingTimeoutMs: number;
}

export interface PlacedCall {
  readonly callId: string;
  /** The carrier had this key already: nothing was dialled now. */
  readonly repeated: boolean;
}

export type CallLookup =
  | { readonly found: 'yes'; readonly call: CarrierCall }
  /** Provably never dialled: the same key may be sent. */
  | { readonly found: 'absent' }
  /** Cannot be known. Dialling again may ring twice. */
  | { readonly found: 'unknown' };

/** Calls that go out. */
export interface CallPlacing {
  /**
   * Dials. Returns as soon as the carrier has taken the call; how it goes, comes by `watch`.
   *
   * @throws CallCarrierError `rejected` when the key was used for another number
   */
  place(request: PlaceCall): Promise<PlacedCall>;

  /** What became of a key. Ended calls are found at least as long as keys are kept. */
  findCall(key: string): Promise<CallLookup>;
}
