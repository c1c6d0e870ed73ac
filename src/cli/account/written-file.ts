import { dirname, resolve } from 'node:path';
import { isNativeError } from 'node:util/types';

/** What can be wrong with the place of a file, by the code of the operating system. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EDQUOT: 'the disk is full',
  ENOENT: 'there is no such folder',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'that is no folder',
  EPERM: 'this user may not write there',
  EROFS: 'the disk is read-only',
};

/** An error of writing a file, as a sentence for the operator; other errors as they are. */
export function inWords(error: unknown, path: string): unknown {
  if (!isNativeError(error) || !('code' in error)) return error;
  if (error.code === 'EEXIST')
    return new Error(`There is a file ${path} already: choose another name, or delete it.`, { cause: error });
  const reason = REASONS[String(error.code)];
  if (reason === undefined) return error;
  return new Error(`Nothing can be written into ${dirname(resolve(path))}: ${reason}.`, { cause: error });
}
