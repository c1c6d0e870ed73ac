-- Purpose: Records whether the first use may activate an assistant. An active assistant may be activated again by
--   use; one that its owner has deactivated may not. A trigger, because processes of 0.2.0 change the status too
--   and do not know the column.
-- Callers: Trigger assistants_activation_decision.
-- Locks: None beyond the changed row.
-- Errors: None.

CREATE OR REPLACE FUNCTION note_activation_decision() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status = 'active' THEN
    NEW.activates_by_use := true;
  ELSIF TG_OP = 'UPDATE' AND OLD.status = 'active' THEN
    NEW.activates_by_use := false;
  END IF;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER assistants_activation_decision BEFORE INSERT OR UPDATE ON assistants
  FOR EACH ROW EXECUTE FUNCTION note_activation_decision();
