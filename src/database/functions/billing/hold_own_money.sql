-- Purpose: Sets money aside for work of the owner. One guarded UPDATE decides, so no earlier read can be out of
--   date. The day begins at midnight UTC. Spending of visitors does not count towards the daily cap of the owner.
-- Callers: hold_money.
-- Locks: The wallet of the account.
-- Errors: None. False means that the free balance or the daily cap does not allow the amount, and nothing has
--   changed.

CREATE OR REPLACE FUNCTION hold_own_money(
  p_id uuid, p_user_id integer, p_kind text, p_amount bigint, p_reference text, p_daily_cap bigint
) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE wallets SET held_micros = held_micros + p_amount
  WHERE user_id = p_user_id
    AND balance_micros - held_micros >= p_amount
    AND (p_daily_cap IS NULL
         OR held_micros
            + CASE WHEN spent_on = (now() AT TIME ZONE 'UTC')::date THEN spent_micros ELSE 0 END
            - CASE WHEN visitors_on >= (now() AT TIME ZONE 'UTC')::date THEN visitors_micros ELSE 0 END
            + p_amount <= p_daily_cap);
  IF NOT FOUND THEN RETURN false; END IF;
  INSERT INTO holds (id, user_id, kind, amount_micros, reference)
  VALUES (p_id, p_user_id, p_kind, p_amount, p_reference);
  RETURN true;
END
$$;
