import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const FILE = 'encryption.key';

/** The keys for secrets at rest: those of the environment, or one made at first start and kept in the data folder. */
export async function encryptionKeys(
  configured: readonly string[] | undefined,
  dataDir: string,
): Promise<readonly string[]> {
  if (configured) return configured;
  const path = join(dataDir, FILE);
  try {
    return [(await readFile(path, 'utf8')).trim()];
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  await mkdir(dataDir, { recursive: true });
  const key = randomBytes(32).toString('base64');
  // `wx`: of two first starts at once, one makes the key and the other fails instead of replacing it.
  await writeFile(path, `${key}\n`, { mode: 0o600, flag: 'wx' });
  return [key];
}
