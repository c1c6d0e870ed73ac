/**
 * - `unauthorized`: there are no credentials, or Twilio refuses them (401): nothing was done
 * - `refused`: Twilio understood the request and did nothing with it
 * - `rate-limited`: too many requests at once; this one was never processed
 * - `away`: no answer, or none that can be read. A request that changes something may have been carried out
 */
export type TwilioErrorKind = 'unauthorized' | 'refused' | 'rate-limited' | 'away';

interface TwilioErrorFacts {
  /** Of the HTTP answer; null without one. */
  readonly status?: number;
  /** Twilio's own number for what went wrong, such as 21422. */
  readonly code?: number | null;
  /** What Twilio asks to be waited, with `rate-limited`; null where it does not say. */
  readonly retryAfterMs?: number | null;
}

/** All that the client of Twilio's API throws. Twilio's words may hold telephone numbers, so the message has none of them. */
export class TwilioError extends Error {
  override readonly name = 'TwilioError';
  readonly status: number | null;
  readonly code: number | null;
  readonly retryAfterMs: number | null;

  constructor(
    readonly kind: TwilioErrorKind,
    { status, code = null, retryAfterMs = null, ...options }: ErrorOptions & TwilioErrorFacts = {},
  ) {
    const facts = [status !== undefined && `status ${status}`, code !== null && `code ${code}`].filter(
      Boolean,
    );
    super(`Twilio: ${[kind, ...facts].join(', ')}`, options);
    this.status = status ?? null;
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}
