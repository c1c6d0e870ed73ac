import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { loadConfig } from '../config/load.js';
import { requireOwner } from '../database/preparation/database-role.js';
import { migrate } from '../database/preparation/migrate.js';
import { whilePreparing } from '../database/preparation/preparation-lock.js';
import type { Database } from '../database/database.js';
import { withDatabase } from '../database/open-database.js';
import { AuditLogRepository } from '../modules/audit/audit-log.repository.js';
import { OperatorLogService } from '../modules/audit/operator/operator-log.service.js';
import { VectorIndexesRepository } from '../modules/knowledgebases/retrieval/vector-indexes.repository.js';
import type { EmbeddingSpace } from '../providers/embeddings/embeddings.js';
import { orUsage, runCommand } from './command-line.js';
import { asOwner, withDatabaseOfCommand } from './database-of-command.js';

const USAGE = `Usage: npm run vector-index

Builds the index of pgvector for the embedding model of this environment (EMBEDDINGS_MODEL, EMBEDDINGS_DIMENSIONS), in parallel with
reads and writes, with Prosa running or not. Until it is there vectors are searched without it. Where the role of DATABASE_URL does not
own the tables, MIGRATION_DATABASE_URL names the one that does.
`;

const LOOK_EVERY_MS = 1_000;

const DONE = {
  built: 'The vector index is built. Running processes use it within a minute.',
  ready: 'The vector index is there already.',
  busy: 'Another process is building the vector index.',
} as const;

/** A reason why there is nothing to build: its message is for the operator. */
class NothingToBuildError extends Error {}

async function build(database: Database, space: EmbeddingSpace): Promise<string> {
  const indexes = new VectorIndexesRepository(database);
  const log = new OperatorLogService(new AuditLogRepository(database));
  if (!indexes.canIndex(space))
    throw new NothingToBuildError(`pgvector indexes at most 2,000 dimensions; ${space.model} has more.`);
  if (!(await indexes.isPgvectorThere()))
    throw new NothingToBuildError(
      'The database offers no pgvector of 0.8 or newer: vectors are searched without an index.',
    );
  const timer = setInterval(() => void show(indexes), LOOK_EVERY_MS);
  try {
    return DONE[await log.run({ userId: null, action: 'vector-index' }, () => indexes.build(space))];
  } finally {
    clearInterval(timer);
  }
}

async function show(indexes: VectorIndexesRepository): Promise<void> {
  try {
    const progress = await indexes.progress();
    if (!progress) return;
    const { phase, blocksDone, blocksTotal } = progress;
    const share = blocksTotal > 0 ? ` ${Math.floor((100 * blocksDone) / blocksTotal)} %` : '';
    console.error(`${phase}${share}`);
  } catch (error) {
    console.error(`progress is not known: ${String(error)}`);
  }
}

/** Runs with or without a running Prosa. */
async function main(): Promise<void> {
  const config = loadConfig();
  const { model, dimensions } = config.embeddings;
  if (model === undefined || dimensions === undefined)
    throw new NothingToBuildError(
      'EMBEDDINGS_MODEL and EMBEDDINGS_DIMENSIONS are not set: there are no vectors.',
    );
  await withDatabaseOfCommand(asOwner(config.database), { mayJoin: true }, async (url) => {
    const say = (line: string) => console.error(line);
    await requireOwner(url);
    await whilePreparing({ databaseUrl: url, say }, () => migrate(url, say));
    const space = { model, dimensions };
    console.log(await withDatabase(url, (database) => build(database, space)));
  });
}

const { values } = orUsage(USAGE, () =>
  parseArgs({ options: { help: { type: 'boolean', short: 'h', default: false } } }),
);

if (values.help) process.stdout.write(USAGE);
else await runCommand(main);
