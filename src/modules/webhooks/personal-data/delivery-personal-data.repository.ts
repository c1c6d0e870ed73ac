import { Injectable } from '@nestjs/common';
import { type IdPage, idPageOf } from '../../../common/personal-data/id-page.js';
import type { Person } from '../../../common/personal-data/person.js';
import { Database } from '../../../database/database.js';
import type { Tx } from '../../../database/transactions.js';

/** Rows that are looked at in one go. */
const PAGE = 200;

const NAMES_PERSON = `(body ~ $3 OR EXISTS (
  SELECT FROM webhook_attempts WHERE delivery_id = webhook_deliveries.id AND response_body ~ $3))`;

/** Where webhook deliveries hold the number of a person. */
@Injectable()
export class DeliveryPersonalDataRepository {
  constructor(private readonly database: Database) {}

  /** Deliveries in the order they were written. */
  async nextDeliveries(userId: number, after: string | null, tx?: Tx): Promise<IdPage<number>> {
    const rows = await this.database.query<{ id: number }>(
      'SELECT id FROM webhook_deliveries WHERE user_id = $1 AND id > $2 ORDER BY id LIMIT $3',
      [userId, Number(after ?? 0), PAGE],
      tx,
    );
    return idPageOf(rows, PAGE);
  }

  records({ userId, pattern }: Person, ids: readonly number[]): Promise<Record<string, unknown>[]> {
    return this.database.values<Record<string, unknown>>(
      `SELECT jsonb_build_object('id', id, 'event_id', event_id, 'kind', kind, 'subject_id', subject_id,
         'status', status, 'body', body, 'created_at', created_at, 'finished_at', finished_at) AS record
       FROM webhook_deliveries WHERE user_id = $1 AND id = ANY($2::integer[]) AND ${NAMES_PERSON} ORDER BY id`,
      [userId, ids, pattern],
    );
  }

  /**
   * Deletes deliveries about the messages of a conversation, one by one: a delivery alone does not show whose it is.
   */
  async deleteOfConversation(userId: number, conversationId: string, tx: Tx): Promise<void> {
    await this.database.query(
      `WITH unheard AS (
         DELETE FROM plugin_events
         WHERE user_id = $1 AND kind = 'conversation.message-created' AND subject_id = $2)
       DELETE FROM webhook_deliveries WHERE user_id = $1 AND kind = 'conversation.message-created'
         AND subject_id = $2 AND subscription_id IS NOT NULL`,
      [userId, conversationId],
      tx,
    );
  }

  /** Deletes events that name the person and wait for a plugin, or have failed there. Returns how many. */
  deletePluginEvents({ userId, pattern }: Person, tx: Tx): Promise<number> {
    return this.database.affected(
      'DELETE FROM plugin_events WHERE user_id = $1 AND (body ~ $2 OR last_error ~ $2) RETURNING 1',
      [userId, pattern],
      tx,
    );
  }

  /** Returns how many were deleted. */
  delete({ userId, pattern }: Person, ids: readonly number[], tx: Tx): Promise<number> {
    return this.database.affected(
      `DELETE FROM webhook_deliveries WHERE user_id = $1 AND id = ANY($2::integer[]) AND ${NAMES_PERSON} RETURNING id`,
      [userId, ids, pattern],
      tx,
    );
  }
}
