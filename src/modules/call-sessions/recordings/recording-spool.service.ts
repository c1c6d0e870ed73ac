import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import { MetricsService } from '../../../common/observability/metrics.service.js';
import { DatabaseConfig, StorageConfig } from '../../../config/config.js';
import type { RecordingSkip } from '../../../runtime/call/recording-file.js';
import type { StoredCall } from '../../calls/call-facts.js';
import { RecordingStoreService } from '../../calls/recordings/recording-store.service.js';

/** Many calls may begin at once, and the spool may have thousands of files. */
const KNOWN_MS = 5_000;
/** Room that is left to other programs: ten calls of twenty minutes. */
const MIN_FREE_BYTES = 1024 * 1024 * 1024;
/** Of the system's count of blocks, which leaves out the holes of files. */
const BLOCK_BYTES = 512;

/** The folder in which recordings are written, and wait for the storage. It is bounded, and so is not the disk's end. */
@Injectable()
export class RecordingSpoolService {
  readonly folder: string;
  private readonly limitBytes: number;
  private readonly count: (labels: { reason: RecordingSkip }) => void;
  private counting: { readonly bytes: Promise<number>; readonly atMs: number } | null = null;

  constructor(
    private readonly store: RecordingStoreService,
    private readonly logger: Logger,
    metrics: MetricsService,
    { dataDir }: DatabaseConfig,
    { spoolBytes }: StorageConfig,
  ) {
    this.folder = join(dataDir, 'recordings');
    this.limitBytes = spoolBytes;
    this.count = metrics.counter({
      name: 'prosa_recordings_skipped_total',
      help: 'Calls that were not recorded although their assistant records, by reason',
      labelNames: ['reason'],
    });
    const gauge = (name: string, help: string, read: () => Promise<number>) =>
      metrics.gauge({
        name,
        help,
        labelNames: [],
        read: async () => [{ labels: {}, value: await read() }],
      });
    gauge('prosa_recordings_spool_bytes', 'Recordings on this disk that run or wait for the storage', () =>
      this.bytes(),
    );
    gauge('prosa_recordings_spool_limit_bytes', 'From how many on new calls are not recorded', () =>
      Promise.resolve(this.limitBytes),
    );
  }

  /** Why a call that begins now is not recorded; null where there is room. The folder exists. */
  async findSkip(): Promise<RecordingSkip | null> {
    const { bavail, bsize } = await statfs(this.folder);
    if (bavail * bsize < MIN_FREE_BYTES) return 'disk_full';
    return (await this.bytes()) >= this.limitBytes ? 'spool_full' : null;
  }

  /** Notes on a call that it is not recorded. Never fails: the call goes on. */
  async skipped(call: Pick<StoredCall, 'userId' | 'id'>, reason: RecordingSkip): Promise<void> {
    this.count({ reason });
    this.logger.warn('call is not recorded', { callId: call.id, reason });
    try {
      await this.store.skip(call, reason);
    } catch (err) {
      this.logger.warn('a call does not say that it is not recorded', { callId: call.id, err });
    }
  }

  /** Calls that begin together share one count. */
  private bytes(): Promise<number> {
    if (this.counting === null || performance.now() - this.counting.atMs >= KNOWN_MS)
      this.counting = { bytes: bytesIn(this.folder), atMs: performance.now() };
    return this.counting.bytes;
  }
}

/** Zero where the folder does not exist. Files that are stored and deleted while they are counted are left out. */
async function bytesIn(folder: string): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(folder).catch(ifMissing)) {
    const file = await stat(join(folder, name)).catch(() => null);
    bytes += (file?.blocks ?? 0) * BLOCK_BYTES;
  }
  return bytes;
}

function ifMissing(error: unknown): string[] {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
  throw error;
}
