import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Nobody waits in a conversation that is over, whoever ended it; and one whose assistant is gone comes to its end as well. */
export class ConversationEnds1763600000800 implements MigrationInterface {
  readonly name = 'ConversationEnds1763600000800';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- A process of the release before ends conversations too, and does not know that nobody waits then.
      CREATE FUNCTION end_waiting() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.waiting_since := NULL;
        RETURN NEW;
      END $$;
      CREATE TRIGGER conversations_waiting_ended BEFORE UPDATE ON conversations
        FOR EACH ROW WHEN (NEW.ended_at IS NOT NULL AND NEW.waiting_since IS NOT NULL)
        EXECUTE FUNCTION end_waiting();

      -- Half an hour, as assistants wait by default, where there is no assistant any more.
      CREATE OR REPLACE FUNCTION conversation_idle_at(p_assistant_id integer) RETURNS timestamptz
      LANGUAGE plpgsql STABLE AS $$
      BEGIN
        RETURN now() + make_interval(mins => coalesce((
          SELECT (config->>'conversation_inactivity_timeout')::integer
          FROM assistants WHERE id = p_assistant_id), 30));
      END $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION conversation_idle_at(p_assistant_id integer) RETURNS timestamptz
      LANGUAGE plpgsql STABLE AS $$
      BEGIN
        RETURN (
          SELECT now() + make_interval(mins => (config->>'conversation_inactivity_timeout')::integer)
          FROM assistants WHERE id = p_assistant_id);
      END $$;
      DROP TRIGGER conversations_waiting_ended ON conversations;
      DROP FUNCTION end_waiting;
    `);
  }
}
