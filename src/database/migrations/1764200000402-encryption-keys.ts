import type { QueryRunner } from 'typeorm';
import { StatedMigration } from '../stated-migration.js';

/** Ids of the keys that sealed values of this database need. The keys themselves are never in it. */
export class EncryptionKeys1764200000402 extends StatedMigration {
  readonly name = 'EncryptionKeys1764200000402';
  readonly oldestRelease = '0.3.0';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE encryption_keys (
        id text NOT NULL,
        recorded_at timestamptz NOT NULL DEFAULT now(),
        last_sealed_at timestamptz,
        CONSTRAINT encryption_keys_pkey PRIMARY KEY (id)
      );
    `);
  }
}
