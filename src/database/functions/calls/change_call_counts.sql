-- Purpose: Adds updated rows of call_counts to the totals by one value of one filter, from which a list with one
--   filter reads its total. A trigger, so that totals are right when a process of 0.2.0 settles the counts.
-- Callers: Trigger call_counts_changed, once for each statement.
-- Locks: The changed rows of call_dimension_totals. One process at a time settles counts.
-- Errors: None.

CREATE OR REPLACE FUNCTION change_call_counts() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  WITH counts AS (
    SELECT user_id, status, type, assistant_id, campaign_id, period, starts_on, calls FROM added
    UNION ALL
    SELECT user_id, status, type, assistant_id, campaign_id, period, starts_on, -calls FROM removed
  )
  INSERT INTO call_dimension_totals AS settled (user_id, dimension, value, period, starts_on, calls)
  SELECT user_id, dimension, value, period, starts_on, sum(calls) AS calls
  FROM counts CROSS JOIN LATERAL (VALUES
    ('status', status), ('type', type), ('assistant_id', assistant_id::text), ('campaign_id', campaign_id::text)
  ) AS values_of_cell (dimension, value)
  GROUP BY user_id, dimension, value, period, starts_on HAVING sum(calls) <> 0
  ON CONFLICT (user_id, dimension, value, period, starts_on) DO UPDATE SET calls = settled.calls + excluded.calls;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER call_counts_changed AFTER UPDATE ON call_counts
  REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION change_call_counts();
