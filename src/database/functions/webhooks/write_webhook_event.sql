-- Purpose: Writes an event once for each subscription that wants it, and for each plugin that listens to it. Returns
--   whether there was one. Without an occurrence the event gets the next one of its subject.
-- Callers: WebhooksRepository, tell_call_status and tell_message.
-- Locks: Without an occurrence an advisory lock of the subject until the transaction ends, as two events would get the
--   same one and the second would not be written. A delivery that exists already is left as it is.
-- Errors: None.

CREATE OR REPLACE FUNCTION write_webhook_event(
  p_user_id integer, p_kind text, p_subject_id text, p_occurrence integer, p_data json
) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  event text := 'msg_' || gen_random_uuid();
  content text := json_build_object(
    'type', p_kind, 'timestamp', webhook_time(clock_timestamp()), 'data', p_data)::text;
  is_written boolean;
BEGIN
  IF p_occurrence IS NULL THEN
    PERFORM pg_advisory_xact_lock(7360003, hashtext(concat_ws(' ', p_user_id, p_kind, p_subject_id)));
  END IF;
  WITH heard AS (
    INSERT INTO plugin_events (plugin, kind, event_id, user_id, subject_id, body)
    SELECT plugin, p_kind, event, p_user_id, p_subject_id, content FROM plugin_event_listeners WHERE kind = p_kind
    RETURNING 1),
  sent AS (
    INSERT INTO webhook_deliveries (
      user_id, endpoint_id, subscription_id, event_id, kind, subject_id, occurrence, body)
    SELECT
      p_user_id, wanted.endpoint_id, wanted.id, event, p_kind, p_subject_id,
      coalesce(p_occurrence, (
        SELECT coalesce(max(occurrence) + 1, 0) FROM webhook_deliveries
        WHERE user_id = p_user_id AND kind = p_kind AND subject_id = p_subject_id AND subscription_id IS NOT NULL)),
      content
    FROM webhook_subscriptions wanted
    WHERE wanted.user_id = p_user_id AND wanted.enabled
      AND (wanted.events IS NULL OR p_kind = ANY (wanted.events))
    ON CONFLICT DO NOTHING
    RETURNING 1)
  SELECT EXISTS (SELECT FROM heard) OR EXISTS (SELECT FROM sent) INTO is_written;
  RETURN is_written;
END
$$;
