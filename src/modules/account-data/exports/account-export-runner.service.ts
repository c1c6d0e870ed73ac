import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import { Transactions } from '../../../database/transactions.js';
import { FileStorage } from '../../../providers/storage/file-storage.js';
import { JobsService } from '../../../queues/jobs.service.js';
import { Handles } from '../../../queues/workers/handles.js';
import type { PayloadOf } from '../../../queues/job-definition.js';
import { FileCleanupsService } from '../../files/file-cleanups.service.js';
import { AccountArchiveService, ArchiveTooLargeError } from './account-archive.service.js';
import { AccountExportsRepository, type ClaimedExport } from './account-exports.repository.js';
import { runAccountExportJob } from './run-account-export.job.js';
import { sweepAccountExportsJob } from './sweep-account-exports.job.js';

/** Renewed with every piece and every file; a process that dies frees its export after this long. */
const LEASE_MS = 120_000;
const MAX_ATTEMPTS = 5;
const KEPT_MS = 7 * 86_400_000;
const BATCH = 100;
const CONTENT_TYPE = 'application/gzip';

/** Another process makes the export, or the account is gone. */
class ExportLostError extends Error {
  override readonly name = 'ExportLostError';
}

/** Makes the archives of accounts. One that is cut off is begun anew: nothing of it was to be seen. */
@Injectable()
export class AccountExportRunnerService {
  constructor(
    private readonly exports: AccountExportsRepository,
    private readonly archives: AccountArchiveService,
    private readonly storage: FileStorage,
    private readonly cleanups: FileCleanupsService,
    private readonly jobs: JobsService,
    private readonly logger: Logger,
    private readonly transactions: Transactions,
  ) {}

  @Handles(runAccountExportJob)
  async run({ exportId: id }: PayloadOf<typeof runAccountExportJob>): Promise<void> {
    const claimed = await this.exports.claim(id, LEASE_MS);
    if (!claimed) return;
    if (claimed.attempts > MAX_ATTEMPTS) {
      await this.exports.fail(claimed, 'given-up');
      return;
    }
    try {
      const see = async (percent: number) => {
        if (!(await this.exports.progress(claimed, percent, LEASE_MS))) throw new ExportLostError();
      };
      await this.archives.with(claimed.userId, see, (path) => this.store(claimed, path));
    } catch (error) {
      if (error instanceof ExportLostError) return;
      if (error instanceof ArchiveTooLargeError) {
        await this.exports.fail(claimed, 'too-large');
        return;
      }
      this.logger.warn('account export broken off; it is begun anew', { exportId: id, err: error });
      await this.exports.release(claimed);
    }
  }

  /** Has those begin again whose process died, and deletes those that are old. Safe in many processes at once. */
  @Handles(sweepAccountExportsJob)
  async sweep(): Promise<void> {
    for (const exportId of await this.exports.due(BATCH)) {
      this.jobs.wake(runAccountExportJob, { exportId }, { id: `account-export-${exportId}` });
    }
    await this.transactions.run(async (tx) => {
      await this.cleanups.discard(await this.exports.deleteOld(KEPT_MS, BATCH, tx), tx);
    });
  }

  private async store(claimed: ClaimedExport, path: string): Promise<void> {
    const { size: bytes } = await stat(path);
    const key = `exports/${claimed.userId}/${claimed.id}-${randomUUID()}.tar.gz`;
    await this.cleanups.expect(key);
    await this.storage.put(key, createReadStream(path), { bytes, contentType: CONTENT_TYPE });
    const isKept = await this.transactions.run(async (tx) => {
      if (!(await this.exports.finish(claimed, { key, bytes }, tx))) return false;
      await this.cleanups.keep(key, tx);
      return true;
    });
    if (!isKept) await this.cleanups.discard([key]);
  }
}
