-- Purpose: Returns whether an enabled subscription of the account or a plugin wants a kind of event, or any kind
--   when p_kind is null.
-- Callers: WebhooksRepository, the repositories of active and unanswered calls, tell_call_status and tell_message.
-- Locks: None.
-- Errors: None.

CREATE OR REPLACE FUNCTION is_webhook_wanted(p_user_id integer, p_kind text DEFAULT NULL) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN EXISTS (
    SELECT FROM webhook_subscriptions
    WHERE user_id = p_user_id AND enabled AND (p_kind IS NULL OR events IS NULL OR p_kind = ANY (events)))
    OR EXISTS (SELECT FROM plugin_event_listeners WHERE p_kind IS NULL OR kind = p_kind);
END
$$;
