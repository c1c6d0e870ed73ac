import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Rows that an import refused, as they were in the file, so that a person can download, correct and send them again. They
 * are kept for a week. What the columns of a file fill in of the prompt is kept with its import.
 */
export class LeadRefusals1763600000910 implements MigrationInterface {
  readonly name = 'LeadRefusals1763600000910';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE lead_imports ADD COLUMN columns jsonb, ADD COLUMN variables jsonb;

      CREATE TABLE lead_refusals (
        import_id integer NOT NULL,
        line integer NOT NULL,
        user_id integer NOT NULL,
        fields jsonb NOT NULL,
        reason jsonb NOT NULL,
        phone_numbers text[] NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT lead_refusals_pkey PRIMARY KEY (import_id, line),
        CONSTRAINT lead_refusals_import_fkey FOREIGN KEY (import_id) REFERENCES lead_imports (id) ON DELETE CASCADE
      );
      CREATE INDEX lead_refusals_user_id_idx ON lead_refusals (user_id);
      CREATE INDEX lead_refusals_created_at_idx ON lead_refusals (created_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE lead_refusals;
      ALTER TABLE lead_imports DROP COLUMN columns, DROP COLUMN variables;
    `);
  }
}
