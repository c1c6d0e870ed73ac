import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Processes that read stored files, and from which folder. */
export class FileReaders1763600000533 implements MigrationInterface {
  readonly name = 'FileReaders1763600000533';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE file_readers (
        id uuid NOT NULL CONSTRAINT file_readers_pkey PRIMARY KEY,
        folder_id text NOT NULL,
        seen_at timestamptz NOT NULL
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE file_readers;');
  }
}
