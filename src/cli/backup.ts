import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { backUp } from '../boot/backup/back-up.js';
import { recordBackup } from '../boot/backup/record-backup.js';
import { Progress } from '../boot/backup/progress.js';
import { loadConfig } from '../config/load.js';
import { runOnBackup } from './backup-command.js';
import { orUsage } from './command-line.js';
import { withDatabaseOfCommand } from './database-of-command.js';

const USAGE = `Usage: npm run backup -- FILE

Writes all that Prosa keeps into one new file, also while Prosa runs: the database as it is at one moment, and the stored
files (documents and recordings) where they are in DATA_DIR. Files in an S3 bucket stay there. The encryption key is not
in the backup: keep it apart. Back again: npm run restore -- FILE
`;

const { positionals, values } = orUsage(USAGE, () =>
  parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h', default: false } },
  }),
);

async function main(path: string): Promise<string> {
  const config = loadConfig();
  return withDatabaseOfCommand(config.database, { mayJoin: true }, async (url) => {
    const { tables, rows, files, manifest } = await backUp(config, url, path, new Progress());
    const unrecorded = await recordBackup(url, new Date(manifest.createdAt));
    if (unrecorded !== null) console.error(unrecorded);
    const where =
      manifest.files === 's3'
        ? 'The stored files are not in it: they stay in the S3 bucket, which has to be backed up by its own means.'
        : `${files} stored files are in it.`;
    const key = config.security.encryptionKeys
      ? 'ENCRYPTION_KEY'
      : `the file ${config.database.dataDir}/encryption.key`;
    return `${path}: ${rows} rows of ${tables} tables. ${where}\nIts secrets open with ${key} alone, which is not in it: keep it apart.`;
  });
}

await runOnBackup(USAGE, { files: positionals, help: values.help }, main);
