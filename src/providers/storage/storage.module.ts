import { Module } from '@nestjs/common';
import { join } from 'node:path';
import { DatabaseConfig, StorageConfig } from '../../config/config.js';
import { FileStorage } from './file-storage.js';
import { LocalFileStorage } from './local/local-file-storage.js';
import { S3FileStorage } from './s3/s3-file-storage.js';
import { StorageHealthService } from './storage-health.service.js';

/** The folder of stored files, where there is no bucket. */
export function localFilesIn(dataDir: string): string {
  return join(dataDir, 'files');
}

/** The bucket when one is configured, else a folder next to the data. */
export function storageFrom({ s3 }: StorageConfig, { dataDir }: DatabaseConfig): FileStorage {
  return s3 ? new S3FileStorage(s3) : new LocalFileStorage(localFilesIn(dataDir));
}

@Module({
  providers: [
    { provide: FileStorage, useFactory: storageFrom, inject: [StorageConfig, DatabaseConfig] },
    StorageHealthService,
  ],
  exports: [FileStorage, StorageHealthService],
})
export class StorageModule {}
