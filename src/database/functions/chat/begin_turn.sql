-- Purpose: Begins a chat turn in one round trip: takes the lease of the conversation, stores the message, holds
--   its price and returns the history. The outcome is 'missing', 'ended', 'begun', 'busy' (another turn has the
--   lease) or 'outdated' (the assistant has another version than p_version). It is 'refused' when the price could
--   not be held. It is 'stored' when the AI is off: the message is stored and charged. p_message_id names the
--   message that an interrupted run of the same request has stored. The field handoff is null unless the
--   conversation was handed over. The history is read before the price is held, to keep the lock on the wallet
--   short.
-- Callers: TurnsRepository. It rolls back when a resumed turn is not begun.
-- Locks: The conversation, then those of hold_money or capture_hold.
-- Errors: None of its own. The commit of a begun turn does not wait for the disk, because no client sees a result
--   before finish_turn.

CREATE OR REPLACE FUNCTION begin_turn(
  p_conversation_id uuid, p_token uuid, p_lease_seconds double precision, p_content text,
  p_reactivates boolean, p_history_limit integer, p_hold_id uuid, p_hold_terms jsonb, p_message_id bigint,
  p_version text
) RETURNS json
LANGUAGE plpgsql AS $$
DECLARE
  conversation conversations;
  message bigint := coalesce(p_message_id, nextval('messages_id_seq'));
  added integer := CASE WHEN p_message_id IS NULL THEN 1 ELSE 0 END;
  history json;
  hold uuid;
  charge bigint;
BEGIN
  SELECT * INTO conversation FROM conversations WHERE id = p_conversation_id FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN json_build_object('outcome', 'missing'); END IF;
  IF conversation.turn_token IS NOT NULL AND conversation.turn_expires_at >= now() THEN
    RETURN json_build_object('outcome', 'busy');
  END IF;
  IF assistant_version(conversation.user_id, conversation.assistant_id) IS DISTINCT FROM p_version THEN
    RETURN json_build_object('outcome', 'outdated');
  END IF;
  IF p_message_id IS NULL AND conversation.ended_at IS NOT NULL AND NOT p_reactivates THEN
    RETURN json_build_object('outcome', 'ended');
  END IF;
  IF conversation.ai_enabled THEN
    SELECT turn_history(p_conversation_id, message, p_history_limit) INTO history;
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
    'history', history, 'handoff', CASE WHEN conversation.handoffs > 0 THEN
      json_build_object('speakerId', conversation.speaker_id, 'count', conversation.handoffs) END);
END
$$;
