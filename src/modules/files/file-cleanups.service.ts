import { Injectable } from '@nestjs/common';
import { Logger } from '../../common/observability/logger.js';
import type { Tx } from '../../database/transactions.js';
import { FileStorage } from '../../providers/storage/file-storage.js';
import { Handles } from '../../queues/workers/handles.js';
import { FileCleanupsRepository } from './file-cleanups.repository.js';
import { deleteFilesJob } from './delete-files.job.js';
import { sweepUnfinishedFilesJob } from './sweep-unfinished-files.job.js';

/** Longer than any upload takes. */
const UPLOAD_GRACE_MS = 3_600_000;

/**
 * Keeps storage and database consistent, which share no transaction. A file's deletion is a row. It is written before
 * the file is stored, and removed when the owner's row is written. When the owner is deleted, the same transaction
 * writes it again.
 */
@Injectable()
export class FileCleanupsService {
  constructor(
    private readonly cleanups: FileCleanupsRepository,
    private readonly storage: FileStorage,
    private readonly logger: Logger,
  ) {}

  /** Before a file is stored: should its owner, such as a document, never come to be, the file goes away. */
  async expect(fileKey: string): Promise<void> {
    await this.cleanups.plan([fileKey], UPLOAD_GRACE_MS);
  }

  /** The file's owner is written in this transaction. @throws Error when the file was already given up */
  async keep(fileKey: string, tx: Tx): Promise<void> {
    if (!(await this.cleanups.cancel(fileKey, tx))) throw new Error('the upload took longer than its grace');
  }

  /** The files' owners are deleted in this transaction. */
  async discard(fileKeys: readonly string[], tx?: Tx): Promise<void> {
    if (fileKeys.length > 0) await this.cleanups.plan(fileKeys, 0, tx);
  }

  /** Deletes what is due. A file that cannot be deleted is tried again later, for as long as it takes. */
  @Handles(deleteFilesJob)
  async sweep(): Promise<{ deleted: number; failed: number }> {
    const counts = { deleted: 0, failed: 0 };
    for (let keys = await this.cleanups.claimDue(); keys.length > 0; keys = await this.cleanups.claimDue()) {
      for (const key of keys) {
        if (await this.deleteFile(key)) counts.deleted++;
        else counts.failed++;
      }
    }
    return counts;
  }

  /** Deletes what processes have left behind that were killed while they stored a file. Returns how many. */
  @Handles(sweepUnfinishedFilesJob)
  sweepUnfinished(): Promise<number> {
    return this.storage.deleteUnfinished();
  }

  private async deleteFile(fileKey: string): Promise<boolean> {
    try {
      await this.storage.delete(fileKey);
      await this.cleanups.finish(fileKey);
      return true;
    } catch (error) {
      this.logger.warn('a stored file could not be deleted; it is tried again', { err: error, fileKey });
      return false;
    }
  }
}
