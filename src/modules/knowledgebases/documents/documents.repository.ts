import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';
import { findLocked } from '../../../database/entity-statements.js';
import type { Tx } from '../../../database/transactions.js';
import { DocumentSource } from './document-source.entity.js';
import { Document } from './document.entity.js';

export type NewDocument = Pick<
  Document,
  'userId' | 'knowledgebaseId' | 'name' | 'description' | 'type' | 'linksLimit'
>;

/** What a document is read from, in the order of reading. */
export type GivenSource = { readonly url: string } | { readonly fileKey: string };

@Injectable()
export class DocumentsRepository {
  constructor(private readonly database: Database) {}

  listOf(userId: number, knowledgebaseId: number): Promise<Document[]> {
    return this.database
      .manager()
      .find(Document, { where: { userId, knowledgebaseId }, order: { id: 'ASC' } });
  }

  countOf(userId: number, knowledgebaseId: number, tx: Tx): Promise<number> {
    return this.database.manager(tx).countBy(Document, { userId, knowledgebaseId });
  }

  find(userId: number, knowledgebaseId: number, id: number, tx?: Tx): Promise<Document | null> {
    return this.database.manager(tx).findOneBy(Document, { userId, knowledgebaseId, id });
  }

  findLocked(userId: number, knowledgebaseId: number, id: number, tx: Tx): Promise<Document | null> {
    return findLocked(this.database.manager(tx), Document, { userId, knowledgebaseId, id });
  }

  async add(document: NewDocument, sources: readonly GivenSource[], tx: Tx): Promise<Document> {
    const manager = this.database.manager(tx);
    const saved = await manager.save(manager.create(Document, document));
    const { id: documentId, userId, version } = saved;
    await manager.insert(
      DocumentSource,
      sources.map((source, position) => ({
        ...source,
        userId,
        documentId,
        version,
        position,
        isGiven: true,
      })),
    );
    return saved;
  }

  save(document: Document, tx: Tx): Promise<Document> {
    return this.database.manager(tx).save(document);
  }

  /** Sources and chunks with their vectors go with it. */
  async delete(userId: number, id: number, tx: Tx): Promise<void> {
    await this.database.manager(tx).delete(Document, { userId, id });
  }

  fileKeysOf(userId: number, documentId: number, tx: Tx): Promise<string[]> {
    return this.fileKeys('d.id = $2', userId, documentId, tx);
  }

  fileKeysOfBase(userId: number, knowledgebaseId: number, tx: Tx): Promise<string[]> {
    return this.fileKeys('d.knowledgebase_id = $2', userId, knowledgebaseId, tx);
  }

  private async fileKeys(condition: string, userId: number, id: number, tx: Tx): Promise<string[]> {
    const rows = await this.database.query<{ file_key: string }>(
      `SELECT s.file_key FROM documents d JOIN document_sources s ON s.document_id = d.id
        WHERE d.user_id = $1 AND ${condition} AND s.file_key IS NOT NULL`,
      [userId, id],
      tx,
    );
    return rows.map((row) => row.file_key);
  }
}
