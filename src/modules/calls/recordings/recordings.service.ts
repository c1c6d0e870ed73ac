import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { LinkSignature } from '../../../common/crypto/link-signer.js';
import { RetentionConfig } from '../../../config/config.js';
import { Transactions } from '../../../database/transactions.js';
import { type ByteRange, FileMissingError, FileStorage } from '../../../providers/storage/file-storage.js';
import { Handles } from '../../../queues/workers/handles.js';
import { FileCleanupsService } from '../../files/file-cleanups.service.js';
import { CallNotFoundError, RecordingNotFoundError } from '../calls.errors.js';
import { RecordingLinksService } from './recording-links.service.js';
import { RecordingsRepository, type StoredFile } from './recordings.repository.js';
import { sweepRecordingsJob } from './sweep-recordings.job.js';

/** A recording that can be read, as a whole or in parts. */
export interface Recording {
  readonly callId: number;
  readonly bytes: number;
  /** Changes with the content. */
  readonly version: string;
  /** @throws RecordingNotFoundError when the storage has lost it */
  open(range?: ByteRange): Promise<Readable>;
}

const BATCH = 500;

/** The recordings of calls, for those who may hear them. */
@Injectable()
export class RecordingsService {
  constructor(
    private readonly recordings: RecordingsRepository,
    private readonly links: RecordingLinksService,
    private readonly storage: FileStorage,
    private readonly cleanups: FileCleanupsService,
    private readonly transactions: Transactions,
    private readonly retention: RetentionConfig,
  ) {}

  /** @throws CallNotFoundError | RecordingNotFoundError */
  async get(userId: number, callId: number): Promise<Recording> {
    const file = await this.recordings.find(userId, callId);
    if (file === undefined) throw new CallNotFoundError();
    return this.recordingOf(callId, file);
  }

  /** The recording that a link leads to. @throws RecordingNotFoundError also for a link that has expired */
  async getLinked(callId: number, signature: LinkSignature): Promise<Recording> {
    if (!this.links.isGood(callId, signature)) throw new RecordingNotFoundError();
    return this.recordingOf(callId, await this.recordings.findLinked(callId));
  }

  /** Deletes recordings that are older than they are kept. Safe in many processes at once. */
  @Handles(sweepRecordingsJob)
  async sweep(): Promise<void> {
    const { recordingsMs } = this.retention;
    if (recordingsMs === undefined) return;
    await this.deleteOld(null, recordingsMs);
  }

  /**
   * Deletes recordings of calls that are older than that. Safe in many processes at once.
   *
   * @param userId null: of all accounts
   */
  async deleteOld(userId: number | null, ageMs: number): Promise<void> {
    while ((await this.deleteBatch(userId, ageMs)) === BATCH);
  }

  private deleteBatch(userId: number | null, ageMs: number): Promise<number> {
    return this.transactions.run(async (tx) => {
      const keys = await this.recordings.forgetOld(userId, ageMs, BATCH, tx);
      await this.cleanups.discard(keys, tx);
      return keys.length;
    });
  }

  private recordingOf(callId: number, file: StoredFile | null): Recording {
    if (!file) throw new RecordingNotFoundError();
    const { key, bytes } = file;
    return { callId, bytes, version: key, open: (range) => this.open(key, range) };
  }

  private async open(key: string, range: ByteRange | undefined): Promise<Readable> {
    try {
      return await this.storage.get(key, range);
    } catch (error) {
      if (error instanceof FileMissingError) throw new RecordingNotFoundError();
      throw error;
    }
  }
}
