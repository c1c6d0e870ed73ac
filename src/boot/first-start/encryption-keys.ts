import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readIfThere, readOrMake } from '../../common/files/made-once.js';

const FILE = 'encryption.key';

/** The keys for secrets at rest: those of the environment, or one made at first start and kept in the data folder. */
export async function encryptionKeys(
  configured: readonly string[] | undefined,
  dataDir: string,
): Promise<readonly string[]> {
  if (configured) return configured;
  return [await readOrMake(join(dataDir, FILE), () => randomBytes(32).toString('base64'))];
}

/** The same without making one: null where there is none. */
export async function findEncryptionKeys(
  configured: readonly string[] | undefined,
  dataDir: string,
): Promise<readonly string[] | null> {
  if (configured) return configured;
  const key = await readIfThere(join(dataDir, FILE));
  return key === null ? null : [key];
}
