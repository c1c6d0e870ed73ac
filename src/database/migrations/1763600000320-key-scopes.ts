import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a key may do, where, and for how long. Keys that are there keep all rights. */
export class KeyScopes1763600000320 implements MigrationInterface {
  readonly name = 'KeyScopes1763600000320';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE api_keys
        ADD COLUMN scopes text[],
        ADD COLUMN is_publishable boolean NOT NULL DEFAULT false,
        ADD COLUMN allowed_origins text[],
        ADD COLUMN expires_at timestamptz,
        ADD CONSTRAINT api_keys_publishable_check CHECK (NOT is_publishable OR scopes = ARRAY[]::text[]);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE api_keys DROP COLUMN scopes, DROP COLUMN is_publishable, DROP COLUMN allowed_origins,
        DROP COLUMN expires_at;
    `);
  }
}
