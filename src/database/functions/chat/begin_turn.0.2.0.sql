-- for 0.2.0, removed in 0.4.0
--
-- Purpose: Begins a chat turn as begin_turn with a version does, without a check of the assistant and without
--   handoffs.
-- Callers: Processes of 0.2.0, during an upgrade.
-- Locks: The conversation, then those of hold_money or capture_hold.
-- Errors: None of its own.

CREATE OR REPLACE FUNCTION begin_turn(
  p_conversation_id uuid, p_token uuid, p_lease_seconds double precision, p_content text,
  p_reactivates boolean, p_history_limit integer, p_hold_id uuid, p_hold_terms jsonb, p_message_id bigint
) RETURNS json
LANGUAGE plpgsql AS $$
DECLARE
  conversation conversations;
  message bigint := coalesce(p_message_id, nextval('messages_id_seq'));
  added integer := CASE WHEN p_message_id IS NULL THEN 1 ELSE 0 END;
  hold uuid;
  charge bigint;
BEGIN
  SELECT * INTO conversation FROM conversations WHERE id = p_conversation_id FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN json_build_object('outcome', 'missing'); END IF;
  IF conversation.turn_token IS NOT NULL AND conversation.turn_expires_at >= now() THEN
    RETURN json_build_object('outcome', 'busy');
  END IF;
  IF p_message_id IS NULL AND conversation.ended_at IS NOT NULL AND NOT p_reactivates THEN
    RETURN json_build_object('outcome', 'ended');
  END IF;
  IF p_hold_id IS NOT NULL THEN
    IF p_message_id IS NOT NULL THEN hold := resume_hold(conversation.user_id, 'message:' || message); END IF;
    IF hold IS NULL THEN
      hold := p_hold_id;
      IF NOT hold_money(conversation.user_id, 'message:' || message, p_hold_terms) THEN
        RETURN json_build_object('outcome', 'refused');
      END IF;
    END IF;
  END IF;
  IF p_message_id IS NULL THEN
    INSERT INTO messages (id, conversation_id, user_id, role, author, content)
    VALUES (message, p_conversation_id, conversation.user_id, 'user', 'customer', p_content);
    conversation.ended_at := NULL;
    conversation.last_message := left(p_content, 200);
    conversation.last_author := 'customer';
    conversation.last_message_at := now();
    IF conversation.type = 'widget' THEN conversation.unread_count := conversation.unread_count + 1; END IF;
  END IF;

  IF NOT conversation.ai_enabled THEN
    IF hold IS NOT NULL THEN
      charge := capture_hold(hold, NULL);
      UPDATE messages SET cost_micros = charge WHERE id = message;
    END IF;
    UPDATE conversations SET
      turn_token = NULL, turn_expires_at = NULL, ended_at = conversation.ended_at,
      message_count = message_count + added,
      total_cost_micros = total_cost_micros + coalesce(charge, 0), updated_at = now(),
      last_message = conversation.last_message, last_author = conversation.last_author,
      last_message_at = conversation.last_message_at, unread_count = conversation.unread_count,
      waiting_since = coalesce(conversation.waiting_since, now()),
      idle_at = conversation_idle_at(assistant_id)
    WHERE id = p_conversation_id;
    RETURN json_build_object('outcome', 'stored', 'messageId', message);
  END IF;

  UPDATE conversations SET
    turn_token = p_token, turn_expires_at = now() + make_interval(secs => p_lease_seconds),
    ended_at = conversation.ended_at, message_count = message_count + added, updated_at = now(),
    last_message = conversation.last_message, last_author = conversation.last_author,
    last_message_at = conversation.last_message_at, unread_count = conversation.unread_count,
    idle_at = conversation_idle_at(assistant_id)
  WHERE id = p_conversation_id;
  PERFORM set_config('synchronous_commit', 'off', true);
  RETURN json_build_object(
    'outcome', 'begun', 'messageId', message, 'holdId', hold, 'variables', conversation.variables,
    'history', (
      SELECT coalesce(json_agg(json_build_object('role', role, 'content', content) ORDER BY id), '[]')
      FROM (SELECT id, role, content FROM messages
            WHERE conversation_id = p_conversation_id AND id < message
            ORDER BY id DESC LIMIT p_history_limit) last));
END
$$;
