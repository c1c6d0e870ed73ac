-- Purpose: Empties the counts of calls when all calls are removed at once.
-- Callers: Trigger calls_truncated.
-- Locks: The five tables of counts, exclusively.
-- Errors: None.

CREATE OR REPLACE FUNCTION forget_call_counts() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE call_totals, call_dimension_totals, call_counts, call_routing_counts, call_count_changes;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER calls_truncated AFTER TRUNCATE ON calls
  FOR EACH STATEMENT EXECUTE FUNCTION forget_call_counts();
