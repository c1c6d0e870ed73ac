/** SQL: the caller of a call, a row of `active_calls`, waits for a line, and a process has the call. */
export const waitsForLine = (row: string) =>
  `${row}.queued_at IS NOT NULL AND ${row}.stage = 'open' AND ${row}.lease_until > now()`;

/** SQL: the same of the call named `active`. */
export const WAITS_FOR_LINE = waitsForLine('active');

/** SQL: which of the callers of its number the caller of the call named `mine` is, from 1. */
export const QUEUE_POSITION = `(SELECT count(*)::integer + 1 FROM active_calls active
  WHERE active.user_id = mine.user_id AND active.phone_number_id = mine.phone_number_id
    AND (active.queued_at, active.call_id) < (mine.queued_at, mine.call_id) AND ${WAITS_FOR_LINE})`;
