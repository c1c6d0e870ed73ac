import { Module } from '@nestjs/common';
import { StorageModule } from '../../providers/storage/storage.module.js';
import { FileCleanupsRepository } from './file-cleanups.repository.js';
import { FileCleanupsService } from './file-cleanups.service.js';
import { FileReadersRepository } from './storage-heartbeats.repository.js';
import { FileReadersService } from './storage-heartbeats.service.js';

/** What rows of other modules have in the storage. */
@Module({
  imports: [StorageModule],
  providers: [FileCleanupsRepository, FileCleanupsService, FileReadersRepository, FileReadersService],
  exports: [FileCleanupsService, FileReadersService],
})
export class FilesModule {}
