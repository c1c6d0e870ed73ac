-- Purpose: Clears waiting_since when a conversation has ended. A trigger, because processes of 0.2.0 end
--   conversations too and do not clear it.
-- Callers: Trigger conversations_waiting_ended.
-- Locks: None beyond the changed row.
-- Errors: None.

CREATE OR REPLACE FUNCTION end_waiting() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  NEW.waiting_since := NULL;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER conversations_waiting_ended BEFORE UPDATE ON conversations FOR EACH ROW
  WHEN (NEW.ended_at IS NOT NULL AND NEW.waiting_since IS NOT NULL)
  EXECUTE FUNCTION end_waiting();
