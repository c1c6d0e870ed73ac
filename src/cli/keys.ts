import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { keysOfDatabase } from '../boot/first-start/database-keys.js';
import { findEncryptionKeys } from '../boot/first-start/encryption-keys.js';
import type { Config } from '../config/config.js';
import { loadConfig } from '../config/load.js';
import { AuditLogRepository } from '../modules/audit/audit-log.repository.js';
import { OperatorLogService } from '../modules/audit/operator/operator-log.service.js';
import { EncryptionKeyError } from '../modules/encryption-keys/encryption-key.error.js';
import type { EncryptionKeysService, KeyStatus } from '../modules/encryption-keys/encryption-keys.service.js';
import { withCommandDatabase } from './account/command-database.js';
import { orUsage, runCommand } from './command-line.js';

const USAGE = `Usage: npm run keys -- status | reseal

status  lists the ids of the encryption keys that the database needs, and how many stored secrets each has sealed.
reseal  seals every stored secret with the first key of ENCRYPTION_KEY, while Prosa runs. A key that no secret needs any
        more leaves the list. Run it once every process has the new key first.
`;

const { positionals, values } = orUsage(USAGE, () =>
  parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h', default: false } },
  }),
);

type Command = (keys: EncryptionKeysService, log: OperatorLogService) => Promise<string>;

const COMMANDS: Readonly<Record<string, Command>> = {
  status,
  reseal,
};

async function status(keys: EncryptionKeysService): Promise<string> {
  const lines = (await keys.status()).map((key) => lineOf(key));
  return lines.length > 0 ? lines.join('\n') : 'The database has no stored secrets, so it needs no key yet.';
}

function lineOf({ id, isKnown, isCurrent, values: places }: KeyStatus): string {
  const counts = Object.entries(places).map(([place, count]) => `${place} ${count}`);
  const state = isCurrent ? 'seals new secrets' : isKnown ? 'opens secrets' : 'MISSING in this environment';
  return `${id}  ${state}: ${counts.length > 0 ? counts.join(', ') : 'no secrets'}`;
}

async function reseal(keys: EncryptionKeysService, log: OperatorLogService): Promise<string> {
  await keys.check();
  const { resealed, unreadable, removed, inUse } = await log.run(
    { userId: null, action: 'keys.reseal' },
    () => keys.reseal(),
  );
  const lines = [`${resealed} secrets are sealed with the first key now.`];
  if (unreadable > 0) lines.push(`${unreadable} secrets open with none of the keys and stay as they were.`);
  for (const id of removed)
    lines.push(`No secret needs the key ${id} any more: take it out of ENCRYPTION_KEY.`);
  for (const id of inUse) {
    lines.push(
      `A process has sealed with the key ${id} in the last two minutes: give every process the new key first, wait two ` +
        'minutes, and run this again.',
    );
  }
  return lines.join('\n');
}

async function main(command: Command): Promise<string> {
  const config: Config = loadConfig();
  const keys = await findEncryptionKeys(config.security.encryptionKeys, config.database.dataDir);
  if (!keys)
    throw new EncryptionKeyError(
      `There is no encryption key in ${config.database.dataDir}: set ENCRYPTION_KEY.`,
    );
  return withCommandDatabase(config.database, (database) =>
    command(keysOfDatabase(database, keys), new OperatorLogService(new AuditLogRepository(database))),
  );
}

const [name = ''] = positionals;
const command = COMMANDS[name];
if (values.help || !command || positionals.length > 1) {
  process.stdout.write(USAGE);
  process.exitCode = values.help ? 0 : 1;
} else {
  await runCommand(async () => console.log(await main(command)));
}
