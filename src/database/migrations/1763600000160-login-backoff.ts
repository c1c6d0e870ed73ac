import type { MigrationInterface, QueryRunner } from 'typeorm';

export class LoginBackoff1763600000160 implements MigrationInterface {
  readonly name = 'LoginBackoff1763600000160';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE login_backoffs (
        subject bytea NOT NULL,
        failures integer NOT NULL,
        blocked_until timestamptz NOT NULL,
        last_tried_at timestamptz NOT NULL,
        CONSTRAINT login_backoffs_pkey PRIMARY KEY (subject)
      );
      CREATE INDEX login_backoffs_last_tried_at_idx ON login_backoffs (last_tried_at);

      CREATE TABLE known_addresses (
        subject bytea NOT NULL,
        user_id integer NOT NULL,
        last_login_at timestamptz NOT NULL,
        CONSTRAINT known_addresses_pkey PRIMARY KEY (subject),
        CONSTRAINT known_addresses_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
      );
      CREATE INDEX known_addresses_user_id_idx ON known_addresses (user_id);
      CREATE INDEX known_addresses_last_login_at_idx ON known_addresses (last_login_at);

      ALTER TABLE sessions ADD COLUMN ip_address text, ADD COLUMN user_agent text;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE sessions DROP COLUMN ip_address, DROP COLUMN user_agent;
      DROP TABLE known_addresses, login_backoffs;
    `);
  }
}
