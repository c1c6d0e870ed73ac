import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A new assistant becomes active by use until its owner decides otherwise. The decision is the change from active to inactive,
 * which a trigger notes, because processes of the release before make such changes too. The audit log gets lines of the platform
 * itself, with a reason and without a token.
 */
export class ActivationByUse1763600000970 implements MigrationInterface {
  readonly name = 'ActivationByUse1763600000970';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE assistants ADD COLUMN activates_by_use boolean NOT NULL DEFAULT true;

      CREATE FUNCTION note_activation_decision() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW.status = 'active' THEN
          NEW.activates_by_use := true;
        ELSIF TG_OP = 'UPDATE' AND OLD.status = 'active' THEN
          NEW.activates_by_use := false;
        END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER assistants_activation_decision BEFORE INSERT OR UPDATE ON assistants
        FOR EACH ROW EXECUTE FUNCTION note_activation_decision();

      ALTER TABLE audit_log_entries
        ADD COLUMN reason text, ALTER COLUMN token_id DROP NOT NULL, ALTER COLUMN network DROP NOT NULL;
      ${appendOnly('id, user_id, via, token_id, member_id, network, action, reason, created_at')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ${appendOnly('id, user_id, via, token_id, member_id, network, action, created_at')}
      DELETE FROM audit_log_entries WHERE via = 'platform';
      ALTER TABLE audit_log_entries
        DROP COLUMN reason, ALTER COLUMN token_id SET NOT NULL, ALTER COLUMN network SET NOT NULL;
      DROP TRIGGER assistants_activation_decision ON assistants;
      DROP FUNCTION note_activation_decision;
      ALTER TABLE assistants DROP COLUMN activates_by_use;
    `);
  }
}

function appendOnly(columns: string): string {
  const of = (row: string) => columns.replace(/\w+/g, (column) => `${row}.${column}`);
  return `DROP TRIGGER audit_log_entries_append_only ON audit_log_entries;
      CREATE TRIGGER audit_log_entries_append_only BEFORE UPDATE ON audit_log_entries FOR EACH ROW
        WHEN (OLD.status IS NOT NULL OR (${of('OLD')}) IS DISTINCT FROM (${of('NEW')}))
        EXECUTE FUNCTION refuse_audit_change();`;
}
