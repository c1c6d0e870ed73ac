import { Injectable } from '@nestjs/common';
import type { Person } from '../../../common/personal-data/person.js';
import type {
  ErasedPage,
  PersonalDataSource,
  RecordPage,
} from '../../../common/personal-data/personal-data-source.js';
import type { Tx } from '../../../database/transactions.js';
import { DocumentsService } from '../documents/documents.service.js';
import { DocumentPersonalDataRepository } from './document-personal-data.repository.js';

/** Documents that name a person: they are deleted with their files, passages and embeddings. */
@Injectable()
export class DocumentPersonalDataService implements PersonalDataSource {
  readonly name = 'documents';

  constructor(
    private readonly rows: DocumentPersonalDataRepository,
    private readonly documents: DocumentsService,
  ) {}

  async read(person: Person, after: string | null): Promise<RecordPage> {
    const { ids, next } = await this.rows.nextDocuments(person.userId, after);
    const found = await this.rows.tracesIn(person, ids);
    return { records: found.map((data) => ({ kind: 'document_mention', data: { ...data } })), next };
  }

  async erase(person: Person, after: string | null, tx: Tx): Promise<ErasedPage> {
    const { ids, next } = await this.rows.nextDocuments(person.userId, after, tx);
    const found = await this.rows.tracesIn(person, ids, tx);
    for (const { id, knowledgebase_id: knowledgebaseId } of found) {
      await this.documents.deleteWithin(person.userId, knowledgebaseId, id, tx);
    }
    return { erased: found.length, busy: 0, next };
  }
}
