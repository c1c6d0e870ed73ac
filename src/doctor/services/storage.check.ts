import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { FileMissingError, type FileStorage, StorageError } from '../../providers/storage/file-storage.js';
import { type Check, failure, type Finding, ok } from '../check.js';
import { reasonOf } from '../reason-of.js';

/** Writes, reads and deletes a small file in the storage of uploads and recordings. */
export class StorageCheck implements Check {
  readonly name = 'storage';

  /** @param place where the files are, for the operator */
  constructor(
    private readonly storage: FileStorage,
    private readonly place: string,
  ) {}

  async run(): Promise<readonly Finding[]> {
    const startedAt = performance.now();
    try {
      await this.writeReadDelete(`prosa-check-${randomUUID()}.txt`);
    } catch (error) {
      if (!(error instanceof StorageError || error instanceof FileMissingError)) throw error;
      return [
        failure(
          `A file cannot be written, read and deleted in ${this.place} (${reasonOf(error)}): uploads and recordings need all three.`,
        ),
      ];
    }
    const ms = Math.round(performance.now() - startedAt);
    return [ok(`A file was written, read and deleted in ${this.place} in ${ms} ms.`)];
  }

  private async writeReadDelete(key: string): Promise<void> {
    const content = Buffer.from(key);
    try {
      await this.storage.put(key, Readable.from([content]), {
        bytes: content.length,
        contentType: 'text/plain',
      });
      const read = await buffer(await this.storage.get(key));
      if (!read.equals(content)) throw new StorageError('the file came back with another content');
    } finally {
      await this.storage.delete(key);
    }
  }
}
