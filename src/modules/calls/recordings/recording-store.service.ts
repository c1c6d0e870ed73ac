import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import { Transactions } from '../../../database/transactions.js';
import { FileStorage } from '../../../providers/storage/file-storage.js';
import type { RecordingSkip } from '../../../runtime/call/recording-file.js';
import { FileCleanupsService } from '../../files/file-cleanups.service.js';
import { CallEventsPublisher } from '../call-events-publisher.js';
import type { Call } from '../call.entity.js';
import { type RecordedCall, RecordingsRepository } from './recordings.repository.js';

const CONTENT_TYPE = 'audio/ogg';

/** Puts packed recordings into the storage, and notes them on their calls. */
@Injectable()
export class RecordingStoreService {
  constructor(
    private readonly recordings: RecordingsRepository,
    private readonly cleanups: FileCleanupsService,
    private readonly storage: FileStorage,
    private readonly transactions: Transactions,
    private readonly events: CallEventsPublisher,
  ) {}

  /** The call of a recording that was found on the disk. Null when it was deleted, or the person on it was erased. */
  findCall(callId: number): Promise<RecordedCall | null> {
    return this.recordings.findCall(callId);
  }

  /** Notes why a call is not recorded, or not to its end. */
  skip(call: Pick<Call, 'userId' | 'id'>, reason: RecordingSkip): Promise<void> {
    return this.recordings.skip(call, reason);
  }

  /** False when the call was deleted, or has a recording: then nothing is kept. */
  async keep({ userId, id }: Pick<Call, 'userId' | 'id'>, packed: string): Promise<boolean> {
    const { size: bytes } = await stat(packed);
    const key = `recordings/${userId}/${id}-${randomUUID()}.ogg`;
    await this.cleanups.expect(key);
    await this.storage.put(key, createReadStream(packed), { bytes, contentType: CONTENT_TYPE });
    const isKept = await this.transactions.run(async (tx) => {
      if (!(await this.recordings.keep(userId, id, { key, bytes }, tx))) return false;
      await this.cleanups.keep(key, tx);
      return true;
    });
    if (isKept) this.events.changed({ userId, id });
    else await this.cleanups.discard([key]);
    return isKept;
  }
}
