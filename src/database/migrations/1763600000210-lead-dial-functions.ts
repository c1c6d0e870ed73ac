import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How leads are moved to where they stand with the dialler, as a function of the leads: a claim writes its attempts and
 * marks their leads in one statement, and the leads' table is still written by the leads alone.
 */
export class LeadDialFunctions1763600000210 implements MigrationInterface {
  readonly name = 'LeadDialFunctions1763600000210';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Moves leads to a state with their counts of attempts. Returns how many were moved; null lists are empty ones.
      CREATE FUNCTION move_lead_dials(p_state text, p_lead_ids integer[], p_attempts smallint[]) RETURNS integer
      LANGUAGE plpgsql AS $$
      DECLARE
        moved integer;
      BEGIN
        UPDATE lead_dials SET state = p_state, attempts = given.attempts
        FROM unnest(p_lead_ids, p_attempts) AS given (lead_id, attempts)
        WHERE lead_dials.lead_id = given.lead_id;
        GET DIAGNOSTICS moved = ROW_COUNT;
        RETURN moved;
      END $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION move_lead_dials');
  }
}
