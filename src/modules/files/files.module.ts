import { Module } from '@nestjs/common';
import { StorageModule } from '../../providers/storage/storage.module.js';
import { FileCleanupsRepository } from './file-cleanups.repository.js';
import { FileCleanupsService } from './file-cleanups.service.js';
import { StorageHeartbeatsRepository } from './storage-heartbeats.repository.js';
import { StorageHeartbeatsService } from './storage-heartbeats.service.js';

/** What rows of other modules have in the storage. */
@Module({
  imports: [StorageModule],
  providers: [
    FileCleanupsRepository,
    FileCleanupsService,
    StorageHeartbeatsRepository,
    StorageHeartbeatsService,
  ],
  exports: [FileCleanupsService, StorageHeartbeatsService],
})
export class FilesModule {}
