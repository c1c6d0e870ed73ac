import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../forward-migration.js';

/**
 * An inactive assistant that has been active was deactivated by its owner. Calls to its number, calls of its
 * campaigns and started campaigns show that it has been active. A call by make_call or from a browser does not.
 */
export class DecidedAssistants1763600009009 extends ForwardMigration {
  readonly name = 'DecidedAssistants1763600009009';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE assistants SET activates_by_use = false WHERE status = 'inactive' AND (
        EXISTS (SELECT FROM calls WHERE calls.assistant_id = assistants.id AND calls.user_id = assistants.user_id
          AND (calls.type = 'inbound' OR calls.campaign_name IS NOT NULL))
        OR EXISTS (SELECT FROM campaigns WHERE campaigns.assistant_id = assistants.id AND campaigns.status <> 'draft'));
    `);
  }
}
