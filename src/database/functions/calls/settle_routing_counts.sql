-- Purpose: Moves the settled changes of calls with a routing into the counts by routing. A trigger, so that these counts
--   are right when a process of 0.4.0, which does not know them, settles the changes.
-- Callers: Trigger call_count_changes_settled, once for each statement.
-- Locks: The changed rows of call_routing_counts. One process at a time settles counts.
-- Errors: None.

CREATE OR REPLACE FUNCTION settle_routing_counts() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO call_routing_counts AS settled (
    user_id, period, starts_on, status, type, assistant_id, campaign_id, branch, reason, calls)
  SELECT user_id, period, starts_on, status, type, assistant_id, campaign_id, branch, reason, sum(change)
  FROM taken CROSS JOIN LATERAL (VALUES
    ('day', day), ('month', date_trunc('month', day::timestamp)::date), ('all', date '0001-01-01')
  ) AS periods (period, starts_on)
  WHERE branch <> ''
  GROUP BY user_id, period, starts_on, status, type, assistant_id, campaign_id, branch, reason HAVING sum(change) <> 0
  ON CONFLICT (user_id, period, starts_on, status, type, assistant_id, campaign_id, branch, reason)
    DO UPDATE SET calls = settled.calls + excluded.calls;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER call_count_changes_settled AFTER DELETE ON call_count_changes REFERENCING OLD TABLE AS taken
  FOR EACH STATEMENT EXECUTE FUNCTION settle_routing_counts();
