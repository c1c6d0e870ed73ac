import { resolve } from 'node:path';
import type { Logger } from '../common/observability/logger.js';
import type { Config } from '../config/config.js';
import { localFilesIn } from '../providers/storage/storage.module.js';

/**
 * The API takes an upload, and a worker reads it. Separate processes must have the same folder of files for that, and
 * neither can check the other's.
 */
export function warnOfSeparateFiles({ server: { roles }, storage, database }: Config, logger: Logger): void {
  if (storage.s3 || roles.has('api') === roles.has('worker')) return;
  logger.warn(
    'stored files are in a folder: the processes of the API and the workers need the same one, or an S3 bucket',
    { folder: resolve(localFilesIn(database.dataDir)) },
  );
}
