-- Purpose: Records how deleted leads change the counts by campaign and status. Writers only append, so they never
--   wait for each other.
-- Callers: Trigger leads_counted_removed, once for each statement.
-- Locks: None.
-- Errors: None.

CREATE OR REPLACE FUNCTION count_removed_leads() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO lead_count_changes (user_id, campaign_id, status, change)
  SELECT user_id, campaign_id, status, sum(change)
  FROM (SELECT user_id, campaign_id, status, -1 AS change FROM removed) AS moved
  GROUP BY user_id, campaign_id, status HAVING sum(change) <> 0;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER leads_counted_removed AFTER DELETE ON leads REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_removed_leads();
