import { describe, expect, it } from '@jest/globals';
import { Logger } from '../../common/observability/logger.js';
import { FileStorage, StorageError } from '../../providers/storage/file-storage.js';
import type { FileCleanupsRepository } from './file-cleanups.repository.js';
import { FileCleanupsService } from './file-cleanups.service.js';

/** A storage that refuses some deletions a number of times. */
class StubbornStorage extends FileStorage {
  readonly name = 'stubborn';
  readonly deleted: string[] = [];

  constructor(private readonly refusals: Map<string, number>) {
    super();
  }

  folderId = () => Promise.resolve(null);
  check = () => Promise.resolve();
  put = () => Promise.resolve();
  get = () => Promise.reject(new StorageError('not kept'));
  deletePrefix = () => Promise.resolve();
  deleteUnfinished = () => Promise.resolve(0);

  async delete(key: string): Promise<void> {
    const left = this.refusals.get(key) ?? 0;
    this.refusals.set(key, left - 1);
    if (left > 0) throw new StorageError('the bucket is away');
    this.deleted.push(key);
  }
}

/** Rows in memory; every planned file is due at once, and again after a failed try. */
function cleanupsOf(keys: string[]) {
  const waiting = new Set(keys);
  let claimed = false;
  return {
    waiting,
    nextSweep: () => (claimed = false),
    claimDue: () => {
      const due = claimed ? [] : [...waiting];
      claimed = true;
      return Promise.resolve(due);
    },
    finish: (key: string) => Promise.resolve(void waiting.delete(key)),
  };
}

describe('FileCleanupsService', () => {
  it('keeps a file it could not delete for the next sweep, and goes on with the others', async () => {
    const storage = new StubbornStorage(new Map([['a', 2]]));
    const rows = cleanupsOf(['a', 'b']);
    const service = new FileCleanupsService(
      rows as unknown as FileCleanupsRepository,
      storage,
      Logger.create('silent'),
    );

    expect(await service.sweep()).toEqual({ deleted: 1, failed: 1 });
    expect([...rows.waiting]).toEqual(['a']);
    rows.nextSweep();
    expect(await service.sweep()).toEqual({ deleted: 0, failed: 1 });
    rows.nextSweep();
    expect(await service.sweep()).toEqual({ deleted: 1, failed: 0 });
    expect(storage.deleted).toEqual(['b', 'a']);
  });
});
