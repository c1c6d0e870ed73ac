-- for 0.2.0, removed in 0.4.0
--
-- Purpose: Ends a turn without an answer as abandon_turn with tokens does, and counts no tokens.
-- Callers: Processes of 0.2.0, during an upgrade.
-- Locks: The conversation, then the hold.
-- Errors: None.

CREATE OR REPLACE FUNCTION abandon_turn(
  p_conversation_id uuid, p_token uuid, p_message_id bigint, p_hold_id uuid
) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  holder uuid;
  answer bigint;
BEGIN
  SELECT turn_token INTO holder FROM conversations WHERE id = p_conversation_id FOR NO KEY UPDATE;
  SELECT id INTO answer FROM messages
  WHERE conversation_id = p_conversation_id AND id > p_message_id AND turn_token = p_token;
  IF FOUND THEN RETURN answer; END IF;
  UPDATE conversations SET turn_token = NULL, turn_expires_at = NULL
  WHERE id = p_conversation_id AND turn_token = p_token;
  IF p_hold_id IS NOT NULL AND coalesce(holder, p_token) = p_token THEN PERFORM void_hold(p_hold_id); END IF;
  RETURN NULL;
END
$$;
