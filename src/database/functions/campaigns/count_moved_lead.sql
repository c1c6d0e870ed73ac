-- Purpose: Records that a lead has another campaign or status. A row trigger, because most updates change neither
--   column and then cost nothing.
-- Callers: Trigger leads_counted_moved.
-- Locks: None.
-- Errors: None.

CREATE OR REPLACE FUNCTION count_moved_lead() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO lead_count_changes (user_id, campaign_id, status, change)
  VALUES (old.user_id, old.campaign_id, old.status, -1), (new.user_id, new.campaign_id, new.status, 1);
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER leads_counted_moved AFTER UPDATE OF campaign_id, status ON leads FOR EACH ROW
  WHEN ((OLD.campaign_id, OLD.status) IS DISTINCT FROM (NEW.campaign_id, NEW.status))
  EXECUTE FUNCTION count_moved_lead();
