const SECOND_MS = 1_000;

/** Reads `Retry-After` (RFC 9110, 10.2.3: seconds or a date); null without one that can be understood. */
export function parseRetryAfterMs(value: string | readonly string[] | undefined, now: Date): number | null {
  if (typeof value !== 'string') return null;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * SECOND_MS;
  const at = /[a-z]/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}
