/**
 * - `rejected`: the carrier understood and refused (a number it does not dial, a key used for another number, no credit)
 * - `not-supported`: a capability it does not have
 * - `no-such-call`: it knows no call of that id
 * - `call-over`: the call has ended, so nothing can be done with it
 * - `not-answered`: nobody has answered yet
 * - `taken`: another process has accepted or rejected the offer
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
  | 'unavailable'
  | 'timeout';

/**
 * Whether the carrier has got the request. `no`: surely not, or it did nothing with it: sending again dials nobody twice.
 * `maybe`: it may have acted: ask by key, or send the same key again where the carrier keeps keys. `yes`: it has acted.
 */
export type SentState = 'no' | 'maybe' | 'yes';

const MESSAGES: Readonly<Record<CallCarrierErrorCode, string>> = {
  rejected: 'The carrier refused the request.',
  'not-supported': 'The carrier cannot do this.',
  'no-such-call': 'The carrier does not know this call.',
  'call-over': 'The call has ended.',
  'not-answered': 'The call has not been answered.',
  taken: 'Another process has taken this call.',
  unavailable: 'The carrier is unavailable.',
  timeout: 'The carrier did not answer in time.',
};

/** All that a CallCarrier throws. What the carrier itself said is in `cause`, and never in the message. */
export class CallCarrierError extends Error {
  override readonly name = 'CallCarrierError';

  constructor(
    readonly code: CallCarrierErrorCode,
    readonly sent: SentState,
    options?: ErrorOptions,
  ) {
    super(MESSAGES[code], options);
  }
}
