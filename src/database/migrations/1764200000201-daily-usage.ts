import type { QueryRunner } from 'typeorm';
import { StatedMigration } from '../stated-migration.js';

/** What accounts use in a day of work that is free for them: simulations, test conversations and searches. */
export class DailyUsage1764200000201 extends StatedMigration {
  readonly name = 'DailyUsage1764200000201';
  readonly oldestRelease = '0.3.0';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE daily_usage (
        user_id integer NOT NULL,
        resource text NOT NULL,
        day date NOT NULL,
        amount bigint NOT NULL,
        CONSTRAINT daily_usage_pkey PRIMARY KEY (user_id, resource),
        CONSTRAINT daily_usage_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
      );

      INSERT INTO daily_usage (user_id, resource, day, amount)
      SELECT user_id, 'simulationRuns', day, runs FROM simulation_usage
      UNION ALL
      SELECT user_id, 'simulationTokens', day, tokens FROM simulation_usage;
    `);
  }
}
