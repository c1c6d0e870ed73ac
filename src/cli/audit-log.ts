import 'reflect-metadata';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isNativeError } from 'node:util/types';
import { parseArgs } from 'node:util';
import { isWrittenDay } from '../common/time/written-day.js';
import { momentsOfDays } from '../common/time/zoned-days.js';
import { loadConfig } from '../config/load.js';
import type { Database } from '../database/database.js';
import { AccountDirectoryRepository } from '../modules/accounts/account-directory.repository.js';
import { AuditLogRepository, type LogScope } from '../modules/audit/audit-log.repository.js';
import { withCommandDatabase } from './account/command-database.js';
import { FORMATS, writtenEntries } from './audit-log/written-entries.js';
import { orUsage, runCommand } from './command-line.js';
import { inWords } from './account/written-file.js';

const USAGE = `Usage: npm run audit-log -- [--email E | --installation] [--from DAY] [--to DAY] [--format csv] [--output FILE]

Prints who signed in and who changed what, newest first: of all accounts, and the commands of the operator. It changes nothing.

--email E       the account of this e-mail alone
--installation  the commands that concern no single account alone, such as restore and keys reseal
--from, --to    first and last day, such as 2026-01-31, in UTC
--format        csv, or json for one JSON object a line
--output FILE   writes into a new file, which this user alone may read
`;

const { values } = orUsage(USAGE, () =>
  parseArgs({
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      email: { type: 'string' },
      installation: { type: 'boolean', default: false },
      from: { type: 'string' },
      to: { type: 'string' },
      format: { type: 'string', default: 'csv' },
      output: { type: 'string' },
    },
  }),
);

/** Checks the options before anything is opened. */
function readOptions() {
  const { email, from, installation, to } = values;
  const format = FORMATS.find((known) => known === values.format);
  if (!format) throw new Error(`--format must be one of: ${FORMATS.join(', ')}`);
  if (email !== undefined && installation) throw new Error('Give --email or --installation, not both.');
  for (const [name, day] of Object.entries({ from, to })) {
    if (day !== undefined && !isWrittenDay(day))
      throw new Error(`--${name} must be a day, such as 2026-01-31`);
  }
  return { format, filter: momentsOfDays(from, to, 'UTC') };
}

async function scopeOf(database: Database): Promise<LogScope> {
  if (values.installation) return 'installation';
  if (values.email === undefined) return 'all';
  const account = await new AccountDirectoryRepository(database).find(values.email);
  if (!account) throw new Error(`There is no account ${values.email}.`);
  return account.id;
}

async function write(lines: AsyncIterable<string>, path: string | undefined): Promise<void> {
  const source = Readable.from(lines, { objectMode: false });
  try {
    if (path === undefined) await pipeline(source, process.stdout, { end: false });
    else await pipeline(source, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  } catch (error) {
    // The reader of the output, such as head, has read enough.
    if (path === undefined && isNativeError(error) && 'code' in error && error.code === 'EPIPE') return;
    throw path === undefined ? error : inWords(error, path);
  }
}

async function main(): Promise<void> {
  const { format, filter } = readOptions();
  await withCommandDatabase(
    loadConfig().database,
    async (database) => {
      const scope = await scopeOf(database);
      await write(writtenEntries(new AuditLogRepository(database), scope, filter, format), values.output);
    },
    { onlyReads: true },
  );
}

if (values.help) process.stdout.write(USAGE);
else await runCommand(main);
