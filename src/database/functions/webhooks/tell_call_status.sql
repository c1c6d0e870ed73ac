-- Purpose: Writes the webhook events of a call that was added or has another status. A call has each status at
--   most once, so the position in the list tells its events apart. A trigger, so that no event is missed and no
--   extra round trip is needed.
-- Callers: Triggers calls_told_added and calls_told_moved.
-- Locks: None beyond the inserted rows.
-- Errors: None.

CREATE OR REPLACE FUNCTION tell_call_status() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  place integer := array_position(ARRAY[
    'initiated', 'ringing', 'in-progress', 'busy', 'no-answer', 'failed', 'ended', 'ended_by_customer',
    'ended_by_assistant', 'completed'], NEW.status);
  data json;
BEGIN
  IF NOT is_webhook_wanted(NEW.user_id) THEN RETURN NULL; END IF;
  data := json_build_object(
    'id', NEW.id, 'type', NEW.type, 'status', NEW.status,
    'previous_status', CASE TG_OP WHEN 'UPDATE' THEN OLD.status END,
    'assistant_id', NEW.assistant_id, 'assistant_name', NEW.assistant_name,
    'campaign_id', NEW.campaign_id, 'campaign_name', NEW.campaign_name, 'lead_id', NEW.lead_id,
    'customer_phone', NEW.client_phone_number, 'assistant_phone', NEW.assistant_phone_number,
    'created_at', webhook_time(NEW.created_at));
  IF NEW.status = 'in-progress' THEN
    PERFORM write_webhook_event(NEW.user_id, 'call.started', NEW.id::text, 0, data);
  END IF;
  PERFORM write_webhook_event(NEW.user_id, 'call.status-changed', NEW.id::text, place, data);
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER calls_told_added AFTER INSERT ON calls
  FOR EACH ROW EXECUTE FUNCTION tell_call_status();

CREATE OR REPLACE TRIGGER calls_told_moved AFTER UPDATE OF status ON calls FOR EACH ROW
  WHEN (NEW.status IS DISTINCT FROM OLD.status)
  EXECUTE FUNCTION tell_call_status();
