import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isNativeError } from 'node:util/types';
import { Progress } from '../../boot/backup/progress.js';
import type { AccountArchiveService } from '../../modules/account-data/exports/account-archive.service.js';

/** What can be wrong with the place of the file, by the code of the operating system. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EDQUOT: 'the disk is full',
  ENOENT: 'there is no such folder',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'that is no folder',
  EPERM: 'this user may not write there',
  EROFS: 'the disk is read-only',
};

/**
 * Writes everything of an account into a new file. Other than through the API, it may have more than 4 GiB.
 *
 * @throws BackupError when there is a file already, and Error in a sentence where it cannot be written
 */
export async function exportToFile(
  archives: AccountArchiveService,
  { id, email }: { readonly id: number; readonly email: string },
  path: string,
): Promise<string> {
  const progress = new Progress();
  const see = (percent: number) => Promise.resolve(progress.show(`${email}: ${percent} %`));
  try {
    const { rows, files, missing } = await archives.write(path, id, { see });
    const counts = Object.values(rows);
    const total = counts.reduce((sum, count) => sum + count, 0);
    const written = `${path}: ${total} rows of ${counts.length} tables, ${files} files, ${(await stat(path)).size} bytes.`;
    if (missing.length === 0) return written;
    return `${written}\n${missing.length} files that rows name are not in the storage of this environment (DATA_DIR, or S3_BUCKET); about.json in the archive lists them.`;
  } catch (error) {
    const reason = isNativeError(error) && 'code' in error ? REASONS[String(error.code)] : undefined;
    if (reason === undefined) throw error;
    throw new Error(`Nothing can be written into ${dirname(resolve(path))}: ${reason}.`, { cause: error });
  } finally {
    progress.clear();
  }
}
