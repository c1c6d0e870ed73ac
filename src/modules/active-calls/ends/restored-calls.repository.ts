/** SQL for a database that a backup has just filled: calls of that time are over, whatever the backup says. */
export const END_CALLS_OF_BACKUP =
  "UPDATE active_calls SET end_requested_at = now() WHERE stage <> 'evaluating' AND end_requested_at IS NULL";
