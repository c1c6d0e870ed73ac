-- for 0.2.0, removed in 0.4.0
--
-- Purpose: Stores the answer of a turn as finish_turn with tokens does, and counts no tokens.
-- Callers: Processes of 0.2.0, during an upgrade.
-- Locks: The conversation, then those of capture_hold.
-- Errors: None of its own.

CREATE OR REPLACE FUNCTION finish_turn(
  p_conversation_id uuid, p_token uuid, p_message_id bigint, p_hold_id uuid, p_content text,
  p_function_calls jsonb, p_ends boolean
) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  owner integer;
  charge bigint := 0;
  answer bigint;
BEGIN
  SELECT user_id INTO owner FROM conversations
  WHERE id = p_conversation_id AND turn_token = p_token FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  IF p_hold_id IS NOT NULL THEN
    charge := capture_hold(p_hold_id, NULL);
    IF charge IS NULL THEN RETURN NULL; END IF;
    UPDATE messages SET cost_micros = charge WHERE id = p_message_id;
  END IF;
  INSERT INTO messages (conversation_id, user_id, role, author, content, function_calls, turn_token)
  VALUES (p_conversation_id, owner, 'assistant', 'ai', p_content, p_function_calls, p_token)
  RETURNING id INTO answer;
  UPDATE conversations SET
    turn_token = NULL, turn_expires_at = NULL,
    message_count = message_count + 1, total_cost_micros = total_cost_micros + charge, updated_at = now(),
    last_message = left(p_content, 200), last_author = 'ai', last_message_at = now(),
    idle_at = conversation_idle_at(assistant_id), ended_at = CASE WHEN p_ends THEN now() ELSE ended_at END
  WHERE id = p_conversation_id;
  PERFORM set_config('synchronous_commit', 'off', true);
  RETURN answer;
END
$$;
