import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The statement that begins a turn also says whether the assistant is still the one that the process knows, and who has
 * the conversation after a hand-over: a turn asks for neither apart. A process of the release before goes on with the
 * function that it calls, which asks nothing about the assistant.
 */
export class CheckedTurns1763600000540 implements MigrationInterface {
  readonly name = 'CheckedTurns1763600000540';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION conversation_handoffs;

      -- Changes whenever the assistant, compiled, would be another one: with itself, its tools or its knowledge base. Null
      -- when it is gone. Most have no knowledge base and no tools, and are done with a look at two indexes.
      CREATE FUNCTION assistant_version(p_user_id integer, p_id integer) RETURNS text LANGUAGE plpgsql STABLE AS $$
      DECLARE
        base_id integer;
        version text;
      BEGIN
        SELECT concat_ws('/', revision, phone_number_id), knowledgebase_id INTO version, base_id
        FROM assistants WHERE id = p_id AND user_id = p_user_id;
        IF NOT FOUND THEN RETURN NULL; END IF;
        IF base_id IS NOT NULL THEN
          version := concat_ws('/', version, (
            SELECT concat('base', id, '@', extract(epoch FROM updated_at), status)
            FROM knowledgebases WHERE id = base_id));
        END IF;
        IF EXISTS (SELECT FROM assistant_tools WHERE assistant_id = p_id) THEN
          version := concat_ws('/', version, (
            SELECT string_agg(concat('tool', tool.id, '@', extract(epoch FROM tool.updated_at)), ',' ORDER BY link.position)
            FROM assistant_tools link JOIN tools tool ON tool.id = link.tool_id
            WHERE link.assistant_id = p_id));
        END IF;
        IF EXISTS (SELECT FROM assistant_mcp_tools WHERE assistant_id = p_id) THEN
          version := concat_ws('/', version, (
            SELECT string_agg(
              concat('mcp', tool.id, '@', extract(epoch FROM greatest(tool.updated_at, server.updated_at))), ','
              ORDER BY tool.id)
            FROM assistant_mcp_tools link JOIN mcp_tools tool ON tool.id = link.tool_id
              JOIN mcp_servers server ON server.id = tool.server_id
            WHERE link.assistant_id = p_id));
        END IF;
        RETURN version;
      END $$;

      -- As begin_turn without a version, and 'outdated' when the assistant has another version than p_version. 'handoff'
      -- says who has a conversation that was handed over, and is null for all others. What the model is to see is read
      -- before the price is held: the wallet, where all turns of an account meet, is locked for less.
      CREATE FUNCTION begin_turn(
        p_conversation_id uuid, p_token uuid, p_lease_seconds double precision, p_content text, p_reactivates boolean,
        p_history_limit integer, p_hold_id uuid, p_hold_terms jsonb, p_message_id bigint, p_version text
      ) RETURNS json LANGUAGE plpgsql AS $$
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
          SELECT coalesce(json_agg(json_build_object('role', role, 'content', content) ORDER BY id), '[]') INTO history
          FROM (SELECT id, role, content FROM messages
                WHERE conversation_id = p_conversation_id AND id < message
                ORDER BY id DESC LIMIT p_history_limit) last;
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
      END $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION begin_turn(
        uuid, uuid, double precision, text, boolean, integer, uuid, jsonb, bigint, text);
      DROP FUNCTION assistant_version(integer, integer);
      CREATE FUNCTION conversation_handoffs(p_conversation_id uuid) RETURNS json LANGUAGE plpgsql VOLATILE AS $$
      BEGIN
        RETURN (
          SELECT json_build_object('speakerId', speaker_id, 'count', handoffs)
          FROM conversations WHERE id = p_conversation_id AND handoffs > 0);
      END $$;
    `);
  }
}
