-- Purpose: Stores the answer of a turn, charges its hold, adds its tokens and releases the conversation. Returns
--   the id of the answer; null means that the turn has lost the conversation or its hold, and nothing has changed.
-- Callers: TurnsRepository, which waits for the disk before it sends the answer to the client.
-- Locks: The conversation, then those of capture_hold.
-- Errors: None of its own. The commit does not wait for the disk, so that the wallet is not locked while the disk
--   works.

CREATE OR REPLACE FUNCTION finish_turn(
  p_conversation_id uuid, p_token uuid, p_message_id bigint, p_hold_id uuid, p_content text,
  p_function_calls jsonb, p_ends boolean, p_input_tokens bigint, p_cached_input_tokens bigint,
  p_output_tokens bigint
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
    idle_at = conversation_idle_at(assistant_id), ended_at = CASE WHEN p_ends THEN now() ELSE ended_at END,
    input_tokens = CASE WHEN p_input_tokens IS NULL THEN input_tokens
      ELSE coalesce(input_tokens, 0) + p_input_tokens END,
    cached_input_tokens = CASE WHEN p_cached_input_tokens IS NULL THEN cached_input_tokens
      ELSE coalesce(cached_input_tokens, 0) + p_cached_input_tokens END,
    output_tokens = CASE WHEN p_output_tokens IS NULL THEN output_tokens
      ELSE coalesce(output_tokens, 0) + p_output_tokens END
  WHERE id = p_conversation_id;
  PERFORM set_config('synchronous_commit', 'off', true);
  RETURN answer;
END
$$;
