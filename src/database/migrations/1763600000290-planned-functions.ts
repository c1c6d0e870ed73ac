import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Two functions that each message of a turn calls, in PL/pgSQL: PostgreSQL plans the body of a function in SQL that it
 * cannot fold into the query anew at each call, which took longer than the body. They answer as before.
 */
export class PlannedFunctions1763600000290 implements MigrationInterface {
  readonly name = 'PlannedFunctions1763600000290';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION conversation_idle_at(p_assistant_id integer) RETURNS timestamptz
      LANGUAGE plpgsql STABLE AS $$
      BEGIN
        RETURN (
          SELECT now() + make_interval(mins => (config->>'conversation_inactivity_timeout')::integer)
          FROM assistants WHERE id = p_assistant_id);
      END $$;

      CREATE OR REPLACE FUNCTION words_of_account(p_user_id integer, p_text text) RETURNS tsvector
        LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
      DECLARE
        words text[] := tsvector_to_array(to_tsvector('simple', public.folded_text(p_text)));
        account text := p_user_id || ' ';
      BEGIN
        IF words = '{}' THEN RETURN ''; END IF;
        -- A word holds no control character.
        RETURN array_to_tsvector(
          string_to_array(account || array_to_string(words, E'\\x01' || account), E'\\x01'));
      END $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION conversation_idle_at(p_assistant_id integer) RETURNS timestamptz LANGUAGE sql STABLE AS $$
        SELECT now() + make_interval(mins => (config->>'conversation_inactivity_timeout')::integer)
        FROM assistants WHERE id = p_assistant_id
      $$;

      CREATE OR REPLACE FUNCTION words_of_account(p_user_id integer, p_text text) RETURNS tsvector
        LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
        SELECT array_to_tsvector(ARRAY(
          SELECT p_user_id || ' ' || word FROM unnest(tsvector_to_array(to_tsvector('simple', public.folded_text(p_text)))) word))
      $$;
    `);
  }
}
