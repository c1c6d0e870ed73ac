import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { prepareDatabase } from '../boot/prepare-database.js';
import { loadDatabaseConfig } from '../config/load.js';
import { prosaVersion } from '../config/prosa-version.js';
import { namedPlugins } from '../plugins/named-plugins.js';
import { orUsage, runCommand } from './command-line.js';
import { asOwner, withDatabaseOfCommand } from './database-of-command.js';

const USAGE = `Usage: npm run migrate

Brings the database to this release: migrations, SQL functions, the schema of the job queue and the tables of the plugins
in PROSA_PLUGINS. It may run next to running processes, and again. A role that owns the tables is needed: that of
MIGRATION_DATABASE_URL, else that of DATABASE_URL. Processes with another role then only compare at their start.
`;

const say = (line: string) => console.log(line);

async function main(): Promise<string> {
  const config = loadDatabaseConfig();
  const plugins = await namedPlugins(config);
  const { database } = config;
  return withDatabaseOfCommand(
    asOwner(database),
    { mayJoin: true, waitMs: database.waitMs },
    async (databaseUrl) => {
      const applied = await prepareDatabase({ databaseUrl, say, progress: say }, plugins);
      const count = applied.length === 1 ? '1 migration' : `${applied.length} migrations`;
      return `The database is prepared for Prosa ${prosaVersion}: ${count} applied.`;
    },
  );
}

const { values } = orUsage(USAGE, () =>
  parseArgs({ options: { help: { type: 'boolean', short: 'h', default: false } } }),
);

if (values.help) process.stdout.write(USAGE);
else await runCommand(async () => say(await main()));
