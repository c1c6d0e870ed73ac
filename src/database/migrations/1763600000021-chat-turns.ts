import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A chat turn in few round trips: one statement takes the conversation, stores the message and holds its price; one stores
 * the answer and charges it. An answer carries its turn's token, by which it is found when nobody heard whether it was
 * committed.
 */
export class ChatTurns1763600000021 implements MigrationInterface {
  readonly name = 'ChatTurns1763600000021';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION conversation_idle_at(p_assistant_id integer) RETURNS timestamptz LANGUAGE sql STABLE AS $$
        SELECT now() + make_interval(mins => (config->>'conversation_inactivity_timeout')::integer)
        FROM assistants WHERE id = p_assistant_id
      $$;

      -- Begins a turn, or says why it cannot: 'missing', 'busy' (another turn has the conversation), 'ended', 'refused'
      -- (its price could not be held); then no new message and no new hold is there. 'stored': the AI is off, the message
      -- is stored and charged. 'begun': the turn has the conversation for p_lease_seconds, its price is held, and the
      -- messages before it come along. Nobody is told of a begun turn before its answer is on the disk, so its own commit
      -- need not wait. p_message_id: a message that an interrupted run of the same request has stored, to go on with; its
      -- caller rolls back when the turn is not begun.
      CREATE FUNCTION begin_turn(
        p_conversation_id uuid, p_token uuid, p_lease_seconds double precision, p_content text, p_reactivates boolean,
        p_history_limit integer, p_hold_id uuid, p_hold_terms jsonb, p_message_id bigint
      ) RETURNS json LANGUAGE plpgsql AS $$
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
      END $$;

      -- Stores a turn's answer and charges its hold. Returns the answer's id; null, and nothing has changed, when the
      -- turn has lost the conversation or its hold. The conversation stays leased: giving it back is durable, confirms
      -- this commit, which does not wait, and keeps no account's wallet locked while the disk works.
      CREATE FUNCTION finish_turn(
        p_conversation_id uuid, p_token uuid, p_message_id bigint, p_hold_id uuid, p_content text,
        p_function_calls jsonb, p_ends boolean
      ) RETURNS bigint LANGUAGE plpgsql AS $$
      DECLARE
        charge bigint := 0;
        answer bigint;
      BEGIN
        PERFORM FROM conversations WHERE id = p_conversation_id AND turn_token = p_token FOR NO KEY UPDATE;
        IF NOT FOUND THEN RETURN NULL; END IF;
        IF p_hold_id IS NOT NULL THEN
          charge := capture_hold(p_hold_id, NULL);
          IF charge IS NULL THEN RETURN NULL; END IF;
          UPDATE messages SET cost_micros = charge WHERE id = p_message_id;
        END IF;
        INSERT INTO messages (conversation_id, user_id, role, author, content, function_calls, turn_token)
        SELECT id, user_id, 'assistant', 'ai', p_content, p_function_calls, p_token
        FROM conversations WHERE id = p_conversation_id
        RETURNING id INTO answer;
        UPDATE conversations SET
          message_count = message_count + 1, total_cost_micros = total_cost_micros + charge, updated_at = now(),
          last_message = left(p_content, 200), last_author = 'ai', last_message_at = now(),
          idle_at = conversation_idle_at(assistant_id), ended_at = CASE WHEN p_ends THEN now() ELSE ended_at END
        WHERE id = p_conversation_id;
        PERFORM set_config('synchronous_commit', 'off', true);
        RETURN answer;
      END $$;

      -- Ends a turn without an answer: gives the conversation and the money back. When its answer is stored after all,
      -- returns the answer's id and changes nothing. It waits for a finish_turn under way, and one that comes later finds
      -- no lease, so what it says stays true.
      -- A turn that has lost its conversation to another one leaves its hold alone: the other may be a repetition of the
      -- same request, which goes on with that hold. Where it is not, the sweep of stale holds gives the money back.
      CREATE FUNCTION abandon_turn(
        p_conversation_id uuid, p_token uuid, p_message_id bigint, p_hold_id uuid
      ) RETURNS bigint LANGUAGE plpgsql AS $$
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
      END $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION abandon_turn, finish_turn, begin_turn, conversation_idle_at;
    `);
  }
}
