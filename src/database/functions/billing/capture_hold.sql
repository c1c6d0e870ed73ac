-- Purpose: Turns a hold into a charge of the whole amount (p_amount is null) or of less, writes the ledger entry
--   and returns the charge. What a visitor's work did not use is subtracted from the counters of visitors.
-- Callers: BillingRepository, begin_turn and finish_turn.
-- Locks: The hold, then the wallet, then the row of the assistant in visitor_usage.
-- Errors: Raises NO_DATA_FOUND when the account has no wallet. Null means that the hold is no longer open or holds
--   less than the charge, and nothing has changed.

CREATE OR REPLACE FUNCTION capture_hold(p_id uuid, p_amount bigint) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  hold holds;
  held_on date;
  charge bigint;
  balance bigint;
BEGIN
  UPDATE holds SET state = 'captured'
  WHERE id = p_id AND state = 'held' AND coalesce(p_amount, amount_micros) <= amount_micros
  RETURNING * INTO hold;
  IF NOT FOUND THEN RETURN NULL; END IF;
  charge := coalesce(p_amount, hold.amount_micros);
  held_on := (hold.created_at AT TIME ZONE 'UTC')::date;
  UPDATE wallets SET
    visitors_micros = CASE WHEN hold.visitor_of IS NOT NULL AND visitors_on = held_on
                           THEN visitors_micros - (hold.amount_micros - charge) ELSE visitors_micros END,
    balance_micros = balance_micros - charge,
    held_micros = held_micros - hold.amount_micros,
    spent_micros = CASE WHEN spent_on = (now() AT TIME ZONE 'UTC')::date THEN spent_micros ELSE 0 END + charge,
    spent_on = (now() AT TIME ZONE 'UTC')::date
  WHERE user_id = hold.user_id
  RETURNING balance_micros INTO STRICT balance;
  INSERT INTO ledger_entries (user_id, kind, amount_micros, balance_after_micros, reference)
  VALUES (hold.user_id, hold.kind, -charge, balance, hold.reference);
  IF hold.visitor_of IS NOT NULL AND charge < hold.amount_micros THEN
    UPDATE visitor_usage SET spent_micros = spent_micros - (hold.amount_micros - charge)
    WHERE assistant_id = hold.visitor_of AND day = held_on;
  END IF;
  RETURN charge;
END
$$;
