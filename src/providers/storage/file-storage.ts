import type { Readable } from 'node:stream';
import { UnavailableError } from '../../common/errors/errors.js';

/** What a key may be: path-like, of a few safe characters, so that it is a good name in every storage. */
const KEY = /^(?!.*(?:^|\/)\.{1,2}(?:\/|$))[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)*$/;

const MAX_KEY_LENGTH = 512;

export interface PutOptions {
  /** Exact size of the content, which some storages must know in advance. */
  readonly bytes: number;
  readonly contentType: string;
}

/** Bytes of a file, the first and the last included, as in HTTP. Both are within the file. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Where files live: a folder of this machine or a bucket. Keys look like `a/b/c.pdf`.
 * Every method throws `StorageError` when the storage itself fails.
 */
export abstract class FileStorage {
  /** For the log. */
  abstract readonly name: string;

  /** Id of the folder that the files are in; null where every process sees the same ones. */
  abstract folderId(): Promise<string | null>;

  /** Resolves when the storage answers. @throws StorageError */
  abstract check(): Promise<void>;

  /** Stores the stream whole, in place of what the key held; a broken-off stream leaves nothing behind. */
  abstract put(key: string, content: Readable, options: PutOptions): Promise<void>;

  /** @param range a part of it; left out: all. @throws FileMissingError where there is no such file */
  abstract get(key: string, range?: ByteRange): Promise<Readable>;

  /** Deleting what is not there is a success. */
  abstract delete(key: string): Promise<void>;

  /** Deletes every key that begins with `prefix`, which ends with a slash. */
  abstract deletePrefix(prefix: string): Promise<void>;

  /** Deletes unfinished uploads of killed processes, once they can no longer be continued. Returns how many. */
  abstract deleteUnfinished(): Promise<number>;
}

/** The storage could not be reached or refused: worth another try. Callers of the API learn only that it is unavailable. */
export class StorageError extends UnavailableError {
  /** @param message for the log, as is `cause` */
  constructor(message: string, options?: ErrorOptions) {
    super(options);
    this.message = message;
  }
}

export class FileMissingError extends Error {
  override readonly name = 'FileMissingError';

  constructor(key: string, options?: ErrorOptions) {
    super(`no file is stored under ${key}`, options);
  }
}

/**
 * Listens for the error of a content until it is read: the reader meets the error itself, but one that comes before the
 * reading begins would end the process.
 */
export function seenByReader(): void {}

export function isKey(key: string): boolean {
  return key.length <= MAX_KEY_LENGTH && KEY.test(key);
}

/** @throws TypeError for a key that no caller of ours makes */
export function assertKey(key: string): void {
  if (!isKey(key)) throw new TypeError('the storage key is malformed');
}

/** @throws TypeError for anything but a folder-like prefix, so that nothing else is deleted by mistake */
export function assertPrefix(prefix: string): void {
  if (!prefix.endsWith('/')) throw new TypeError('a storage prefix ends with a slash');
  assertKey(prefix.slice(0, -1));
}
