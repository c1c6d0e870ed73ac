import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What is over is found by its age, without reading what is kept. */
export class Retention1763600000161 implements MigrationInterface {
  readonly name = 'Retention1763600000161';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX holds_settled_idx ON holds (created_at) WHERE state <> 'held';
      CREATE INDEX dial_attempts_settled_idx ON dial_attempts (settled_at) WHERE state = 'settled';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX dial_attempts_settled_idx, holds_settled_idx');
  }
}
