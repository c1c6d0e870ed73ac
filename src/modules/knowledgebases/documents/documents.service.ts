import { Injectable } from '@nestjs/common';
import { ValidationFailedError } from '../../../common/errors/errors.js';
import { Transactions, type Tx } from '../../../database/transactions.js';
import { deleteFilesJob } from '../../files/delete-files.job.js';
import { ingestDocumentJob } from '../ingestion/ingest-document.job.js';
import { JobsService } from '../../../queues/jobs.service.js';
import type { Document } from './document.entity.js';
import { DocumentUploadsService, type Upload } from './document-uploads.service.js';
import { DocumentsRepository, type GivenSource } from './documents.repository.js';
import type { CreateDocumentRequest, UpdateDocumentRequest } from '../dto/document.request.js';
import { FileCleanupsService } from '../../files/file-cleanups.service.js';
import { IdempotentEffectService } from '../../idempotency/idempotent-effect.service.js';
import { normalisedUrl } from '../ingestion/page-url.js';
import {
  DocumentLimitError,
  DocumentNotFoundError,
  KnowledgebaseNotFoundError,
} from '../knowledgebases.errors.js';
import { KnowledgebasesRepository } from '../knowledgebases.repository.js';
import { KnowledgebasesService } from '../knowledgebases.service.js';

const DEFAULT_LINKS_LIMIT = 10;
/** Of one base. Their list has no pages. */
const MAX_DOCUMENTS = 5_000;

@Injectable()
export class DocumentsService {
  constructor(
    private readonly documents: DocumentsRepository,
    private readonly bases: KnowledgebasesRepository,
    private readonly knowledgebases: KnowledgebasesService,
    private readonly cleanups: FileCleanupsService,
    private readonly uploads: DocumentUploadsService,
    private readonly effect: IdempotentEffectService,
    private readonly transactions: Transactions,
    private readonly jobs: JobsService,
  ) {}

  /** @throws KnowledgebaseNotFoundError */
  async list(userId: number, knowledgebaseId: number): Promise<Document[]> {
    await this.requireBase(userId, knowledgebaseId);
    return this.documents.listOf(userId, knowledgebaseId);
  }

  /** @throws KnowledgebaseNotFoundError, DocumentNotFoundError */
  async get(userId: number, knowledgebaseId: number, id: number): Promise<Document> {
    await this.requireBase(userId, knowledgebaseId);
    return this.getWithin(userId, knowledgebaseId, id);
  }

  /**
   * Adds a document; reading it happens in a job. A file is in the storage before the document exists.
   * @throws KnowledgebaseNotFoundError, DocumentLimitError, ValidationFailedError, FilesNotSharedError
   */
  async create(
    userId: number,
    knowledgebaseId: number,
    request: CreateDocumentRequest,
    upload: Upload | undefined,
  ): Promise<Document> {
    await this.requireBase(userId, knowledgebaseId);
    if (request.type === 'website') {
      return this.add(userId, knowledgebaseId, request, pagesOf(request));
    }
    const checked = await this.uploads.require(request.type, upload);
    const earlier = await this.effect.earlier();
    if (earlier !== null) return this.get(userId, knowledgebaseId, Number(earlier));
    const fileKey = await this.uploads.store(userId, request.type, checked);
    return this.add(userId, knowledgebaseId, request, [{ fileKey }]);
  }

  /** Changes name and description. @throws KnowledgebaseNotFoundError, DocumentNotFoundError */
  async update(
    userId: number,
    knowledgebaseId: number,
    id: number,
    { name, description }: UpdateDocumentRequest,
  ): Promise<Document> {
    await this.requireBase(userId, knowledgebaseId);
    return this.transactions.run(async (tx) => {
      const document = await this.documents.findLocked(userId, knowledgebaseId, id, tx);
      if (!document) throw new DocumentNotFoundError();
      if (name !== undefined) document.name = name;
      if (description !== undefined) document.description = description ?? '';
      return this.documents.save(document, tx);
    });
  }

