import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readIfThere, readOrMake } from '../../common/files/made-once.js';
import { EncryptionKeyError } from '../../modules/encryption-keys/encryption-key.error.js';

/** In the data folder. */
export const KEY_FILE = 'encryption.key';

/**
 * The keys for secrets at rest: those of the environment, or one made at first start and kept in the data folder.
 *
 * @param areAccountsThere asked before a key is made: secrets of their database would not open with it
 * @throws EncryptionKeyError where they are
 */
export async function encryptionKeys(
  configured: readonly string[] | undefined,
  dataDir: string,
  areAccountsThere: () => Promise<boolean>,
): Promise<readonly string[]> {
  const keys = await findEncryptionKeys(configured, dataDir);
  if (keys) return keys;
  if (await areAccountsThere()) throw new EncryptionKeyError(lost(dataDir));
  return [await makeEncryptionKey(dataDir)];
}

/** The same without making one: null where there is none. */
export async function findEncryptionKeys(
  configured: readonly string[] | undefined,
  dataDir: string,
): Promise<readonly string[] | null> {
  if (configured) return configured;
  const key = await readIfThere(join(dataDir, KEY_FILE));
  return key === null ? null : [key];
}

export function makeEncryptionKey(dataDir: string): Promise<string> {
  return readOrMake(join(dataDir, KEY_FILE), () => randomBytes(32).toString('base64'));
}

function lost(dataDir: string): string {
  return (
    `There are accounts in this database, and no encryption key in ${dataDir}: set ENCRYPTION_KEY as it was, or put the file ` +
    `${KEY_FILE} back. Where the key is lost, restore a backup with --without-secrets.`
  );
}
