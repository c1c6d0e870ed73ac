import type { MigrationInterface, QueryRunner } from 'typeorm';

export class McpErrorCodes1763600000636 implements MigrationInterface {
  readonly name = 'McpErrorCodes1763600000636';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE mcp_servers ADD COLUMN last_error_code text,
        ADD CONSTRAINT mcp_servers_last_error_code_known
          CHECK (last_error_code IN ('unreachable', 'timeout', 'protocol', 'refused', 'aborted'));
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE mcp_servers DROP COLUMN last_error_code;');
  }
}
