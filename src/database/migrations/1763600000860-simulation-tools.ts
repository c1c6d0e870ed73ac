import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether a run has called real tools: it is not played anew then, which would call them again. */
export class SimulationTools1763600000860 implements MigrationInterface {
  readonly name = 'SimulationTools1763600000860';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE simulation_runs ADD COLUMN has_called_tools boolean NOT NULL DEFAULT false;',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE simulation_runs DROP COLUMN has_called_tools;');
  }
}
