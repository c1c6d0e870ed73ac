/**
 * SQL for a database that was just restored from a backup: calls of that time are over, even if they are recorded as
 * open.
 */
export const END_CALLS_OF_BACKUP =
  "UPDATE active_calls SET end_requested_at = now() WHERE stage <> 'evaluating' AND end_requested_at IS NULL";
