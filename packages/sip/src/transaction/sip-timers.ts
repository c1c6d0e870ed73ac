/** The three times all timers of RFC 3261 §17 are made of, in milliseconds. */
export interface SipTimers {
  /** Estimate of the round trip. */
  readonly t1Ms: number;
  /** The longest wait between two transmissions of a non-INVITE request or an INVITE response. */
  readonly t2Ms: number;
  /** How long a message may stay in the network. */
  readonly t4Ms: number;
}

export const SIP_TIMERS: SipTimers = { t1Ms: 500, t2Ms: 4_000, t4Ms: 5_000 };

/** Timers B, F, H, J, L and M: when a transaction gives up or is forgotten. */
export function transactionTimeoutMs(timers: SipTimers): number {
  return 64 * timers.t1Ms;
}
