import { SecretBox } from '../../common/crypto/secret-box.js';
import type { Database } from '../../database/database.js';
import { withDatabase } from '../../database/open-database.js';
import { features } from '../../features.js';
import { ARE_ACCOUNTS_THERE } from '../../modules/accounts/accounts-there.repository.js';
import { EncryptionKeysRepository } from '../../modules/encryption-keys/encryption-keys.repository.js';
import { EncryptionKeysService } from '../../modules/encryption-keys/encryption-keys.service.js';
import { SealedValuesRepository } from '../../modules/encryption-keys/sealed-values.repository.js';

/** Every column with sealed values. */
export const SEALED_COLUMNS = features.flatMap(({ sealedColumns = [] }) => sealedColumns);

/** Whether a database has accounts; also one without tables. */
export function areAccountsThere(databaseUrl: string): Promise<boolean> {
  return withDatabase(databaseUrl, async (database) => {
    const [table] = await database.query<{ there: boolean }>(
      "SELECT to_regclass('users') IS NOT NULL AS there",
    );
    if (table?.there !== true) return false;
    const [accounts] = await database.query<{ there: boolean }>(ARE_ACCOUNTS_THERE);
    return accounts?.there === true;
  });
}

/**
 * Compares the keys of this process with those that the database needs.
 *
 * @throws EncryptionKeyError
 */
export function checkKeys(databaseUrl: string, keys: readonly string[]): Promise<void> {
  return withDatabase(databaseUrl, (database) => keysOfDatabase(database, keys).check());
}

export function keysOfDatabase(database: Database, keys: readonly string[]): EncryptionKeysService {
  return new EncryptionKeysService(
    new EncryptionKeysRepository(database),
    new SealedValuesRepository(database),
    new SecretBox(keys),
    SEALED_COLUMNS,
  );
}
