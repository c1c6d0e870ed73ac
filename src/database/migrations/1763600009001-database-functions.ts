import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../forward-migration.js';
import { applyFunction } from '../functions/apply-functions.js';

/**
 * Which text of each SQL function the database has, and which releases have prepared it. The functions of the
 * search are applied here, because an index uses them. They return the same results as those of 0.2.0, so the
 * index stays.
 */
export class DatabaseFunctions1763600009001 extends ForwardMigration {
  readonly name = 'DatabaseFunctions1763600009001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE database_releases (
        version text NOT NULL,
        prepared_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT database_releases_pkey PRIMARY KEY (version)
      );
      CREATE TABLE database_functions (
        file text NOT NULL,
        checksum text NOT NULL,
        release text NOT NULL,
        applied_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT database_functions_pkey PRIMARY KEY (file)
      );
    `);
    await applyFunction(runner, 'search/folded_text');
    await applyFunction(runner, 'search/words_of_account');
  }
}
