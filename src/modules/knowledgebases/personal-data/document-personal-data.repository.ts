import { Injectable } from '@nestjs/common';
import { type IdPage, idPageOf } from '../../../common/personal-data/id-page.js';
import type { Person } from '../../../common/personal-data/person.js';
import { Database } from '../../../database/database.js';
import type { Tx } from '../../../database/transactions.js';

/** Rows that are looked at in one go, each with its passages. */
const PAGE = 20;

/** A document that names a person. */
export interface DocumentTrace {
  readonly id: number;
  readonly knowledgebase_id: number;
  readonly name: string;
}

/** Where documents hold the number of a person. */
@Injectable()
export class DocumentPersonalDataRepository {
  constructor(private readonly database: Database) {}

  /** Documents in the order they were added. */
  async nextDocuments(userId: number, after: string | null, tx?: Tx): Promise<IdPage<number>> {
    const rows = await this.database.query<{ id: number }>(
      'SELECT id FROM documents WHERE user_id = $1 AND id > $2 ORDER BY id LIMIT $3',
      [userId, Number(after ?? 0), PAGE],
      tx,
    );
    return idPageOf(rows, PAGE);
  }

  tracesIn({ userId, pattern }: Person, ids: readonly number[], tx?: Tx): Promise<DocumentTrace[]> {
    return this.database.query(
      `SELECT id, knowledgebase_id, name FROM documents
       WHERE user_id = $1 AND id = ANY($2::integer[]) AND (
         name || ' ' || description ~ $3
         OR EXISTS (SELECT FROM document_chunks WHERE document_id = documents.id
                    AND heading || ' ' || content ~ $3)
         OR EXISTS (SELECT FROM document_sources WHERE document_id = documents.id
                    AND title || ' ' || coalesce(url, '') ~ $3))
       ORDER BY id`,
      [userId, ids, pattern],
      tx,
    );
  }
}
