-- Purpose: Returns the money of a voided hold to the wallet, and subtracts it from the counters of visitors. It
--   runs at the commit: all work of an account needs the row of the wallet, which would otherwise stay locked
--   until the process commits.
-- Callers: Constraint trigger holds_voided, deferred to the commit.
-- Locks: The wallet; for the hold of a visitor the wallet first, then the row of the assistant in visitor_usage.
-- Errors: None.

CREATE OR REPLACE FUNCTION give_back_hold() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  held_on date := (OLD.created_at AT TIME ZONE 'UTC')::date;
BEGIN
  IF OLD.visitor_of IS NOT NULL THEN
    PERFORM FROM wallets WHERE user_id = OLD.user_id FOR NO KEY UPDATE;
    UPDATE visitor_usage SET spent_micros = spent_micros - OLD.amount_micros
    WHERE assistant_id = OLD.visitor_of AND day = held_on;
  END IF;
  UPDATE wallets SET
    held_micros = held_micros - OLD.amount_micros,
    visitors_micros = CASE WHEN OLD.visitor_of IS NOT NULL AND visitors_on = held_on
                           THEN visitors_micros - OLD.amount_micros ELSE visitors_micros END
  WHERE user_id = OLD.user_id;
  RETURN NULL;
END
$$;

-- PostgreSQL has no OR REPLACE for constraint triggers.
DROP TRIGGER IF EXISTS holds_voided ON holds;
CREATE CONSTRAINT TRIGGER holds_voided AFTER UPDATE OF state ON holds DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.state = 'held' AND NEW.state = 'voided') EXECUTE FUNCTION give_back_hold();
