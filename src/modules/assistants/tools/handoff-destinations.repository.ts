import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';
import type { Tx } from '../../../database/transactions.js';

/** Assistants that others may hand over to, as they stand in the settings of these. */
@Injectable()
export class HandoffDestinationsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Takes an assistant out of those that others may hand over to; a tool without destinations goes. All are locked in one
   * order, and the assistant itself with them, so that two that know each other can be deleted at once.
   */
  async forget(userId: number, id: number, tx: Tx): Promise<void> {
    await this.database.query(
      `WITH locked AS (
         SELECT id FROM assistants
         WHERE user_id = $1 AND (id = $2
           OR config->'tools' @> jsonb_build_array(jsonb_build_object(
             'type', 'handoff', 'destinations', jsonb_build_array(jsonb_build_object('assistant_id', $2::integer))))
           OR config->'tools' @> jsonb_build_array(jsonb_build_object(
             'type', 'assistant_transfer', 'assistant_id', $2::integer)))
         ORDER BY id FOR UPDATE)
       UPDATE assistants SET revision = revision + 1, updated_at = now(), config = jsonb_set(config, '{tools}', (
         SELECT coalesce(jsonb_agg(kept ORDER BY place), '[]') FROM (
           SELECT place, CASE WHEN tool->>'type' <> 'handoff' THEN tool ELSE jsonb_set(tool, '{destinations}', (
             SELECT coalesce(jsonb_agg(destination ORDER BY position), '[]')
             FROM jsonb_array_elements(tool->'destinations') WITH ORDINALITY AS given (destination, position)
             WHERE destination->'assistant_id' <> to_jsonb($2::integer))) END AS kept
           FROM jsonb_array_elements(config->'tools') WITH ORDINALITY AS tools (tool, place)) rest
         WHERE kept->'destinations' IS DISTINCT FROM '[]'
           AND NOT kept @> jsonb_build_object('type', 'assistant_transfer', 'assistant_id', $2::integer)))
       WHERE id IN (SELECT id FROM locked WHERE id <> $2)`,
      [userId, id],
      tx,
    );
  }
}
