import type { MigrationInterface, QueryRunner } from 'typeorm';

export class SecondLegNumbers1763600000666 implements MigrationInterface {
  readonly name = 'SecondLegNumbers1763600000666';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE active_calls ADD COLUMN second_leg_number_id integer;');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE active_calls DROP COLUMN second_leg_number_id;');
  }
}
