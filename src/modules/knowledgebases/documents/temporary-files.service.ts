import { readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isNativeError } from 'node:util/types';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DatabaseConfig } from '../../../config/config.js';
import { Logger } from '../../../common/observability/logger.js';

/** Beginning of the names of folders in which documents are read. */
export const INGESTION_FOLDER_PREFIX = 'prosa-ingestion-';

/** Longer than any upload or reading takes. */
const LEFT_BEHIND_AFTER_MS = 24 * 3_600_000;
const SWEEP_MS = 3_600_000;

/** Where uploads are streamed to before they are stored. */
export function uploadsFolder({ dataDir }: Pick<DatabaseConfig, 'dataDir'>): string {
  return join(dataDir, 'uploads');
}

/**
 * Deletes temporary files of this machine whose process was killed before it could. Each process does so, in every
 * role: uploads are on the machine of the API, which may have no worker.
 */
@Injectable()
export class TemporaryFilesService implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly config: DatabaseConfig,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    const sweep = () =>
      this.sweep().catch((err: unknown) => this.logger.warn('temporary files not looked at', { err }));
    void sweep();
    this.timer = setInterval(() => void sweep(), SWEEP_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /** Returns how many files and folders were deleted. */
  async sweep(now = Date.now()): Promise<number> {
    const uploads = await this.sweepFolder(uploadsFolder(this.config), '', now);
    return uploads + (await this.sweepFolder(tmpdir(), INGESTION_FOLDER_PREFIX, now));
  }

  private async sweepFolder(folder: string, prefix: string, now: number): Promise<number> {
    let deleted = 0;
    for (const name of await namesIn(folder)) {
      if (!name.startsWith(prefix)) continue;
      const path = join(folder, name);
      try {
        const { mtimeMs } = await stat(path);
        if (now - mtimeMs < LEFT_BEHIND_AFTER_MS) continue;
        await rm(path, { recursive: true, force: true });
        deleted++;
      } catch (error) {
        // Its own process, or that of another user of this machine, is about to clear it.
        this.logger.debug('a temporary file was left to its owner', { err: error });
      }
    }
    return deleted;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isNativeError(error) && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
