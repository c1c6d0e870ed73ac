import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isNativeError } from 'node:util/types';
import { readOrMake } from '../../../common/files/made-once.js';
import {
  assertKey,
  assertPrefix,
  type ByteRange,
  FileMissingError,
  FileStorage,
  type PutOptions,
  seenByReader,
  StorageError,
} from '../file-storage.js';

/** No key of ours begins with a dot, and a backup leaves such files out. */
const ID_FILE = '.folder-id';
const UNFINISHED = /\.[0-9a-f-]{36}\.part$/;
/** Longer than any file takes to be stored. */
const LEFT_BEHIND_AFTER_MS = 24 * 3_600_000;

/** Files in a folder of this machine (or one that all machines share), under the names of their keys. */
export class LocalFileStorage extends FileStorage {
  readonly name = 'local folder';

  constructor(private readonly folder: string) {
    super();
  }

  async folderId(): Promise<string> {
    try {
      return await readOrMake(join(this.folder, ID_FILE), randomUUID);
    } catch (error) {
      throw new StorageError('the folder of files cannot be used', { cause: error });
    }
  }

  async check(): Promise<void> {
    await this.folderId();
  }

  async put(key: string, content: Readable, { bytes }: PutOptions): Promise<void> {
    content.on('error', seenByReader);
    const path = this.pathOf(key);
    // Written to a temporary file and renamed: a reader never sees an incomplete file.
    const partial = `${path}.${randomUUID()}.part`;
    try {
      await mkdir(dirname(path), { recursive: true });
      const file = createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true });
      await pipeline(content, file);
      if (file.bytesWritten !== bytes)
        throw new Error(`${bytes} bytes announced, ${file.bytesWritten} written`);
      await rename(partial, path);
    } catch (error) {
      await rm(partial, { force: true });
      throw new StorageError('the file could not be stored', { cause: error });
    }
  }

  async get(key: string, range?: ByteRange): Promise<Readable> {
    const path = this.pathOf(key);
    try {
      const file = await open(path, 'r');
      return file.createReadStream(range);
    } catch (error) {
      if (isMissing(error)) throw new FileMissingError(key, { cause: error });
      throw new StorageError('the file could not be read', { cause: error });
    }
  }

  async delete(key: string): Promise<void> {
    await this.remove(this.pathOf(key), { recursive: false });
  }

  async deletePrefix(prefix: string): Promise<void> {
    assertPrefix(prefix);
    await this.remove(join(this.folder, prefix), { recursive: true });
  }

  async deleteUnfinished(now = Date.now()): Promise<number> {
    try {
      return await deleteUnfinishedIn(this.folder, now - LEFT_BEHIND_AFTER_MS);
    } catch (error) {
      throw new StorageError('the folder of files could not be looked through', { cause: error });
    }
  }

  private async remove(path: string, { recursive }: { recursive: boolean }): Promise<void> {
    try {
      await rm(path, { force: true, recursive });
    } catch (error) {
      throw new StorageError('the file could not be deleted', { cause: error });
    }
  }

  private pathOf(key: string): string {
    assertKey(key);
    return join(this.folder, key);
  }
}

async function deleteUnfinishedIn(folder: string, beforeMs: number): Promise<number> {
  let deleted = 0;
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(noneIfMissing)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) deleted += await deleteUnfinishedIn(path, beforeMs);
    else if (UNFINISHED.test(entry.name) && (await isOlder(path, beforeMs))) {
      await rm(path, { force: true });
      deleted++;
    }
  }
  return deleted;
}

/** False also for one that was stored, and so renamed, since the folder was listed. */
async function isOlder(path: string, beforeMs: number): Promise<boolean> {
  try {
    return (await stat(path)).mtimeMs < beforeMs;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

function noneIfMissing(error: unknown): [] {
  if (isMissing(error)) return [];
  throw error;
}

function isMissing(error: unknown): boolean {
  return isNativeError(error) && 'code' in error && error.code === 'ENOENT';
}
