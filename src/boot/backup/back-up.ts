import { keyIdOf } from '../../common/crypto/secret-box.js';
import type { Config } from '../../config/config.js';
import { BackupWriter } from '../../database/backup/backup-writer.js';
import { BackupError } from '../../database/backup/backup.error.js';
import { DatabaseDump } from '../../database/backup/dump-database.js';
import { FORMAT, type Manifest, MANIFEST } from '../../database/backup/manifest.js';
import { findEncryptionKeys } from '../first-start/encryption-keys.js';
import { prosaVersion } from '../../config/prosa-version.js';
import type { Progress } from './progress.js';
import { writeStoredFiles } from './stored-files.js';

export interface BackedUp {
  readonly tables: number;
  readonly rows: number;
  readonly files: number;
  readonly manifest: Manifest;
}

/**
 * Writes everything an installation keeps into one file, while it runs: the rows of one moment, and the files they name.
 *
 * @throws BackupError in sentences
 */
export async function backUp(
  config: Config,
  databaseUrl: string,
  path: string,
  progress: Progress,
): Promise<BackedUp> {
  const keys = await findEncryptionKeys(config.security.encryptionKeys, config.database.dataDir);
  if (!keys)
    throw new BackupError(
      `There is no encryption key in ${config.database.dataDir}: has Prosa ever run there?`,
    );
  const writer = await BackupWriter.open(path);
  let isDone = false;
  try {
    const dump = await DatabaseDump.open(databaseUrl);
    try {
      const manifest: Manifest = {
        format: FORMAT,
        version: prosaVersion,
        createdAt: new Date().toISOString(),
        ...(await dump.describe()),
        keyIds: keys.map((key) => keyIdOf(key)),
        files: config.storage.s3 ? 's3' : 'local',
      };
      await writer.add(MANIFEST, Buffer.from(JSON.stringify(manifest)));
      let rows = 0;
      for (const [at, table] of manifest.tables.entries()) {
        progress.show(`Table ${at + 1} of ${manifest.tables.length}: ${table.name}, ${rows} rows so far`);
        rows += await dump.writeTable(table, writer);
      }
      progress.show('Files…');
      const files = config.storage.s3 ? 0 : await writeStoredFiles(config.database.dataDir, writer);
      await writer.close();
      isDone = true;
      return { tables: manifest.tables.length, rows, files, manifest };
    } finally {
      await dump.close();
    }
  } finally {
    progress.clear();
    if (!isDone) await writer.discard();
  }
}
