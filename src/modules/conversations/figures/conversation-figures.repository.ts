import { Injectable } from '@nestjs/common';
import { type FiguresRequest, GROUP_SQL, parametersOf } from '../../../common/figures/figures-request.js';
import { TOKENS_SQL, type TokensRow } from '../../../common/figures/token-figures.js';
import { Database } from '../../../database/database.js';

/** Conversations of one group. */
export interface ConversationFiguresRow extends TokensRow {
  readonly group: number;
  readonly count: number;
  readonly tests: number;
  readonly ended: number;
  /** Not over, and the AI does not answer. */
  readonly withPerson: number;
  readonly messages: number;
  readonly costMicros: number;
}

/** Sums over conversations, by when they were opened. */
@Injectable()
export class ConversationFiguresRepository {
  constructor(private readonly database: Database) {}

  counts(request: FiguresRequest): Promise<ConversationFiguresRow[]> {
    return this.database.readPrepared<ConversationFiguresRow>(
      `SELECT ${GROUP_SQL[request.groupBy]} AS "group", count(*)::integer AS count,
         (count(*) FILTER (WHERE type = 'test'))::integer AS tests,
         (count(*) FILTER (WHERE ended_at IS NOT NULL))::integer AS ended,
         (count(*) FILTER (WHERE ended_at IS NULL AND NOT ai_enabled))::integer AS "withPerson",
         sum(message_count)::float8 AS messages, sum(total_cost_micros)::float8 AS "costMicros",
         ${TOKENS_SQL}
       FROM conversations WHERE user_id = $1 AND created_at >= $2 AND created_at < $3 GROUP BY 1`,
      parametersOf(request),
    );
  }
}
