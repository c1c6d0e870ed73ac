-- Purpose: Converts a moment to the local time of a zone. Null for a zone that this server does not know, because
--   one such row must not fail a statement over all campaigns. Null as well for offsets, whose sign PostgreSQL
--   reverses, and for abbreviations of three letters, which name other zones.
-- Callers: The claims of the campaign dialler (calling-window.ts).
-- Locks: None.
-- Errors: None.

CREATE OR REPLACE FUNCTION time_in_zone(p_at timestamptz, p_zone text) RETURNS timestamp
LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF p_zone ~ '^[+-]' OR p_zone ~* '^[a-z]{3}$' AND upper(p_zone) NOT IN ('UTC', 'GMT') THEN RETURN NULL; END IF;
  RETURN p_at AT TIME ZONE p_zone;
EXCEPTION WHEN invalid_parameter_value THEN
  RETURN NULL;
END
$$;
