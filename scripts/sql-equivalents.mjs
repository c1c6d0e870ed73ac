/** Faults that change nothing, by function: a part of the line that `mutate-sql` prints. */
export const EQUIVALENT = {
  // The usage of no assistant, and a difference of nothing.
  'capture_hold(uuid,bigint)': [
    'IF hold.visitor_of IS NOT NULL OR charge < hold.amount_micros THEN',
    'charge <= hold.amount_micros THEN',
  ],
  // Removed rows alone sum up to -1 or less.
  'count_removed_calls()': ['HAVING sum(change) <> 1'],
  'count_removed_leads()': ['HAVING sum(change) <> 1'],
  // Null means that no message has function calls: the way with them then gives the same history, more slowly.
  'turn_history(uuid,bigint,integer)': ['IF NOT coalesce(has_calls, true) THEN'],
  // Only whether there is a row is read, and not what it holds.
  'write_webhook_event(integer,text,text,integer,json)': ['RETURNING 2'],
};
