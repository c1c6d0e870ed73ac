import type { MigrationInterface, QueryRunner } from 'typeorm';

const abandonTurn = (voidsIf: string) => `
  CREATE OR REPLACE FUNCTION abandon_turn(
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
    IF p_hold_id IS NOT NULL AND ${voidsIf} THEN PERFORM void_hold(p_hold_id); END IF;
    RETURN NULL;
  END $$;
`;

/**
 * A turn that has lost its conversation to another one leaves its hold alone: the other may be a repetition of the same
 * request, which goes on with that hold. Where it is not, the sweep of stale holds gives the money back.
 */
export class AbandonedTurns1763600000200 implements MigrationInterface {
  readonly name = 'AbandonedTurns1763600000200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(abandonTurn('coalesce(holder, p_token) = p_token'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(abandonTurn('true'));
  }
}
