import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../forward-migration.js';

/**
 * Lists of conversations are filtered by the customer's number and by the id of the customer in another system. A
 * value may be longer than an index entry, so the index holds the first 64 characters.
 */
export class ConversationLists1763600009012 extends ForwardMigration {
  readonly name = 'ConversationLists1763600009012';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX conversations_ended_idx ON conversations (user_id, ended_at) WHERE ended_at IS NOT NULL;
      CREATE INDEX conversations_customer_phone_idx
        ON conversations (user_id, left(variables ->> 'customer_phone', 64), created_at, id)
        WHERE (variables ->> 'customer_phone') IS NOT NULL;
      CREATE INDEX conversations_external_identifier_idx
        ON conversations (user_id, left(variables ->> 'external_identifier', 64), created_at, id)
        WHERE (variables ->> 'external_identifier') IS NOT NULL;
    `);
  }
}
