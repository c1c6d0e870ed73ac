import 'reflect-metadata';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Progress } from '../boot/backup/progress.js';
import { readBackup, restoreBackup } from '../boot/backup/restore.js';
import { EnvironmentError } from '../config/environment.js';
import { loadConfig } from '../config/load.js';
import { BackupError } from '../database/backup/backup.error.js';
import { EmbeddedPostgres } from '../database/embedded-postgres.js';
import { EmbeddedPostgresError } from '../database/embedded/embedded-postgres.error.js';

const USAGE = `Usage: npm run restore -- FILE [--replace]

Puts a backup into the database of this installation, and its files where this installation keeps files. Prosa must not
run meanwhile. The file is checked from end to end before anything is changed, and the database has all of it or is left
as it was. A database with accounts is refused, unless --replace says that all it holds may go. Campaigns that were
running at the time of the backup are stopped: start them again once you know whom they have called since.
`;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { help: { type: 'boolean', default: false }, replace: { type: 'boolean', default: false } },
});

async function main(path: string): Promise<string> {
  const config = loadConfig();
  const progress = new Progress();
  const backup = await readBackup(config, path, progress);
  const embedded = config.database.url
    ? null
    : await EmbeddedPostgres.start({
        dataDir: resolve(config.database.dataDir),
        log: (line) => console.error(line),
      });
  try {
    const url = config.database.url ?? embedded?.url ?? '';
    const what = { path, backup, replace: values.replace };
    const { rows, files, stoppedCampaigns, manifest } = await restoreBackup(config, url, what, progress);
    const lines = [
      `Restored: ${rows} rows and ${files} files, as they were at ${manifest.createdAt} with Prosa ${manifest.version}.`,
    ];
    if (manifest.files === 's3') lines.push('The stored files are those of the S3 bucket, as they are now.');
    if (stoppedCampaigns > 0) lines.push(`${stoppedCampaigns} campaigns that were running are stopped.`);
    return lines.join('\n');
  } finally {
    await embedded?.stop();
  }
}

const [path] = positionals;
if (values.help || path === undefined || positionals.length > 1) {
  process.stdout.write(USAGE);
  process.exitCode = values.help ? 0 : 1;
} else {
  try {
    console.log(await main(path));
  } catch (error) {
    const plain = [BackupError, EnvironmentError, EmbeddedPostgresError].some(
      (kind) => error instanceof kind,
    );
    console.error(plain ? (error as Error).message : error);
    process.exitCode = 1;
  }
}
