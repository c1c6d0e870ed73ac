import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Lists of conversations are filtered by two variables: the customer's number and the id that another system has for the
 * customer. A value may be longer than an index entry, so the index holds the first 64 characters.
 */
export class ConversationCustomers1763600000980 implements MigrationInterface {
  readonly name = 'ConversationCustomers1763600000980';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX conversations_customer_phone_idx
        ON conversations (user_id, left(variables ->> 'customer_phone', 64), created_at, id)
        WHERE (variables ->> 'customer_phone') IS NOT NULL;
      CREATE INDEX conversations_external_identifier_idx
        ON conversations (user_id, left(variables ->> 'external_identifier', 64), created_at, id)
        WHERE (variables ->> 'external_identifier') IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP INDEX conversations_customer_phone_idx; DROP INDEX conversations_external_identifier_idx',
    );
  }
}
