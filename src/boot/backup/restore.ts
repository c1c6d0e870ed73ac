import { keyIdOf, SecretBox } from '../../common/crypto/secret-box.js';
import type { Config } from '../../config/config.js';
import { BackupError } from '../../database/backup/backup.error.js';
import { checkBackup, type CheckedBackup, readEntries } from '../../database/backup/backup-reader.js';
import { DatabaseLoad, refuseNewerSchema } from '../../database/backup/load-database.js';
import type { Manifest } from '../../database/backup/manifest.js';
import { refuseOtherPlugins } from '../../database/backup/plugin-schemas.js';
import { ARE_ACCOUNTS_THERE } from '../../modules/accounts/accounts-there.repository.js';
import { END_CALLS_OF_BACKUP } from '../../modules/active-calls/ends/restored-calls.repository.js';
import { STOP_RUNNING_CAMPAIGNS } from '../../modules/campaigns/restored-campaigns.repository.js';
import { namedPlugins } from '../../plugins/named-plugins.js';
import type { Plugin } from '../../plugins/plugin.js';
import { SEALED_COLUMNS } from '../first-start/database-keys.js';
import { findEncryptionKeys, makeEncryptionKey } from '../first-start/encryption-keys.js';
import { forgetLostSecrets } from './lost-secrets.js';
import type { Progress } from './progress.js';
import { FILES, type FilesTarget, openFilesTarget, refuseOtherFiles } from './stored-files.js';

export interface Restored {
  readonly rows: number;
  readonly files: number;
  /** Campaigns that were running at the time of the backup. */
  readonly stoppedCampaigns: number;
  /** How many secrets are lost, by their place; empty unless that was permitted. */
  readonly lostSecrets: ReadonlyMap<string, number>;
  readonly manifest: Manifest;
}

/** A backup that can be restored here. */
export interface ReadBackup extends CheckedBackup {
  /** Loaded where the backup holds tables of plugins. */
  readonly plugins: readonly Plugin[];
}

/**
 * Reads a backup and refuses what cannot be restored here. Needs no database and changes nothing.
 *
 * @param withSecrets whether the backup is refused when its encryption key is not here
 * @throws BackupError in sentences, and PluginError
 */
export async function readBackup(
  config: Config,
  path: string,
  withSecrets: boolean,
  progress: Progress,
): Promise<ReadBackup> {
  const backup = await checkBackup(path, (share) =>
    progress.show(`Checking the file: ${Math.floor(share * 100)} %`),
  ).finally(() => progress.clear());
  refuseNewerSchema(backup.manifest);
  refuseOtherFiles(Object.keys(backup.checksums.entries));
  const hasPlugins = Object.keys(backup.manifest.pluginMigrations).length > 0;
  const plugins = hasPlugins ? await namedPlugins(config) : [];
  refuseOtherPlugins(backup.manifest, plugins);
  refuseMissingKeyIds(backup.manifest);
  if (withSecrets) await refuseOtherKeys(backup.manifest, config);
  if (backup.manifest.files === 's3' && !config.storage.s3) {
    throw new BackupError(
      'The files of this backup are in the S3 bucket it was made with: set S3_ENDPOINT, S3_BUCKET and its keys. Nothing was changed.',
    );
  }
  return { ...backup, plugins };
}

function refuseMissingKeyIds({ keyIds }: Manifest): void {
  if (keyIds.length > 0) return;
  throw new BackupError(
    'The backup names no encryption key: nothing was changed. Prosa makes no such backup; use another copy of the file.',
  );
}

async function refuseOtherKeys({ keyIds }: Manifest, config: Config): Promise<void> {
  const { dataDir } = config.database;
  const keys = (await findEncryptionKeys(config.security.encryptionKeys, dataDir)) ?? [];
  const known = new Set(keys.map((key) => keyIdOf(key)));
  if (keyIds.every((id) => known.has(id))) return;
  const what =
    keys.length === 0 ? 'There is no encryption key here' : 'The encryption key here is another one';
  throw new BackupError(
    `${what}, and without the one of the backup its secrets (headers of tools, SIP passwords, webhook secrets) stay sealed: ` +
      `set ENCRYPTION_KEY as it was, or copy the file encryption.key of that installation to ${dataDir}. Where that key is lost, ` +
      '--without-secrets restores everything else. Nothing was changed.',
  );
}

/**
 * Puts a backup that was read into the database, and its files where this installation keeps files.
 *
 * @param replace whether accounts that are there may go
 * @throws BackupError in sentences; nothing has changed then
 */
export async function restoreBackup(
  config: Config,
  databaseUrl: string,
  {
    path,
    backup,
    replace,
    withSecrets,
  }: {
    readonly path: string;
    readonly backup: ReadBackup;
    readonly replace: boolean;
    readonly withSecrets: boolean;
  },
  progress: Progress,
): Promise<Restored> {
  const { manifest, checksums, plugins } = backup;
  const load = await DatabaseLoad.open(databaseUrl);
  const files = openFilesTarget(config);
  try {
    await load.refuseRunning();
    refuseContent(await load.content(ARE_ACCOUNTS_THERE), replace);
    await load.begin(manifest, plugins);
    const stored = await readInto(path, manifest, load, files, progress);
    await load.complete(manifest, checksums);
    await load.run(END_CALLS_OF_BACKUP);
    const stoppedCampaigns = await load.run(STOP_RUNNING_CAMPAIGNS);
    const lostSecrets = withSecrets
      ? new Map<string, number>()
      : await forgetLostSecrets(load, manifest, SEALED_COLUMNS, await secretBox(config));
    await load.commit();
    await files.commit();
    const rows = Object.values(checksums.rows).reduce((sum, each) => sum + each, 0);
    return { rows, files: stored, stoppedCampaigns, lostSecrets, manifest };
  } finally {
    progress.clear();
    await load.close();
    await files.close();
  }
}

/** Where no key is left, a new one is made. */
async function secretBox({ security, database }: Config): Promise<SecretBox> {
  const { dataDir } = database;
  const keys = await findEncryptionKeys(security.encryptionKeys, dataDir);
  return new SecretBox(keys ?? [await makeEncryptionKey(dataDir)]);
}

function refuseContent(content: 'nothing' | 'accounts' | 'something else', replace: boolean): void {
  if (content === 'something else') {
    throw new BackupError('This database holds tables that are not those of Prosa: choose another one.');
  }
  if (content === 'accounts' && !replace) {
    throw new BackupError(
      'There are accounts in this database: restore into an empty one, or say --replace, which deletes all that is there.',
    );
  }
}

/** Returns how many files there were. */
async function readInto(
  path: string,
  { tables }: Manifest,
  load: DatabaseLoad,
  files: FilesTarget,
  progress: Progress,
): Promise<number> {
  const tableOf = new Map(tables.map((table) => [table.name, table]));
  let stored = 0;
  for await (const entry of readEntries(path)) {
    progress.show(`Restoring ${entry.name}`);
    const [kind, name = ''] = entry.name.split('/');
    const table = kind === 'tables' ? tableOf.get(name) : undefined;
    if (table) await load.load(table, entry);
    else if (entry.name.startsWith(FILES)) {
      await files.put(entry);
      stored++;
    } else entry.content.resume();
  }
  return stored;
}
