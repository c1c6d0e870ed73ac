-- Purpose: Writes the webhook event of a new message. The subject is the conversation, so that erasing the
--   conversation erases the event. The occurrence is the id of the message modulo 2^31, which is unique within one
--   conversation.
-- Callers: Trigger messages_told.
-- Locks: None beyond the inserted rows.
-- Errors: None.

CREATE OR REPLACE FUNCTION tell_message() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  conversation record;
BEGIN
  IF NOT is_webhook_wanted(NEW.user_id, 'conversation.message-created') THEN RETURN NULL; END IF;
  SELECT conversations.type, assistants.uuid INTO conversation
  FROM conversations LEFT JOIN assistants ON assistants.id = conversations.assistant_id
  WHERE conversations.id = NEW.conversation_id;
  PERFORM write_webhook_event(
    NEW.user_id, 'conversation.message-created', NEW.conversation_id::text, (NEW.id % 2147483648)::integer,
    json_build_object(
      'conversation_id', NEW.conversation_id, 'conversation_type', conversation.type,
      'assistant_id', conversation.uuid, 'message_id', NEW.id, 'role', NEW.role, 'author', NEW.author,
      'content', NEW.content, 'function_calls', coalesce(NEW.function_calls, '[]'),
      'created_at', webhook_time(NEW.created_at)));
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER messages_told AFTER INSERT ON messages
  FOR EACH ROW EXECUTE FUNCTION tell_message();
