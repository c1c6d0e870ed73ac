import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Transactions } from '../../../database/transactions.js';
import { FileMissingError, FileStorage } from '../../../providers/storage/file-storage.js';
import { JobsService } from '../../../queues/jobs.service.js';
import { FileCleanupsService } from '../../files/file-cleanups.service.js';
import { AccountExportNotFoundError, AccountExportNotReadyError } from '../account-data.errors.js';
import type { AccountExport } from './account-export.entity.js';
import { AccountExportsRepository } from './account-exports.repository.js';
import { runAccountExportJob } from './run-account-export.job.js';

/** What an account keeps, the one under way included. */
const KEPT = 3;

/** An archive that is sent. */
export interface AccountArchive {
  readonly content: Readable;
  readonly bytes: number;
  readonly name: string;
}

@Injectable()
export class AccountExportsService {
  constructor(
    private readonly exports: AccountExportsRepository,
    private readonly storage: FileStorage,
    private readonly cleanups: FileCleanupsService,
    private readonly jobs: JobsService,
    private readonly transactions: Transactions,
  ) {}

  /** Begins an export; while one is under way, says how far that is. Older ones give way. */
  async begin(userId: number): Promise<AccountExport> {
    const begun = await this.transactions.run(async (tx) => {
      await this.exports.add(userId, tx);
      await this.cleanups.discard(await this.exports.deleteBeyond(userId, KEPT, tx), tx);
      return this.exports.newestOf(userId, tx);
    });
    if (!begun) throw new Error(`the export of account ${userId} was not written down`);
    this.jobs.wake(runAccountExportJob, { exportId: begun.id }, { id: `account-export-${begun.id}` });
    return begun;
  }

  /** The few that are kept, newest first. */
  list(userId: number): Promise<AccountExport[]> {
    return this.exports.listOf(userId);
  }

  /** @throws AccountExportNotFoundError */
  async get(userId: number, id: number): Promise<AccountExport> {
    return (await this.exports.find(userId, id)) ?? AccountExportNotFoundError.throw();
  }

  /** @throws AccountExportNotFoundError | AccountExportNotReadyError */
  async open(userId: number, id: number): Promise<AccountArchive> {
    const { fileKey, fileBytes, createdAt } = await this.get(userId, id);
    if (fileKey === null || fileBytes === null) throw new AccountExportNotReadyError();
    try {
      const content = await this.storage.get(fileKey);
      return { content, bytes: fileBytes, name: `prosa-${createdAt.toISOString().slice(0, 10)}.tar.gz` };
    } catch (error) {
      if (error instanceof FileMissingError) throw new AccountExportNotFoundError();
      throw error;
    }
  }
}
