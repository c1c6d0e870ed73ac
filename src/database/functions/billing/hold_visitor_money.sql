-- Purpose: Sets money aside for a message or call of a visitor, and counts money and message for the assistant and
--   the account. A transaction that began before midnight may run after one of the new day. Therefore day and hour
--   of a counter never go back.
-- Callers: hold_money.
-- Locks: The wallet first, then the row of the assistant in visitor_usage. Every function that locks both uses
--   this order, which prevents deadlocks.
-- Errors: None. False means that the free balance or a limit does not allow it, and nothing has changed.

CREATE OR REPLACE FUNCTION hold_visitor_money(
  p_id uuid, p_user_id integer, p_kind text, p_amount bigint, p_reference text, p_assistant_id integer,
  p_assistant_cap bigint, p_messages_per_hour integer, p_visitors_cap bigint, p_total_cap bigint
) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM wallets WHERE user_id = p_user_id FOR NO KEY UPDATE;
  INSERT INTO visitor_usage AS usage (assistant_id, day, spent_micros, hour, messages)
  SELECT p_assistant_id, (now() AT TIME ZONE 'UTC')::date, p_amount, date_trunc('hour', now(), 'UTC'), 1
  WHERE p_amount <= p_assistant_cap AND 1 <= p_messages_per_hour
  ON CONFLICT (assistant_id) DO UPDATE SET
    day = greatest(usage.day, excluded.day),
    spent_micros = CASE WHEN usage.day >= excluded.day THEN usage.spent_micros ELSE 0 END + p_amount,
    hour = greatest(usage.hour, excluded.hour),
    messages = CASE WHEN usage.hour >= excluded.hour THEN usage.messages ELSE 0 END + 1
  WHERE CASE WHEN usage.day >= excluded.day THEN usage.spent_micros ELSE 0 END + p_amount <= p_assistant_cap
    AND CASE WHEN usage.hour >= excluded.hour THEN usage.messages ELSE 0 END + 1 <= p_messages_per_hour;
  IF NOT FOUND THEN RETURN false; END IF;

  UPDATE wallets SET
    held_micros = held_micros + p_amount,
    visitors_micros = CASE WHEN visitors_on >= (now() AT TIME ZONE 'UTC')::date THEN visitors_micros ELSE 0 END + p_amount,
    visitors_on = greatest(visitors_on, (now() AT TIME ZONE 'UTC')::date)
  WHERE user_id = p_user_id
    AND balance_micros - held_micros >= p_amount
    AND CASE WHEN visitors_on >= (now() AT TIME ZONE 'UTC')::date THEN visitors_micros ELSE 0 END + p_amount
          <= coalesce(visitors_cap_micros, p_visitors_cap)
    AND (p_total_cap IS NULL
         OR held_micros + p_amount + CASE WHEN spent_on = (now() AT TIME ZONE 'UTC')::date THEN spent_micros ELSE 0 END
              <= p_total_cap);
  IF NOT FOUND THEN
    UPDATE visitor_usage SET spent_micros = spent_micros - p_amount, messages = messages - 1
    WHERE assistant_id = p_assistant_id;
    RETURN false;
  END IF;

  INSERT INTO holds (id, user_id, kind, amount_micros, reference, visitor_of)
  VALUES (p_id, p_user_id, p_kind, p_amount, p_reference, p_assistant_id);
  RETURN true;
END
$$;
