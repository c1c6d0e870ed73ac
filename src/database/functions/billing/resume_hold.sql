-- Purpose: Returns the open hold that an interrupted run of the same work has left, and restarts its age; null
--   when there is none. A voided hold gives up the reference: its id is appended, so that a new hold can use the
--   reference. The hold of a visitor stays counted on its first day: on a later day its end must not change the
--   counters of that day.
-- Callers: begin_turn.
-- Locks: The holds with the reference.
-- Errors: None.

CREATE OR REPLACE FUNCTION resume_hold(p_user_id integer, p_reference text) RETURNS uuid
LANGUAGE plpgsql AS $$
DECLARE
  resumed uuid;
BEGIN
  UPDATE holds SET reference = reference || ':' || id
  WHERE user_id = p_user_id AND reference = p_reference AND state = 'voided';
  UPDATE holds SET created_at = now(),
    visitor_of = CASE WHEN created_at >= date_trunc('day', now(), 'UTC') THEN visitor_of END
  WHERE user_id = p_user_id AND reference = p_reference AND state = 'held'
  RETURNING id INTO resumed;
  RETURN resumed;
END
$$;
