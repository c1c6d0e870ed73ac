import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What an inbox shows of a conversation, kept with it: reading it from the messages would cost more with each of them. A
 * conversation in which nobody has written is in no inbox (`last_message_at` is null).
 */
export class Inbox1763600000241 implements MigrationInterface {
  readonly name = 'Inbox1763600000241';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE conversations
        ADD COLUMN last_message text,
        ADD COLUMN last_author text,
        ADD COLUMN last_message_at timestamptz(3),
        ADD COLUMN unread_count integer NOT NULL DEFAULT 0,
        ADD COLUMN waiting_since timestamptz,
        ADD COLUMN taken_over_at timestamptz;
      CREATE INDEX conversations_activity_idx ON conversations (user_id, last_message_at, id)
        WHERE last_message_at IS NOT NULL;
      CREATE INDEX conversations_open_idx ON conversations (user_id, last_message_at, id)
        WHERE last_message_at IS NOT NULL AND ended_at IS NULL;
      CREATE INDEX conversations_human_idx ON conversations (user_id, last_message_at, id)
        WHERE last_message_at IS NOT NULL AND ended_at IS NULL AND NOT ai_enabled;
      CREATE INDEX conversations_waiting_idx ON conversations (user_id, last_message_at, id)
        WHERE last_message_at IS NOT NULL AND waiting_since IS NOT NULL;
      CREATE INDEX conversations_unread_idx ON conversations (user_id, last_message_at, id)
        WHERE last_message_at IS NOT NULL AND unread_count > 0;

      -- Lower case without accents and marks, and no word that is longer than the index takes.
      CREATE FUNCTION folded_text(p_text text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
        SELECT regexp_replace(
          regexp_replace(
            lower(translate(p_text, 'áàâãäéèêëíìîïóòôõöúùûüçñÁÀÂÃÄÉÈÊËÍÌÎÏÓÒÔÕÖÚÙÛÜÇÑ',
              'aaaaaeeeeiiiiooooouuuucnAAAAAEEEEIIIIOOOOOUUUUCN')),
            '[-+@./\\\\:;,!?(){}"''<>=*&%$#~^|_\\[\\]]+', ' ', 'g'),
          '(\\S{100})', '\\1 ', 'g')
      $$;

      -- Words together with the account they belong to, so that a search reads the entries of its own account alone.
      CREATE FUNCTION words_of_account(p_user_id integer, p_text text) RETURNS tsvector
        LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
        SELECT array_to_tsvector(ARRAY(
          SELECT p_user_id || ' ' || word FROM unnest(tsvector_to_array(to_tsvector('simple', public.folded_text(p_text)))) word))
      $$;

      -- What has all words of the text, the last letters of each of which may be missing; null for a text without words.
      CREATE FUNCTION account_search(p_user_id integer, p_text text) RETURNS tsquery
        LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
        SELECT string_agg('''' || p_user_id || ' ' ||
            replace(replace(word, '\\', '\\\\'), '''', '''''') || ''':*', ' & ')::tsquery
        FROM unnest(tsvector_to_array(to_tsvector('simple', public.folded_text(p_text)))) word
      $$;

      CREATE INDEX messages_words_idx ON messages USING gin (words_of_account(user_id, content));

      -- Who a customer is stands in the variables, which do not change; apart from the row, which changes all the time.
      CREATE TABLE conversation_words (
        conversation_id uuid NOT NULL,
        words tsvector NOT NULL,
        CONSTRAINT conversation_words_pkey PRIMARY KEY (conversation_id),
        CONSTRAINT conversation_words_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations (id)
          ON DELETE CASCADE
      );
      CREATE INDEX conversation_words_words_idx ON conversation_words USING gin (words);

      -- As before, with what the inbox shows.
      CREATE OR REPLACE FUNCTION begin_turn(
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

      -- As before, with what the inbox shows.
      CREATE OR REPLACE FUNCTION finish_turn(
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
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION begin_turn(
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
            idle_at = conversation_idle_at(assistant_id)
          WHERE id = p_conversation_id;
          RETURN json_build_object('outcome', 'stored', 'messageId', message);
        END IF;

        UPDATE conversations SET
          turn_token = p_token, turn_expires_at = now() + make_interval(secs => p_lease_seconds),
          ended_at = conversation.ended_at, message_count = message_count + added, updated_at = now(),
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

      CREATE OR REPLACE FUNCTION finish_turn(
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
          idle_at = conversation_idle_at(assistant_id), ended_at = CASE WHEN p_ends THEN now() ELSE ended_at END
        WHERE id = p_conversation_id;
        PERFORM set_config('synchronous_commit', 'off', true);
        RETURN answer;
      END $$;

      DROP TABLE conversation_words;
      DROP INDEX messages_words_idx;
      DROP FUNCTION account_search, words_of_account, folded_text;
      ALTER TABLE conversations
        DROP COLUMN last_message, DROP COLUMN last_author, DROP COLUMN last_message_at, DROP COLUMN unread_count,
        DROP COLUMN waiting_since, DROP COLUMN taken_over_at;
    `);
  }
}
