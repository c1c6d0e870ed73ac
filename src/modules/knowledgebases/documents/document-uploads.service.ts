import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Injectable } from '@nestjs/common';
import { ValidationFailedError } from '../../../common/errors/errors.js';
import { FileStorage } from '../../../providers/storage/file-storage.js';
import { FileCleanupsService } from '../../files/file-cleanups.service.js';
import { StorageHeartbeatsService } from '../../files/storage-heartbeats.service.js';
import { CONTENT_TYPES, type FileType, fitsType, sniffFile } from '../extraction/file-content.js';

/** An uploaded file in a temporary place that is cleared after the request. */
export interface Upload {
  readonly path: string;
  readonly size: number;
}

/** Checks uploaded files, and puts them into the storage. */
@Injectable()
export class DocumentUploadsService {
  constructor(
    private readonly readers: StorageHeartbeatsService,
    private readonly cleanups: FileCleanupsService,
    private readonly storage: FileStorage,
  ) {}

  /** The content of a file decides its type, not its name. @throws ValidationFailedError */
  async require(type: FileType, upload: Upload | undefined): Promise<Upload> {
    if (!upload) throw ValidationFailedError.of('file', 'documents.file_required');
    if (upload.size === 0) throw ValidationFailedError.of('file', 'documents.file_empty');
    if (!fitsType(await sniffFile(upload.path), type)) {
      throw ValidationFailedError.of('file', 'documents.file_type', { type: type.toUpperCase() });
    }
    return upload;
  }

  /**
   * Returns the key of the stored file. A cleanup deletes the file unless a transaction keeps it.
   *
   * @throws FilesNotSharedError
   */
  async store(userId: number, type: FileType, { path, size }: Upload): Promise<string> {
    await this.readers.requireShared();
    const fileKey = `documents/${userId}/${randomUUID()}.${type}`;
    await this.cleanups.expect(fileKey);
    await this.storage.put(fileKey, createReadStream(path), {
      bytes: size,
      contentType: CONTENT_TYPES[type],
    });
    return fileKey;
  }
}
