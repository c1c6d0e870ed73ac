export interface InboundOffer {
  readonly callId: string;
  readonly from: string;
  readonly to: string;
  /** Id of the row of `to`, where the carrier knows whose number it is. Left out: the account that has the number. */
  readonly phoneNumberId?: number;
  /** What the operator says of the call in header fields that lookups show: names in lower case, with their values. */
  readonly sipHeaders?: Readonly<Record<string, string>>;
  /** The called number as the operator writes it in the messages of the call. */
  readonly dialled?: readonly string[];
  /** Numbers (E.164) that have forwarded the call before, as the operator says. Left out: none, or it does not say. */
  readonly divertedFrom?: readonly string[];
  /** Id of the row of `carrier_accounts` it came to; left out: the installation's own account at the carrier. */
  readonly carrierAccountId?: string;
}

/** `busy` and `unassigned` are what the caller hears; `full`: this process takes no more, which is `busy` where no other can. */
export type RejectReason = 'busy' | 'full' | 'unassigned';

/** A text that is spoken on a call on which no assistant talks. */
export interface SpokenMessage {
  readonly text: string;
  /** Language tag such as `pt-BR`. */
  readonly language: string;
}

/** A connection of an incoming call with another number, on which no assistant talks. */
export interface ForwardCall {
  /** E.164. */
  readonly to: string;
  /** E.164; what the far end sees as caller. */
  readonly from: string;
  readonly ringingTimeoutMs: number;
  /** The carrier ends the connection so long after the answer. In its own time, see `speed`. */
  readonly maxMs: number;
}

/** Calls that come in. */
export interface IncomingCalls {
  /**
   * Calls that come in, those that are ringing already first. Every process that listens hears of every call, where the
   * carrier can tell them all.
   *
   * @param signal ends the listening, without an error
   */
  inboundOffers(signal: AbortSignal): AsyncIterableIterator<InboundOffer>;

  /**
   * Answers an inbound call.
   *
   * @throws CallCarrierError `taken` when another was quicker, `call-over` when the caller gave up
   */
  accept(callId: string): Promise<void>;

  /**
   * Answers an inbound call with a text that the carrier itself speaks, and hangs up. Not there where the process that has
   * the call's audio has to speak. Throws as `accept` does.
   */
  announce?(callId: string, message: SpokenMessage): Promise<void>;

  /**
   * Calls another number while the caller hears ringing, and answers the inbound call once that one answers. The call ends as
   * the far end does: `busy`, `no-answer` or `failed` without an answer. Not there where the process that has the call's
   * audio has to join two lines. Throws as `accept` does.
   */
  forward?(callId: string, forward: ForwardCall): Promise<void>;

  /**
   * Makes `watch` report a call here that a process which is gone has announced or forwarded. Not there where such calls are
   * reported everywhere, or end with their process.
   *
   * @throws CallCarrierError `unavailable` where the carrier does not answer
   */
  adopt?(callId: string): Promise<void>;

  /** Turns an inbound call away. Throws as `accept` does. */
  reject(callId: string, reason: RejectReason): Promise<void>;
}
