import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type Check, failure, type Finding, ok, warning } from '../check.js';

const GIGABYTE = 1024 ** 3;
/** About three hours of recordings that wait for their storage. */
const LITTLE_BYTES = 2 * GIGABYTE;
const TOO_LITTLE_BYTES = GIGABYTE / 5;

/** Whether DATA_DIR can be written, and has room. */
export class DiskCheck implements Check {
  readonly name = 'disk';

  constructor(private readonly dataDir: string) {}

  async run(): Promise<readonly Finding[]> {
    const folder = await existingFolderOf(resolve(this.dataDir));
    try {
      await access(folder, constants.W_OK);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      return [
        failure(
          `Prosa cannot write in ${folder} (${code}): give its user the folder, or choose another DATA_DIR.`,
        ),
      ];
    }
    const { bavail, bsize } = await statfs(folder);
    return [findingOf(folder, bavail * bsize)];
  }
}

/** The folder itself, or the nearest one above in which the first start creates it. */
async function existingFolderOf(path: string): Promise<string> {
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  return isThere || dirname(path) === path ? path : existingFolderOf(dirname(path));
}

function findingOf(folder: string, bytes: number): Finding {
  const free = `The disk of DATA_DIR (${folder}) has ${(bytes / GIGABYTE).toFixed(1)} GB free`;
  if (bytes < TOO_LITTLE_BYTES) return failure(`${free}: make room, or choose another DATA_DIR.`);
  if (bytes < LITTLE_BYTES) return warning(`${free}: make room before recordings and uploads fill it.`);
  return ok(`${free}.`);
}
