import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The plan's limit of tools, checked within the statement that adds one. A function, because each of its statements sees
 * what was committed before: the count comes after the lock, so that it sees whatever its holders have added.
 */
export class ToolPlaces1763600000190 implements MigrationInterface {
  readonly name = 'ToolPlaces1763600000190';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION may_add_tool(account integer) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
      DECLARE
        allowed integer := (SELECT max_tools FROM users JOIN plans ON plans.id = plan_id WHERE users.id = account);
      BEGIN
        -- Nobody can have as many where there have never been so many. The margin is for those that are being added.
        IF (SELECT last_value FROM tools_id_seq) + 10000 < allowed THEN
          RETURN true;
        END IF;
        SELECT max_tools INTO allowed FROM users JOIN plans ON plans.id = plan_id
        WHERE users.id = account FOR NO KEY UPDATE OF users;
        RETURN (SELECT count(*) FROM (SELECT FROM tools WHERE user_id = account LIMIT allowed)) < allowed;
      END $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION may_add_tool(integer)');
  }
}
