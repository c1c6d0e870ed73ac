-- for 0.2.0, removed in 0.4.0
--
-- Purpose: Returns whether the plan of an account allows one more tool. Each statement of the function sees what
--   was committed before it. The count comes after the lock, so it includes the tools of earlier holders of the
--   lock.
-- Callers: Processes of 0.2.0, during an upgrade, in the statement that inserts the tool. Both releases lock the
--   account, so the limit holds for them together.
-- Locks: The row of the account in users, unless the limit is out of reach.
-- Errors: None. False means that the limit is reached.

CREATE OR REPLACE FUNCTION may_add_tool(account integer) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  allowed integer := (SELECT max_tools FROM users JOIN plans ON plans.id = plan_id WHERE users.id = account);
BEGIN
  -- No account can reach a limit above the number of tools ever added. The margin covers inserts in progress.
  IF (SELECT last_value FROM tools_id_seq) + 10000 < allowed THEN
    RETURN true;
  END IF;
  SELECT max_tools INTO allowed FROM users JOIN plans ON plans.id = plan_id
  WHERE users.id = account FOR NO KEY UPDATE OF users;
  RETURN (SELECT count(*) FROM (SELECT FROM tools WHERE user_id = account LIMIT allowed) AS counted) < allowed;
END
$$;
