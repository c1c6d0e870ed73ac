import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '../../database/transactions.js';
import { deleteFilesJob } from '../files/delete-files.job.js';
import { JobsService } from '../../queues/jobs.service.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { DocumentsRepository } from './documents/documents.repository.js';
import type { CreateKnowledgebaseRequest, UpdateKnowledgebaseRequest } from './dto/knowledgebase.request.js';
import { FileCleanupsService } from '../files/file-cleanups.service.js';
import { IdempotentEffectService } from '../idempotency/idempotent-effect.service.js';
import type { Knowledgebase } from './knowledgebase.entity.js';
import { KnowledgebaseLimitError, KnowledgebaseNotFoundError } from './knowledgebases.errors.js';
import { type Counts, KnowledgebasesRepository } from './knowledgebases.repository.js';

export type KnowledgebaseDetails = Knowledgebase & Counts;

@Injectable()
export class KnowledgebasesService {
  constructor(
    private readonly knowledgebases: KnowledgebasesRepository,
    private readonly documents: DocumentsRepository,
    private readonly cleanups: FileCleanupsService,
    private readonly accounts: AccountsService,
    private readonly effect: IdempotentEffectService,
    private readonly transactions: Transactions,
    private readonly jobs: JobsService,
  ) {}

  find(userId: number, id: number, tx?: Tx): Promise<Knowledgebase | null> {
    return this.knowledgebases.find(userId, id, tx);
  }

  async list(userId: number): Promise<KnowledgebaseDetails[]> {
    const knowledgebases = await this.knowledgebases.listOf(userId);
    const counts = await this.knowledgebases.countsOf(userId);
    return knowledgebases.map((knowledgebase) => withCounts(knowledgebase, counts));
  }

  /** @throws KnowledgebaseNotFoundError */
  async get(userId: number, id: number): Promise<KnowledgebaseDetails> {
    const knowledgebase = (await this.knowledgebases.find(userId, id)) ?? KnowledgebaseNotFoundError.throw();
    return withCounts(knowledgebase, await this.knowledgebases.countsOf(userId, id));
  }

  /** @throws KnowledgebaseLimitError when the plan's number of knowledge bases is reached */
  create(userId: number, request: CreateKnowledgebaseRequest): Promise<Knowledgebase> {
    return this.transactions.run((tx) =>
      this.effect.once(tx, {
        make: () => this.add(userId, request, tx),
        referenceOf: ({ id }) => String(id),
        recall: (id) => this.lock(userId, Number(id), tx),
      }),
    );
  }

  /** Changes the fields that were sent. @throws KnowledgebaseNotFoundError */
  update(
    userId: number,
    id: number,
    { name, description }: UpdateKnowledgebaseRequest,
  ): Promise<Knowledgebase> {
    return this.transactions.run(async (tx) => {
      const knowledgebase = await this.lock(userId, id, tx);
      if (name !== undefined) knowledgebase.name = name;
      if (description !== undefined) knowledgebase.description = description ?? '';
      return this.knowledgebases.save(knowledgebase, tx);
    });
  }

  /**
   * Deletes the base with its documents, chunks and vectors in one transaction, which also records the deletion of
   * the files. Assistants lose the reference.
   *
   * @throws KnowledgebaseNotFoundError
   */
  async delete(userId: number, id: number): Promise<void> {
    await this.transactions.run(async (tx) => {
      await this.lock(userId, id, tx);
      await this.cleanups.discard(await this.documents.fileKeysOfBase(userId, id, tx), tx);
      await this.knowledgebases.delete(userId, id, tx);
    });
    this.jobs.wake(deleteFilesJob, {});
  }

  /** The base, locked until the transaction ends. @throws KnowledgebaseNotFoundError */
  async lock(userId: number, id: number, tx: Tx): Promise<Knowledgebase> {
    return (await this.knowledgebases.findLocked(userId, id, tx)) ?? KnowledgebaseNotFoundError.throw();
  }

  private async add(
    userId: number,
    { name, description }: CreateKnowledgebaseRequest,
    tx: Tx,
  ): Promise<Knowledgebase> {
    const { maxKnowledgebases } = await this.accounts.lockLimits(userId, tx);
    if ((await this.knowledgebases.countOf(userId, tx)) >= maxKnowledgebases) {
      throw new KnowledgebaseLimitError(maxKnowledgebases);
    }
    return this.knowledgebases.add({ userId, name, description: description ?? '' }, tx);
  }
}

const NO_COUNTS: Counts = { documentsCount: 0, assistantsCount: 0 };

function withCounts(knowledgebase: Knowledgebase, counts: ReadonlyMap<number, Counts>): KnowledgebaseDetails {
  return Object.assign(knowledgebase, counts.get(knowledgebase.id) ?? NO_COUNTS);
}
