-- Purpose: Records what remains to be done for a conversation that has ended: its evaluation and its webhook. A
--   trigger, because processes of 0.2.0 end conversations too. Those send the event of an idle conversation with
--   the same kind, subject and occurrence, so there is one event.
-- Callers: Trigger conversations_end.
-- Locks: None beyond the inserted row.
-- Errors: None.

CREATE OR REPLACE FUNCTION note_conversation_end() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  settings jsonb;
  is_evaluated boolean;
BEGIN
  SELECT config INTO settings FROM assistants WHERE id = NEW.assistant_id;
  IF NOT FOUND THEN RETURN NULL; END IF;
  is_evaluated := NEW.type = 'widget' AND coalesce((settings->>'post_call_evaluation')::boolean, true)
    AND EXISTS (SELECT FROM messages WHERE conversation_id = NEW.id AND author = 'customer');
  IF is_evaluated OR settings->>'conversation_ended_webhook_url' IS NOT NULL THEN
    INSERT INTO conversation_endings (conversation_id, occurrence, user_id, ended_at, last_message_id, is_evaluated)
    VALUES (NEW.id, NEW.message_count, NEW.user_id, NEW.ended_at,
      (SELECT max(id) FROM messages WHERE conversation_id = NEW.id), is_evaluated)
    ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER conversations_end AFTER UPDATE ON conversations FOR EACH ROW
  WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL)
  EXECUTE FUNCTION note_conversation_end();
