import { areAccountsThere, keysOfDatabase } from '../../boot/first-start/database-keys.js';
import { findEncryptionKeys } from '../../boot/first-start/encryption-keys.js';
import { SecretBox } from '../../common/crypto/secret-box.js';
import { withDatabase } from '../../database/open-database.js';
import { type Check, failure, type Finding, ok } from '../check.js';

/** Whether this environment has the keys that stored secrets need. */
export class EncryptionKeyCheck implements Check {
  readonly name = 'key';

  /** @param configured the keys of the environment; undefined means: the file of the data folder */
  constructor(
    private readonly databaseUrl: string,
    private readonly configured: readonly string[] | undefined,
    private readonly dataDir: string,
  ) {}

  async run(): Promise<readonly Finding[]> {
    const keys = await findEncryptionKeys(this.configured, this.dataDir);
    if (keys === null) return [await this.withoutKey()];
    const id = new SecretBox(keys).currentId;
    const missing = await this.missing(keys);
    if (missing === null) return [ok(`New secrets are sealed with the key ${id}; the database is empty.`)];
    if (missing.length === 0)
      return [ok(`New secrets are sealed with the key ${id}, and all stored ones open.`)];
    return [
      failure(
        `Stored secrets need the key ${missing.join(', ')}, and this environment has ${new SecretBox(keys).keyIds.join(', ')}: ` +
          'set ENCRYPTION_KEY as it was, with older keys after a comma.',
      ),
    ];
  }

  private async withoutKey(): Promise<Finding> {
    if (!(await areAccountsThere(this.databaseUrl)))
      return ok('There is no key yet: the first start makes one.');
    return failure(
      `There are accounts and no encryption key in ${this.dataDir}: set ENCRYPTION_KEY as it was, or put the file encryption.key back.`,
    );
  }

  /** Ids of keys that the database needs; null for one without the list of them. */
  private missing(keys: readonly string[]): Promise<readonly string[] | null> {
    return withDatabase(this.databaseUrl, async (database) => {
      const [table] = await database.query<{ there: boolean }>(
        "SELECT to_regclass('encryption_keys') IS NOT NULL AS there",
      );
      return table?.there === true ? keysOfDatabase(database, keys).listMissing() : null;
    });
  }
}
