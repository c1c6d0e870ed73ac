import type { CallCarrier } from '../../providers/telephony/call-carrier.js';

/** Who calls. */
export interface CallOrder {
  readonly userId: number;
  readonly assistantId: number;
  /** On whose behalf. Its name is kept with the call. */
  readonly campaign: { readonly id: number; readonly name: string } | null;
}

/** Who is called. */
export interface Callee {
  /** UUID; the carrier's key. */
  readonly attemptId: string;
  readonly leadId: number | null;
  /** E.164, as is `to`. */
  readonly from: string;
  /** Of the number `from`, which an account may have on several trunks; null where it is none of the account's. */
  readonly phoneNumberId: number | null;
  readonly to: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** And through which carrier. */
export interface RoutedCallee extends Callee {
  readonly carrier: CallCarrier;
  /** The id of the number where it is one of a SIP trunk. */
  readonly trunkId: number | null;
}
