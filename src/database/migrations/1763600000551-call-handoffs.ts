import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which assistant has a call that its own one has handed over, and which one said something. No foreign keys, as in
 * conversations: what an assistant that was deleted has said stays said by it.
 */
export class CallHandoffs1763600000551 implements MigrationInterface {
  readonly name = 'CallHandoffs1763600000551';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE active_calls
        ADD COLUMN speaker_id integer,
        ADD COLUMN handoffs smallint NOT NULL DEFAULT 0;
      ALTER TABLE call_turns ADD COLUMN assistant_id integer, ADD COLUMN assistant_name text;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE call_turns DROP COLUMN assistant_id, DROP COLUMN assistant_name;
      ALTER TABLE active_calls DROP COLUMN speaker_id, DROP COLUMN handoffs;
    `);
  }
}
