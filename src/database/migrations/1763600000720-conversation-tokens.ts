import type { MigrationInterface, QueryRunner } from 'typeorm';

/** SQL: adds what a turn has used, where that is known; unknown stays null. */
const ADDED = ['input_tokens', 'cached_input_tokens', 'output_tokens']
  .map(
    (column) =>
      `${column} = CASE WHEN p_${column} IS NULL THEN ${column} ELSE coalesce(${column}, 0) + p_${column} END`,
  )
  .join(', ');

/**
 * Conversations add up the tokens of their turns, in the statement that ends a turn. Null where no provider has told any. A
 * process of the release before goes on with the functions that it calls, which know nothing of tokens.
 */
export class ConversationTokens1763600000720 implements MigrationInterface {
  readonly name = 'ConversationTokens1763600000720';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE conversations
        ADD COLUMN input_tokens bigint, ADD COLUMN cached_input_tokens bigint, ADD COLUMN output_tokens bigint;

      -- As finish_turn without tokens, and adds those of the turn.
      CREATE FUNCTION finish_turn(
        p_conversation_id uuid, p_token uuid, p_message_id bigint, p_hold_id uuid, p_content text,
        p_function_calls jsonb, p_ends boolean,
        p_input_tokens bigint, p_cached_input_tokens bigint, p_output_tokens bigint
      ) RETURNS bigint LANGUAGE plpgsql AS $$
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
          ${ADDED}
        WHERE id = p_conversation_id;
        PERFORM set_config('synchronous_commit', 'off', true);
        RETURN answer;
      END $$;

      -- As abandon_turn without tokens, and adds those of the turn, also where it has lost the conversation: they were used.
      CREATE FUNCTION abandon_turn(
        p_conversation_id uuid, p_token uuid, p_message_id bigint, p_hold_id uuid,
        p_input_tokens bigint, p_cached_input_tokens bigint, p_output_tokens bigint
      ) RETURNS bigint LANGUAGE plpgsql AS $$
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
          ${ADDED}
        WHERE id = p_conversation_id AND (
          turn_token = p_token OR coalesce(p_input_tokens, p_cached_input_tokens, p_output_tokens) IS NOT NULL);
        IF p_hold_id IS NOT NULL AND coalesce(holder, p_token) = p_token THEN PERFORM void_hold(p_hold_id); END IF;
        RETURN NULL;
      END $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION abandon_turn(uuid, uuid, bigint, uuid, bigint, bigint, bigint);
      DROP FUNCTION finish_turn(uuid, uuid, bigint, uuid, text, jsonb, boolean, bigint, bigint, bigint);
      ALTER TABLE conversations
        DROP COLUMN input_tokens, DROP COLUMN cached_input_tokens, DROP COLUMN output_tokens;
    `);
  }
}
