import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the simulations of an account have used on their last day. Kept apart from them: deleting one gives nothing back. */
export class SimulationUsage1763600000586 implements MigrationInterface {
  readonly name = 'SimulationUsage1763600000586';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE simulation_usage (
        user_id integer NOT NULL,
        day date NOT NULL,
        runs integer NOT NULL,
        tokens bigint NOT NULL,
        CONSTRAINT simulation_usage_pkey PRIMARY KEY (user_id),
        CONSTRAINT simulation_usage_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE simulation_usage;');
  }
}
