-- Purpose: Moves leads to a state with their numbers of attempts, and returns how many rows were moved. Null lists
--   count as empty. A claim writes its attempts and marks their leads in one statement, and only leads write their
--   table.
-- Callers: DialClaimsRepository and DialAttemptsRepository.
-- Locks: The moved rows of lead_dials.
-- Errors: None.

CREATE OR REPLACE FUNCTION move_lead_dials(
  p_state text, p_lead_ids integer[], p_attempts smallint[]
) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  moved integer;
BEGIN
  UPDATE lead_dials SET state = p_state, attempts = given.attempts
  FROM unnest(p_lead_ids, p_attempts) AS given (lead_id, attempts)
  WHERE lead_dials.lead_id = given.lead_id;
  GET DIAGNOSTICS moved = ROW_COUNT;
  RETURN moved;
END
$$;
