import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The hours of campaigns by a zone that the server may not know. */
export class TimeInZone1763600000790 implements MigrationInterface {
  readonly name = 'TimeInZone1763600000790';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- A moment by the clock of a zone; null for a zone that this server does not know, since one such row must not fail a
      -- statement over the campaigns of all accounts. Null as well for what is no name of a zone: PostgreSQL reads offsets with
      -- their sign reversed, and abbreviations of three letters as other zones than those who wrote them.
      CREATE FUNCTION time_in_zone(p_at timestamptz, p_zone text) RETURNS timestamp LANGUAGE plpgsql STABLE AS $$
      BEGIN
        IF p_zone ~ '^[+-]' OR p_zone ~* '^[a-z]{3}$' AND upper(p_zone) NOT IN ('UTC', 'GMT') THEN RETURN NULL; END IF;
        RETURN p_at AT TIME ZONE p_zone;
      EXCEPTION WHEN invalid_parameter_value THEN
        RETURN NULL;
      END $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION time_in_zone;');
  }
}
