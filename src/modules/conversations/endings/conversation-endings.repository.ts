import { Injectable } from '@nestjs/common';
import type { TokenSum } from '../../../common/figures/token-sum.js';
import { Database } from '../../../database/database.js';
import type { Tx } from '../../../database/transactions.js';
import type { Evaluation } from '../../../runtime/call/evaluation/evaluation.js';
import { ConversationEnding } from './conversation-ending.entity.js';

/** Work of the platform itself on ended conversations by their id. */
@Injectable()
export class ConversationEndingsRepository {
  constructor(private readonly database: Database) {}

  /** The ends of a conversation that something is left to do for, the first one first. */
  listOf(conversationId: string): Promise<ConversationEnding[]> {
    return this.database
      .manager()
      .find(ConversationEnding, { where: { conversationId }, order: { occurrence: 'ASC' } });
  }

  /** Those of the conversations that something is left to do for. */
  pendingAmong(conversationIds: readonly string[]): Promise<string[]> {
    return this.database.values<string>(
      'SELECT DISTINCT conversation_id AS id FROM conversation_endings WHERE conversation_id = ANY($1::uuid[])',
      [conversationIds],
    );
  }

  /** Conversations whose end nothing was done for in so long, the oldest first. */
  findLate(ageMs: number, limit: number): Promise<string[]> {
    return this.database.values<string>(
      `SELECT conversation_id AS id FROM conversation_endings WHERE created_at < now() - $1 * interval '1 millisecond'
       ORDER BY created_at LIMIT $2`,
      [ageMs, limit],
    );
  }

  /** How long ago the end was, in milliseconds, by the clock of the database; null when nothing is left to do for it. */
  ageOf({ conversationId, occurrence }: ConversationEnding): Promise<number | null> {
    return this.database.value<number>(
      `SELECT (extract(epoch FROM now() - created_at) * 1000)::float8 AS "ageMs" FROM conversation_endings
       WHERE conversation_id = $1 AND occurrence = $2`,
      [conversationId, occurrence],
    );
  }

  /** Nothing is left to do; false when that was so before. */
  remove({ conversationId, occurrence }: ConversationEnding, tx: Tx): Promise<boolean> {
    return this.database.matches(
      'DELETE FROM conversation_endings WHERE conversation_id = $1 AND occurrence = $2 RETURNING occurrence',
      [conversationId, occurrence],
      tx,
    );
  }

  /** Stores what an evaluation has found, and adds the tokens it took to those of the conversation. */
  async storeEvaluation(
    conversationId: string,
    evaluation: Evaluation,
    { inputTokens, cachedInputTokens, outputTokens }: TokenSum,
    tx: Tx,
  ): Promise<void> {
    await this.database.query(
      `UPDATE conversations SET extracted_variables = $2, updated_at = now(),
         input_tokens = coalesce(input_tokens + $3::bigint, $3, input_tokens),
         cached_input_tokens = coalesce(cached_input_tokens + $4::bigint, $4, cached_input_tokens),
         output_tokens = coalesce(output_tokens + $5::bigint, $5, output_tokens)
       WHERE id = $1`,
      [conversationId, JSON.stringify(evaluation), inputTokens, cachedInputTokens, outputTokens],
      tx,
    );
  }
}
