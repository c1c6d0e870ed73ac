import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A session that was begun with an API key ends with it. */
export class SessionsByKey1763600000240 implements MigrationInterface {
  readonly name = 'SessionsByKey1763600000240';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE sessions ADD COLUMN api_key_id integer,
        ADD CONSTRAINT sessions_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES api_keys (id) ON DELETE CASCADE;
      CREATE INDEX sessions_api_key_id_idx ON sessions (api_key_id) WHERE api_key_id IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sessions DROP COLUMN api_key_id');
  }
}
