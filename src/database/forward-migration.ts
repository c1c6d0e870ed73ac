import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A migration that is not undone: what it does to rows cannot be, and functions and triggers have no older text. */
export abstract class ForwardMigration implements MigrationInterface {
  /** The name of the class, which ends with a timestamp. */
  abstract readonly name: string;

  abstract up(runner: QueryRunner): Promise<void>;

  down(): Promise<void> {
    throw new Error(`${this.name} cannot be undone: restore a backup of the database.`);
  }
}
