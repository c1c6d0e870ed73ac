import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Config } from '../../config/config.js';
import { BackupError } from '../../database/backup/backup.error.js';
import type { BackupEntry } from '../../database/backup/backup-reader.js';
import type { BackupWriter } from '../../database/backup/backup-writer.js';
import { assertKey, isKey } from '../../providers/storage/file-storage.js';
import { S3FileStorage } from '../../providers/storage/s3/s3-file-storage.js';
import { localFilesIn } from '../../providers/storage/storage.module.js';

/** Before the key of a stored file, in the name of its entry. */
export const FILES = 'files/';

const MAX_SHOWN_NAME = 120;

/**
 * Adds what is in the folder of stored files: documents and recordings. Files never change; one that is deleted
 * in between is left out, as its row would be a moment later.
 *
 * @returns how many
 */
export async function writeStoredFiles(dataDir: string, writer: BackupWriter): Promise<number> {
  const folder = localFilesIn(dataDir);
  let files = 0;
  for await (const path of pathsIn(folder)) {
    // Not whole yet.
    if (path.endsWith('.part')) continue;
    const key = relative(folder, path).split(sep).join('/');
    // Prosa has not stored it, and a restore would refuse the backup.
    if (!isBackedUpKey(key)) continue;
    const file = await open(path, 'r').catch(unlessMissing);
    if (!file) continue;
    const { size } = await file.stat();
    await writer.addStream(FILES + key, file.createReadStream(), size);
    files++;
  }
  return files;
}

/**
 * Compares the names of all files of a backup with the rule for storage keys, before any of them is written.
 *
 * @param entries names of the entries of the backup
 * @throws BackupError for a name that could lead out of the folder, or that Prosa gives to no file
 */
export function refuseOtherFiles(entries: readonly string[]): void {
  const wrong = entries.find((name) => name.startsWith(FILES) && !isBackedUpKey(name.slice(FILES.length)));
  if (wrong === undefined) return;
  const shown = JSON.stringify(wrong.slice(0, MAX_SHOWN_NAME));
  throw new BackupError(`The backup names a file ${shown} that no Prosa stores: nothing was changed.`);
}

/** Names with a leading dot are those of the folder itself: its id, and files on their way. */
function isBackedUpKey(key: string): boolean {
  return isKey(key) && !key.split('/').some((part) => part.startsWith('.'));
}

async function* pathsIn(folder: string): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(unlessMissing);
  for (const entry of entries ?? []) {
    // Says which folder it is, and another one is another.
    if (entry.name.startsWith('.')) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* pathsIn(path);
    else if (entry.isFile()) yield path;
  }
}

function unlessMissing(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
  throw error;
}

/** Where the files of a backup go. */
export interface FilesTarget {
  put(entry: BackupEntry): Promise<void>;
  /** After all files, and after the rows that name them. */
  commit(): Promise<void>;
  /** Without a commit, what was put is taken away where that is possible. */
  close(): Promise<void>;
}

export function openFilesTarget({ storage: { s3 }, database: { dataDir } }: Config): FilesTarget {
  return s3 ? new BucketTarget(new S3FileStorage(s3)) : new FolderTarget(localFilesIn(dataDir));
}

/**
 * The folder of stored files, which may be a mount point or a symbolic link: it stays, and what is in it is replaced. Until
 * then files wait in a folder in it, so that they are moved within one file system. Keys begin with no dot.
 */
class FolderTarget implements FilesTarget {
  private readonly staged = `.${randomUUID()}.restore`;
  private readonly folder: string;
  private isRestored = false;

  constructor(private readonly target: string) {
    this.folder = join(target, this.staged);
  }

  async put({ name, content }: BackupEntry): Promise<void> {
    const key = name.slice(FILES.length);
    assertKey(key);
    const path = join(this.folder, key);
    await mkdir(dirname(path), { recursive: true });
    await pipeline(content, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }));
  }

  async commit(): Promise<void> {
    // From here on, rows name the files.
    this.isRestored = true;
    try {
      await mkdir(this.folder, { recursive: true });
      for (const name of await readdir(this.target)) {
        if (name !== this.staged) await rm(join(this.target, name), { recursive: true, force: true });
      }
      for (const name of await readdir(this.folder)) {
        await rename(join(this.folder, name), join(this.target, name));
      }
      await rmdir(this.folder);
    } catch (error) {
      throw new BackupError(
        `The rows are restored, and their files are in ${this.folder}: what is in that folder has to be moved to ${this.target}.`,
        { cause: error },
      );
    }
  }

  async close(): Promise<void> {
    if (!this.isRestored) await rm(this.folder, { recursive: true, force: true });
  }
}

class BucketTarget implements FilesTarget {
  constructor(private readonly storage: S3FileStorage) {}

  put({ name, bytes, content }: BackupEntry): Promise<void> {
    const options = { bytes, contentType: 'application/octet-stream' };
    return this.storage.put(name.slice(FILES.length), content, options);
  }

  async commit(): Promise<void> {}

  close(): Promise<void> {
    return this.storage.onApplicationShutdown();
  }
}
