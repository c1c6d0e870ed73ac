import type { MigrationInterface, QueryRunner } from 'typeorm';

export class LineStates1763600000470 implements MigrationInterface {
  readonly name = 'LineStates1763600000470';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE active_calls ADD COLUMN line_state text,
        ADD CONSTRAINT active_calls_line_state_bounded CHECK (length(line_state) <= 32768);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE active_calls DROP COLUMN line_state;');
  }
}
