import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The statement that stores an answer also gives the conversation back, so that no third one changes its row in a turn.
 * What the third one did besides, wait for the disk, is done for all turns that end together by one write of a process.
 */
export class TurnsGivenBack1763600000491 implements MigrationInterface {
  readonly name = 'TurnsGivenBack1763600000491';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Stores a turn's answer, charges its hold and gives the conversation back. Returns the answer's id; null, and
      -- nothing has changed, when the turn has lost the conversation or its hold. The commit does not wait for the disk,
      -- so that no account's wallet is locked while the disk works: the caller waits for it apart, before it tells anybody.
      CREATE OR REPLACE FUNCTION finish_turn(
        p_conversation_id uuid, p_token uuid, p_message_id bigint, p_hold_id uuid, p_content text,
        p_function_calls jsonb, p_ends boolean
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
          idle_at = conversation_idle_at(assistant_id), ended_at = CASE WHEN p_ends THEN now() ELSE ended_at END
        WHERE id = p_conversation_id;
        PERFORM set_config('synchronous_commit', 'off', true);
        RETURN answer;
      END $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
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
}
