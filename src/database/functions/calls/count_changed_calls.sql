-- Purpose: Records how updated calls change the counts by day, status, type, assistant, campaign and routing. Writers
--   only append, so they never wait for each other. Changes that cancel out are not written.
-- Callers: Trigger calls_changed, once for each statement.
-- Locks: None. CallCountsRepository settles the changes into call_counts later.
-- Errors: None.

CREATE OR REPLACE FUNCTION count_changed_calls() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO call_count_changes (user_id, day, status, type, assistant_id, campaign_id, branch, reason, change)
  SELECT user_id, day, status, type, assistant_id, campaign_id, branch, reason, sum(change)
  FROM (
    SELECT user_id, (created_at AT TIME ZONE 'UTC')::date AS day, status, type,
      coalesce(assistant_id, 0) AS assistant_id, coalesce(campaign_id, 0) AS campaign_id,
      coalesce(routing->>'branch', '') AS branch, coalesce(routing->>'reason', '') AS reason, 1 AS change
    FROM added
    UNION ALL
    SELECT user_id, (created_at AT TIME ZONE 'UTC')::date AS day, status, type,
      coalesce(assistant_id, 0) AS assistant_id, coalesce(campaign_id, 0) AS campaign_id,
      coalesce(routing->>'branch', '') AS branch, coalesce(routing->>'reason', '') AS reason, -1 AS change
    FROM removed
  ) AS moved
  GROUP BY user_id, day, status, type, assistant_id, campaign_id, branch, reason HAVING sum(change) <> 0;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER calls_changed AFTER UPDATE ON calls REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_changed_calls();
