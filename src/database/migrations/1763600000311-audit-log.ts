import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Who changed what through the API. Rows are added, get their outcome once, and are deleted when they are old. No foreign
 * key: each change of an account would lock the account's row for it.
 */
export class AuditLog1763600000311 implements MigrationInterface {
  readonly name = 'AuditLog1763600000311';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE audit_log_entries (
        id uuid NOT NULL,
        user_id integer NOT NULL,
        via text NOT NULL,
        token_id integer NOT NULL,
        network text NOT NULL,
        action text NOT NULL,
        resource_id text,
        status smallint,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT audit_log_entries_pkey PRIMARY KEY (id)
      );
      CREATE INDEX audit_log_entries_user_id_idx ON audit_log_entries (user_id, created_at, id);
      CREATE INDEX audit_log_entries_action_idx ON audit_log_entries (user_id, action, created_at, id);
      CREATE INDEX audit_log_entries_created_at_idx ON audit_log_entries (created_at);

      CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'audit entries are never changed';
      END $$;
      CREATE TRIGGER audit_log_entries_append_only BEFORE UPDATE ON audit_log_entries FOR EACH ROW
        WHEN (OLD.status IS NOT NULL OR
              (OLD.id, OLD.user_id, OLD.via, OLD.token_id, OLD.network, OLD.action, OLD.created_at)
              IS DISTINCT FROM
              (NEW.id, NEW.user_id, NEW.via, NEW.token_id, NEW.network, NEW.action, NEW.created_at))
        EXECUTE FUNCTION refuse_audit_change();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE audit_log_entries;
      DROP FUNCTION refuse_audit_change;
    `);
  }
}
