import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Calls from a browser: the token by which the browser of a call connects. */
export class WebCalls1763600000250 implements MigrationInterface {
  readonly name = 'WebCalls1763600000250';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE web_calls (
        call_id integer PRIMARY KEY REFERENCES calls ON DELETE CASCADE,
        assistant_id integer NOT NULL,
        token_hash bytea NOT NULL,
        visitor text,
        expires_at timestamptz NOT NULL,
        redeemed_at timestamptz
      );
      CREATE INDEX web_calls_assistant_id_idx ON web_calls (assistant_id) WHERE visitor IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE web_calls');
  }
}
