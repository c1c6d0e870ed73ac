-- Purpose: Sets money aside for work of the owner or of a visitor. The terms, which billing writes, have id, kind,
--   amount and totalCap; for a visitor also assistantId, assistantCap, messagesPerHour and visitorsCap.
-- Callers: BillingRepository and begin_turn.
-- Locks: Those of hold_own_money or hold_visitor_money.
-- Errors: None. False means that nothing was held.

CREATE OR REPLACE FUNCTION hold_money(p_user_id integer, p_reference text, p_terms jsonb) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  IF p_terms->>'assistantId' IS NULL THEN
    RETURN hold_own_money(
      (p_terms->>'id')::uuid, p_user_id, p_terms->>'kind', (p_terms->>'amount')::bigint, p_reference,
      (p_terms->>'totalCap')::bigint);
  END IF;
  RETURN hold_visitor_money(
    (p_terms->>'id')::uuid, p_user_id, p_terms->>'kind', (p_terms->>'amount')::bigint, p_reference,
    (p_terms->>'assistantId')::integer, (p_terms->>'assistantCap')::bigint,
    (p_terms->>'messagesPerHour')::integer, (p_terms->>'visitorsCap')::bigint,
    (p_terms->>'totalCap')::bigint);
END
$$;
