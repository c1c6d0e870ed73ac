/**
 * - `rejected`: the carrier understood and refused (a number it does not dial, a key used for another number, no credit)
 * - `not-supported`: a capability it does not have
 * - `no-such-call`: it knows no call of that id
 * - `call-over`: the call has ended, so nothing can be done with it
 * - `not-answered`: the call has not been answered yet
 * - `taken`: another process has accepted or rejected the offer
 * - `rate-limited`: it takes no more requests for now; see `retryAfterMs`
 * - `unavailable`: no answer, or none that can be read
 * - `timeout`: no answer in time
 */
export type CallCarrierErrorCode =
  | 'rejected'
  | 'not-supported'
  | 'no-such-call'
  | 'call-over'
  | 'not-answered'
  | 'taken'
  | 'rate-limited'
  | 'unavailable'
  | 'timeout';

/**
 * Whether the carrier has got the request. `no`: it did not act on it, so sending it again cannot place a second
 * call. `maybe`: it may have acted: ask by key, or send the same key again where the carrier keeps keys. `yes`: it
 * has acted.
 */
export type SentState = 'no' | 'maybe' | 'yes';

const MESSAGES: Readonly<Record<CallCarrierErrorCode, string>> = {
  rejected: 'The carrier refused the request.',
  'not-supported': 'The carrier cannot do this.',
  'no-such-call': 'The carrier does not know this call.',
  'call-over': 'The call has ended.',
  'not-answered': 'The call has not been answered.',
  taken: 'Another process has taken this call.',
  'rate-limited': 'The carrier takes no more requests for now.',
  unavailable: 'The carrier is unavailable.',
  timeout: 'The carrier did not answer in time.',
};

const UNDELIVERED: ReadonlySet<CallCarrierErrorCode> = new Set(['rate-limited', 'unavailable', 'timeout']);

/** All that a CallCarrier throws. What the carrier itself said is in `cause`, and never in the message. */
export class CallCarrierError extends Error {
  override readonly name = 'CallCarrierError';
  /** How long a carrier that is `rate-limited` wants to be left alone; null when it has not said so. */
  readonly retryAfterMs: number | null;

  constructor(
    readonly code: CallCarrierErrorCode,
    readonly sent: SentState,
    { retryAfterMs = null, ...options }: ErrorOptions & { readonly retryAfterMs?: number | null } = {},
  ) {
    super(MESSAGES[code], options);
    this.retryAfterMs = retryAfterMs;
  }

  /**
   * The request provably never came to be dealt with (no connection, no such host, refused before it was read, too many at
   * once). It says nothing about what was asked for, unlike a refusal, and may be sent again as if it had never been.
   */
  get isUndelivered(): boolean {
    return this.sent === 'no' && UNDELIVERED.has(this.code);
  }
}
