-- Purpose: Records how inserted leads change the counts by campaign and status. Writers only append, so they never
--   wait for each other.
-- Callers: Trigger leads_counted_added, once for each statement.
-- Locks: None. LeadCountsRepository settles the changes into lead_counts later.
-- Errors: None.

CREATE OR REPLACE FUNCTION count_added_leads() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO lead_count_changes (user_id, campaign_id, status, change)
  SELECT user_id, campaign_id, status, sum(change)
  FROM (SELECT user_id, campaign_id, status, 1 AS change FROM added) AS moved
  GROUP BY user_id, campaign_id, status HAVING sum(change) <> 0;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER leads_counted_added AFTER INSERT ON leads REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_added_leads();
