import type { MigrationInterface, QueryRunner } from 'typeorm';

export class IdempotencyKeys1763600000050 implements MigrationInterface {
  readonly name = 'IdempotencyKeys1763600000050';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE idempotency_keys (
        key_hash bytea NOT NULL,
        scope text NOT NULL,
        request_hash bytea NOT NULL,
        lease_token uuid NOT NULL,
        leased_until timestamptz NOT NULL,
        effect text,
        response_status smallint,
        response_body bytea,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        CONSTRAINT idempotency_keys_pkey PRIMARY KEY (key_hash),
        CONSTRAINT idempotency_keys_answer_size CHECK (octet_length(response_body) <= 262144)
      );
      CREATE INDEX idempotency_keys_expires_at_idx ON idempotency_keys (expires_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE idempotency_keys');
  }
}
