import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An inactive assistant that has been active was deactivated by its owner. Calls to its number, calls of its campaigns, campaigns
 * that were started and hand-overs tell that it has been active; a call by make_call or from a browser does not.
 */
export class DecidedAssistants1763600000971 implements MigrationInterface {
  readonly name = 'DecidedAssistants1763600000971';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE assistants SET activates_by_use = false WHERE status = 'inactive' AND (
        EXISTS (SELECT FROM calls WHERE calls.assistant_id = assistants.id AND calls.user_id = assistants.user_id
          AND (calls.type = 'inbound' OR calls.campaign_name IS NOT NULL))
        OR EXISTS (SELECT FROM campaigns WHERE campaigns.assistant_id = assistants.id AND campaigns.status <> 'draft')
        OR id IN (SELECT speaker_id FROM conversations WHERE speaker_id IS NOT NULL)
        OR id IN (SELECT messages.assistant_id FROM conversations
          JOIN messages ON messages.conversation_id = conversations.id
          WHERE conversations.handoffs > 0 AND messages.assistant_id IS NOT NULL)
        OR id IN (SELECT speaker_id FROM active_calls WHERE speaker_id IS NOT NULL)
        OR id IN (SELECT assistant_id FROM call_turns WHERE assistant_id IS NOT NULL));
    `);
  }

  /** The column goes with the migration before. */
  async down(): Promise<void> {}
}
