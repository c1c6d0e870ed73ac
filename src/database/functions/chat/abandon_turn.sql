-- Purpose: Ends a turn without an answer: releases the conversation, voids the hold and adds the tokens, which
--   were used even if the lease is lost. When the answer is stored after all, returns its id and changes nothing.
--   It waits for a finish_turn in progress, and a later finish_turn finds no lease, so the answer stays correct. A
--   turn that has lost its lease leaves its hold alone, because a repetition of the request may use it.
-- Callers: TurnsRepository.
-- Locks: The conversation, then the hold.
-- Errors: None. The job sweep-holds returns the money of a hold that no turn uses.

CREATE OR REPLACE FUNCTION abandon_turn(
  p_conversation_id uuid, p_token uuid, p_message_id bigint, p_hold_id uuid, p_input_tokens bigint,
  p_cached_input_tokens bigint, p_output_tokens bigint
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
  UPDATE conversations SET
    turn_token = nullif(turn_token, p_token),
    turn_expires_at = CASE WHEN turn_token = p_token THEN NULL ELSE turn_expires_at END,
    input_tokens = CASE WHEN p_input_tokens IS NULL THEN input_tokens
      ELSE coalesce(input_tokens, 0) + p_input_tokens END,
    cached_input_tokens = CASE WHEN p_cached_input_tokens IS NULL THEN cached_input_tokens
      ELSE coalesce(cached_input_tokens, 0) + p_cached_input_tokens END,
    output_tokens = CASE WHEN p_output_tokens IS NULL THEN output_tokens
      ELSE coalesce(output_tokens, 0) + p_output_tokens END
  WHERE id = p_conversation_id AND (
    turn_token = p_token OR coalesce(p_input_tokens, p_cached_input_tokens, p_output_tokens) IS NOT NULL);
  IF p_hold_id IS NOT NULL AND coalesce(holder, p_token) = p_token THEN PERFORM void_hold(p_hold_id); END IF;
  RETURN NULL;
END
$$;
