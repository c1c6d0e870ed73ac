import { stat } from 'node:fs/promises';
import { Progress } from '../../boot/backup/progress.js';
import type { AccountArchiveService } from '../../modules/account-data/exports/account-archive.service.js';
import { inWords } from './written-file.js';

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
    throw inWords(error, path);
  } finally {
    progress.clear();
  }
}
