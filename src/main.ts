import 'reflect-metadata';
import { announcerTo } from './boot/announcer.js';
import { banner, progressLine } from './boot/banner.js';
import { DATABASE_AWAY, ProcessEnd, UNEXPECTED_FAULT } from './boot/process-end.js';
import { PortTakenError } from './boot/port-taken.error.js';
import { startProsa } from './boot/start-prosa.js';
import { sayReady } from './boot/supervised-process.js';
import { VoicePackagesError } from './boot/voice-packages.js';
import { LogDestination } from './common/observability/log-destination.js';
import { Logger } from './common/observability/logger.js';
import { prettyLines } from './common/observability/pretty-line.js';
import type { Config } from './config/config.js';
import { EnvironmentError } from './config/environment.js';
import { loadConfig, variablesOfProcess } from './config/load.js';
import { EmbeddedPostgresError } from './database/embedded/embedded-postgres.error.js';
import { UnreleasedDatabaseError } from './database/preparation/migrate.js';
import { NewerDatabaseError } from './database/preparation/newer-release.js';
import { PluginMigrationError } from './database/preparation/migrate-plugins.js';
import { PreparationTimeoutError } from './database/preparation/preparation-lock.js';
import { DatabaseAwayError, DatabaseStartError } from './database/preparation/wait-for-database.js';
import { TransactionPoolerError } from './database/pool/transaction-pooler.js';
import { PluginError } from './plugins/plugin.error.js';
import { JobHandlersError } from './queues/workers/job-handlers.error.js';
import { EncryptionKeyError } from './modules/encryption-keys/encryption-key.error.js';
import { CatalogFileError } from './modules/catalog/catalog-file.js';

/** Mistakes of the surroundings, whose message is a complete sentence: no stack and no second start helps. */
const PLAIN_ERRORS = [
  EnvironmentError,
  DatabaseStartError,
  EncryptionKeyError,
  EmbeddedPostgresError,
  PortTakenError,
  CatalogFileError,
  JobHandlersError,
  NewerDatabaseError,
  PluginError,
  PluginMigrationError,
  PreparationTimeoutError,
  TransactionPoolerError,
  UnreleasedDatabaseError,
  VoicePackagesError,
];

const startedAt = performance.now();
const say = announcerTo(process.stdout, variablesOfProcess());

// The reader of our output may be gone before we are; that must not interrupt the shutdown.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

try {
  await main();
} catch (error) {
  const code = exitCodeOf(error);
  const isPlain = code !== UNEXPECTED_FAULT && error instanceof Error;
  process.stderr.write(`\n${isPlain ? error.message : String((error as Error).stack ?? error)}\n`);
  process.exit(code);
}

function exitCodeOf(error: unknown): number {
  if (error instanceof DatabaseAwayError) return DATABASE_AWAY;
  return PLAIN_ERRORS.some((type) => error instanceof type) ? 1 : UNEXPECTED_FAULT;
}

async function main(): Promise<void> {
  const config: Config = loadConfig();
  const format = process.stdout.isTTY ? prettyLines(process.stdout.hasColors()) : undefined;
  const log = new LogDestination(process.stdout.fd, undefined, format);
  const logger = Logger.create(config.server.logLevel, log);
  const end = new ProcessEnd({
    logger,
    log,
    delayMs: config.server.shutdownDelayMs,
    drainMs: config.server.shutdownTimeoutMs,
    callDrainMs: config.server.callDrainMs,
    say,
  });
  end.watch();
  const prosa = await end.whileStarting((onDatabase) => startProsa(config, logger, say, onDatabase));
  const progress = progressLine(prosa, config);
  if (progress !== null) say(progress);
  const isVoiceReady = await prosa.voiceIsReady();
  say(banner(prosa, config, performance.now() - startedAt, isVoiceReady));
  sayReady();
  await prosa.firstAccountIsShown();
}
