import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How long accounts keep what people said, and what finds the rows that are older. */
export class Retention1763600000312 implements MigrationInterface {
  readonly name = 'Retention1763600000312';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE retention_settings (
        user_id integer NOT NULL,
        calls_days smallint,
        recordings_days smallint,
        conversations_days smallint,
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT retention_settings_pkey PRIMARY KEY (user_id),
        CONSTRAINT retention_settings_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
        CONSTRAINT retention_settings_positive CHECK (
          calls_days >= 1 AND recordings_days >= 1 AND conversations_days >= 1)
      );
      CREATE INDEX calls_kept_idx ON calls (user_id, created_at) WHERE erased_at IS NULL AND ended_at IS NOT NULL;
      CREATE INDEX calls_recorded_of_user_idx ON calls (user_id, created_at) WHERE recording_key IS NOT NULL;
      CREATE INDEX conversations_ended_idx ON conversations (user_id, ended_at) WHERE ended_at IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX conversations_ended_idx, calls_recorded_of_user_idx, calls_kept_idx;
      DROP TABLE retention_settings;
    `);
  }
}
