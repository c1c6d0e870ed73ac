import { randomInt } from 'node:crypto';
import { retryAfterSeconds } from '../message/retry-after.js';
import type { SipResponse } from '../message/sip-message.js';
import type { SipTimers } from './sip-timers.js';

const REQUEST_PENDING = 491;
/** Failures of a server that may be over a moment later. */
const TEMPORARY_FAILURES: readonly number[] = [500, 502, 503, 504];
/** RFC 3261 §14.1, in units of 10 ms; the owner of the Call-ID waits longer, so that the two sides do not meet again. */
const OWNER_UNITS = [210, 401] as const;
const OTHER_UNITS = [0, 201] as const;
const UNIT_MS = 10;
/** The T1 that the times of §14.1 are meant for. */
const STANDARD_T1_MS = 500;

export interface RetryDelayOptions {
  /** Whether we have sent the first INVITE of the call. */
  readonly ownsCallId: boolean;
  readonly timers: SipTimers;
  /** A Retry-After is obeyed up to this time. */
  readonly maxMs: number;
}

/**
 * How long to wait before a request is sent again that changes or refreshes a session.
 *
 * @returns null where the refusal is final
 */
export function retryDelayMs(response: SipResponse, options: RetryDelayOptions): number | null {
  const { ownsCallId, timers, maxMs } = options;
  const askedSeconds = retryAfterSeconds(response);
  const isTemporary = TEMPORARY_FAILURES.includes(response.status);
  if (response.status !== REQUEST_PENDING && !isTemporary && askedSeconds === null) return null;
  const [from, to] = ownsCallId ? OWNER_UNITS : OTHER_UNITS;
  const backoffMs = randomInt(from, to) * UNIT_MS * (timers.t1Ms / STANDARD_T1_MS);
  if (askedSeconds === null) return backoffMs;
  const leastMs = response.status === REQUEST_PENDING ? backoffMs : timers.t1Ms;
  return Math.min(Math.max(askedSeconds * 1_000, leastMs), maxMs);
}
