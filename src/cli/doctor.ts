import 'reflect-metadata';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Config } from '../config/config.js';
import { EnvironmentError } from '../config/environment.js';
import { loadConfig } from '../config/load.js';
import { EmbeddedPostgresError } from '../database/embedded/embedded-postgres.error.js';
import { DatabaseStartError } from '../database/preparation/wait-for-database.js';
import { type Check, failure, ok } from '../doctor/check.js';
import { databaseChecks, surroundingChecks } from '../doctor/checks-of.js';
import { type CheckFinding, runChecks } from '../doctor/run-checks.js';
import { storageFrom } from '../providers/storage/storage.module.js';
import { orUsage } from './command-line.js';
import { withDatabaseOfCommand } from './database-of-command.js';

const USAGE = `Usage: npm run doctor

Checks what Prosa needs with the variables of this environment, also while Prosa runs: the database, its role and its
release, the encryption key, clocks, ports, the disk, the storage of files, the job queue, proxies, and the keys of the
model and of speech. It prints a sentence for each and no secret. It writes one small file into the storage and deletes
it, and changes nothing else. The exit code is 1 after a failure.
`;

const LABELS = { ok: 'ok     ', warning: 'WARNING', failure: 'FAILURE' } as const;
const NAME_WIDTH = 9;

const { values } = orUsage(USAGE, () =>
  parseArgs({ options: { help: { type: 'boolean', short: 'h', default: false } } }),
);

async function main(config: Config): Promise<CheckFinding[]> {
  const files = storageFrom(config.storage, config.database);
  const surroundings = runChecks(surroundingChecks(config, files));
  return [...(await ofDatabase(config)), ...(await surroundings)];
}

async function ofDatabase(config: Config): Promise<CheckFinding[]> {
  const { database } = config;
  if (!database.url && !existsSync(join(database.dataDir, 'postgres')))
    return [found(ok(`There is no database in ${database.dataDir} yet: the first start creates one.`))];
  try {
    return await withDatabaseOfCommand(database, { mayJoin: true }, (url) =>
      runChecks(databaseChecks(config, url)),
    );
  } catch (error) {
    if (error instanceof DatabaseStartError || error instanceof EmbeddedPostgresError)
      return [found(failure(error.message))];
    throw error;
  }
}

function found(finding: Pick<CheckFinding, 'verdict' | 'text'>): CheckFinding {
  return { check: 'database' satisfies Check['name'], ...finding };
}

function report(findings: readonly CheckFinding[]): string {
  const lines = findings.map(
    ({ check, verdict, text }) => `${LABELS[verdict]}  ${check.padEnd(NAME_WIDTH)} ${text}`,
  );
  const count = (verdict: CheckFinding['verdict']) =>
    findings.filter((one) => one.verdict === verdict).length;
  return [...lines, '', `Failures: ${count('failure')}. Warnings: ${count('warning')}.`].join('\n');
}

if (values.help) {
  process.stdout.write(USAGE);
} else {
  let code = 1;
  try {
    const findings = await main(loadConfig());
    console.log(report(findings));
    if (findings.every(({ verdict }) => verdict !== 'failure')) code = 0;
  } catch (error) {
    console.error(error instanceof EnvironmentError ? error.message : error);
  }
  // A check that was not answered may hold a connection.
  process.exit(code);
}
