-- Purpose: Returns a moment in the format of webhooks: ISO 8601 in UTC with milliseconds.
-- Callers: write_webhook_event, tell_call_status and tell_message.
-- Locks: None.
-- Errors: None.

CREATE OR REPLACE FUNCTION webhook_time(p_at timestamptz) RETURNS text
LANGUAGE sql STABLE AS $$
SELECT to_char(p_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;
