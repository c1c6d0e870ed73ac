import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../forward-migration.js';

/**
 * Who changed what through the API, and what the platform changed itself, with a reason and without a token. No
 * foreign keys: each change of an account would lock the row of the account, and an entry outlives its member.
 */
export class AuditLog1763600009004 extends ForwardMigration {
  readonly name = 'AuditLog1763600009004';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE audit_log_entries (
        id uuid NOT NULL,
        user_id integer NOT NULL,
        via text NOT NULL,
        token_id integer,
        network text,
        action text NOT NULL,
        resource_id text,
        status smallint,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        member_id integer,
        reason text,
        CONSTRAINT audit_log_entries_pkey PRIMARY KEY (id)
      );
      CREATE INDEX audit_log_entries_user_id_idx ON audit_log_entries (user_id, created_at, id);
      CREATE INDEX audit_log_entries_action_idx ON audit_log_entries (user_id, action, created_at, id);
      CREATE INDEX audit_log_entries_created_at_idx ON audit_log_entries (created_at);
    `);
  }
}
