import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What was said in a call, turn by turn, in a table that grows while the call goes on; and how well it went. */
export class CallTurns1763600000221 implements MigrationInterface {
  readonly name = 'CallTurns1763600000221';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE call_turns (
        call_id integer NOT NULL,
        position integer NOT NULL,
        user_id integer NOT NULL,
        role text NOT NULL,
        text text NOT NULL,
        start_ms integer NOT NULL,
        end_ms integer NOT NULL,
        interrupted boolean NOT NULL,
        CONSTRAINT call_turns_pkey PRIMARY KEY (call_id, position),
        CONSTRAINT call_turns_role_known CHECK (role IN ('assistant', 'customer')),
        CONSTRAINT call_turns_call_id_fkey FOREIGN KEY (call_id) REFERENCES calls (id) ON DELETE CASCADE
      );
      ALTER TABLE active_calls DROP COLUMN turns;
      ALTER TABLE calls ADD COLUMN quality jsonb;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE calls DROP COLUMN quality;
      ALTER TABLE active_calls ADD COLUMN turns jsonb NOT NULL DEFAULT '[]';
      DROP TABLE call_turns;
    `);
  }
}
