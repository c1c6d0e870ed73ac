import { randomUUID } from 'node:crypto';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Logger } from '../../common/observability/logger.js';
import { ServerConfig } from '../../config/config.js';
import { FileStorage } from '../../providers/storage/file-storage.js';
import { StorageHeartbeatsRepository } from './storage-heartbeats.repository.js';
import { FilesNotSharedError } from './files.errors.js';

const BEAT_MS = 30_000;

/**
 * The API stores an upload, and a worker reads it. Separate processes without a bucket need the same folder, so each
 * worker announces the folder it reads. An upload is refused when a worker could not find it.
 */
@Injectable()
export class StorageHeartbeatsService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly id = randomUUID();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly readers: StorageHeartbeatsRepository,
    private readonly storage: FileStorage,
    private readonly server: ServerConfig,
    private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (!this.server.roles.has('worker')) return;
    await this.beat();
    this.timer = setInterval(() => void this.beat(), BEAT_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    if (!this.timer) return;
    clearInterval(this.timer);
    await this.readers.remove(this.id).catch((err: unknown) => this.warn(err));
  }

  /** @throws FilesNotSharedError */
  async requireShared(): Promise<void> {
    const folderId = await this.storage.folderId();
    if (folderId !== null && (await this.readers.existOfOther(folderId))) throw new FilesNotSharedError();
  }

  private async beat(): Promise<void> {
    try {
      const folderId = await this.storage.folderId();
      if (folderId !== null) await this.readers.beat(this.id, folderId);
    } catch (err) {
      this.warn(err);
    }
  }

  private warn(err: unknown): void {
    this.logger.warn('the folder of stored files was not announced to the other processes', { err });
  }
}
