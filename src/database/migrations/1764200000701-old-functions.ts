import type { QueryRunner } from 'typeorm';
import { StatedMigration } from '../stated-migration.js';

/** Functions that processes of 0.2.0 alone call go, and the answers that they stored in clear text. */
export class OldFunctions1764200000701 extends StatedMigration {
  readonly name = 'OldFunctions1764200000701';
  readonly oldestRelease = '0.3.0';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION begin_turn(uuid, uuid, double precision, text, boolean, integer, uuid, jsonb, bigint);
      DROP FUNCTION finish_turn(uuid, uuid, bigint, uuid, text, jsonb, boolean);
      DROP FUNCTION abandon_turn(uuid, uuid, bigint, uuid);
      DROP FUNCTION may_add_tool(integer);
    `);
    await runner.query('UPDATE idempotency_keys SET response_body = NULL WHERE response_body IS NOT NULL');
  }
}
