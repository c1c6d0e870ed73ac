-- Purpose: Empties the counts of leads when all leads are removed at once.
-- Callers: Trigger leads_counted_truncated.
-- Locks: Both tables of counts, exclusively.
-- Errors: None.

CREATE OR REPLACE FUNCTION forget_lead_counts() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE lead_counts, lead_count_changes;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER leads_counted_truncated AFTER TRUNCATE ON leads
  FOR EACH STATEMENT EXECUTE FUNCTION forget_lead_counts();