  /** Deletes the document with its chunks and vectors. @throws KnowledgebaseNotFoundError, DocumentNotFoundError */
  async delete(userId: number, knowledgebaseId: number, id: number): Promise<void> {
    await this.transactions.run((tx) => this.deleteWithin(userId, knowledgebaseId, id, tx));
    this.jobs.wake(deleteFilesJob, {});
  }

  /** The same in a transaction of the caller. @throws DocumentNotFoundError | KnowledgebaseNotFoundError */
  async deleteWithin(userId: number, knowledgebaseId: number, id: number, tx: Tx): Promise<void> {
    await this.knowledgebases.lock(userId, knowledgebaseId, tx);
    if (!(await this.documents.findLocked(userId, knowledgebaseId, id, tx))) {
      throw new DocumentNotFoundError();
    }
    await this.cleanups.discard(await this.documents.fileKeysOf(userId, id, tx), tx);
    await this.documents.delete(userId, id, tx);
    await this.bases.followDocuments(userId, knowledgebaseId, tx);
  }

  private async add(
    userId: number,
    knowledgebaseId: number,
    request: CreateDocumentRequest,
    sources: readonly GivenSource[],
  ): Promise<Document> {
    const document = await this.transactions.runWithVerifiedCommit((tx) =>
      this.effect.once(tx, {
        make: () => this.addWithin(userId, knowledgebaseId, request, sources, tx),
        referenceOf: ({ id }) => String(id),
        recall: (id) => this.getWithin(userId, knowledgebaseId, Number(id), tx),
      }),
    );
    this.jobs.wake(ingestDocumentJob, { documentId: document.id }, { id: `document-${document.id}` });
    return document;
  }

  private async addWithin(
    userId: number,
    knowledgebaseId: number,
    request: CreateDocumentRequest,
    sources: readonly GivenSource[],
    tx: Tx,
  ): Promise<Document> {
    const { name, description, type } = request;
    const linksLimit = linksLimitOf(request);
    await this.knowledgebases.lock(userId, knowledgebaseId, tx);
    if ((await this.documents.countOf(userId, knowledgebaseId, tx)) >= MAX_DOCUMENTS) {
      throw new DocumentLimitError(MAX_DOCUMENTS);
    }
    const details = { userId, knowledgebaseId, name, description: description ?? '', type, linksLimit };
    const added = await this.documents.add(details, sources, tx);
    await this.bases.followDocuments(userId, knowledgebaseId, tx);
    for (const source of sources) if ('fileKey' in source) await this.cleanups.keep(source.fileKey, tx);
    return added;
  }

  private async getWithin(userId: number, knowledgebaseId: number, id: number, tx?: Tx): Promise<Document> {
    return (await this.documents.find(userId, knowledgebaseId, id, tx)) ?? DocumentNotFoundError.throw();
  }

  private async requireBase(userId: number, id: number): Promise<void> {
    if (!(await this.bases.find(userId, id))) throw new KnowledgebaseNotFoundError();
  }
}

/** The pages named, each once. @throws ValidationFailedError when there is none */
function pagesOf({ url, links = [] }: CreateDocumentRequest): GivenSource[] {
  const given = [...(url === undefined ? [] : [url]), ...links.map(({ link }) => link)];
  if (given.length === 0) throw ValidationFailedError.of('url', 'documents.url_or_links');
  return [...new Set(given.map((address) => normalisedUrl(address)))].map((address) => ({ url: address }));
}

/** A list of links says exactly what to read, so that further pages are followed only on request. */
function linksLimitOf({ type, url, relative_links_limit }: CreateDocumentRequest): number {
  if (type !== 'website') return 0;
  return relative_links_limit ?? (url === undefined ? 0 : DEFAULT_LINKS_LIMIT);
}
