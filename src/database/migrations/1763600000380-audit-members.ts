import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which member made a change. Without a foreign key: a line outlives the member. */
export class AuditMembers1763600000380 implements MigrationInterface {
  readonly name = 'AuditMembers1763600000380';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE audit_log_entries ADD COLUMN member_id integer;
      ${appendOnly('id, user_id, via, token_id, member_id, network, action, created_at')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ${appendOnly('id, user_id, via, token_id, network, action, created_at')}
      ALTER TABLE audit_log_entries DROP COLUMN member_id;
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
