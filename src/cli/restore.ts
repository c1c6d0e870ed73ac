import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { Progress } from '../boot/backup/progress.js';
import { readBackup, restoreBackup } from '../boot/backup/restore.js';
import { prepareDatabase } from '../boot/prepare-database.js';
import type { Config } from '../config/config.js';
import { loadConfig } from '../config/load.js';
import { AuditLogRepository } from '../modules/audit/audit-log.repository.js';
import { OperatorLogService } from '../modules/audit/operator/operator-log.service.js';
import { withDatabase } from '../database/open-database.js';
import { BackupError } from '../database/backup/backup.error.js';
import { requireOwner } from '../database/preparation/database-role.js';
import { runOnBackup } from './backup-command.js';
import { namedPlugins } from '../plugins/named-plugins.js';
import { orUsage } from './command-line.js';
import { asOwner, withDatabaseOfCommand } from './database-of-command.js';

const USAGE = `Usage: npm run restore -- FILE [--replace] [--without-secrets]

Puts a backup into the database of this installation, and its files where this installation keeps files. Prosa must not
run at the same time. The file is checked from end to end before anything is changed, and the database has all of it or is left
as it was. A database with accounts is refused, unless --replace says that all it holds may go. Campaigns that were
running at the time of the backup are stopped: start them again once you know whom they have called since. Where the role of
DATABASE_URL does not own the tables, MIGRATION_DATABASE_URL names the one that does.

--without-secrets restores a backup whose encryption key is lost. Secrets that no key here opens (headers of tools, SIP
passwords, keys of models) are removed and have to be entered again, and webhooks get new secrets.
`;

const { positionals, values } = orUsage(USAGE, () =>
  parseArgs({
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      replace: { type: 'boolean', default: false },
      'without-secrets': { type: 'boolean', default: false },
    },
  }),
);

async function main(path: string): Promise<string> {
  const config = loadConfig();
  const progress = new Progress();
  const withSecrets = !values['without-secrets'];
  const backup = await readBackup(config, path, withSecrets, progress);
  return withDatabaseOfCommand(asOwner(config.database), { mayJoin: false }, async (url) => {
    await requireOwner(url);
    const what = { path, backup, replace: values.replace, withSecrets };
    const restored = await restoreBackup(config, url, what, progress);
    await prepareRestored(config, url);
    await recordRestore(url);
    const { rows, files, stoppedCampaigns, lostSecrets, manifest } = restored;
    const lines = [
      `Restored: ${rows} rows and ${files} files, as they were at ${manifest.createdAt} with Prosa ${manifest.version}.`,
    ];
    if (manifest.files === 's3') lines.push('The stored files are those of the S3 bucket, as they are now.');
    if (stoppedCampaigns > 0) lines.push(`${stoppedCampaigns} campaigns that were running are stopped.`);
    if (lostSecrets.size > 0) {
      const places = [...lostSecrets].map(([place, count]) => `${place} ${count}`);
      lines.push(`Secrets whose key is lost are removed: ${places.join(', ')}.`);
    }
    return lines.join('\n');
  });
}

/** The backup has replaced the audit log, and may lack what the entry needs: it is written last. */
function recordRestore(databaseUrl: string): Promise<void> {
  return withDatabase(databaseUrl, (database) =>
    database.run((tx) =>
      new OperatorLogService(new AuditLogRepository(database)).record(
        { userId: null, action: 'restore' },
        tx,
      ),
    ),
  );
}

/** An older backup lacks migrations, and none has the schema of the queue. Processes may have a role that cannot create it. */
async function prepareRestored(config: Config, databaseUrl: string): Promise<void> {
  try {
    await prepareDatabase({ databaseUrl, say: (line) => console.error(line) }, await namedPlugins(config));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new BackupError(`The backup is restored, and the database is not up to date: ${reason}`, {
      cause: error,
    });
  }
}

await runOnBackup(USAGE, { files: positionals, help: values.help }, main);
