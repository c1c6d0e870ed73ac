import 'reflect-metadata';
import { banner } from './boot/banner.js';
import { PortTakenError, startProsa } from './boot/start-prosa.js';
import { Logger } from './common/observability/logger.js';
import type { Config } from './config/config.js';
import { EnvironmentError } from './config/environment.js';
import { loadConfig } from './config/load.js';
import { EmbeddedPostgresError } from './database/embedded/embedded-postgres.error.js';
import { CatalogFileError } from './modules/catalog/catalog-file.js';

/** Mistakes of the surroundings, whose message is a complete sentence: no stack helps. */
const PLAIN_ERRORS = [EnvironmentError, EmbeddedPostgresError, PortTakenError, CatalogFileError];

const startedAt = performance.now();
const say = (line: string) => void process.stdout.write(`${line}\n`);

// Whoever reads our output may be gone before we are; that must not cut the shutdown.
process.stdout.on('error', () => undefined);

try {
  await main();
} catch (error) {
  const plain = PLAIN_ERRORS.some((type) => error instanceof type);
  process.stderr.write(
    `\n${plain && error instanceof Error ? error.message : String((error as Error).stack ?? error)}\n`,
  );
  process.exit(1);
}

async function main(): Promise<void> {
  const config: Config = loadConfig();
  const logger = Logger.create(config.server.logLevel);
  const prosa = await startProsa(config, logger, say);
  say(banner(prosa, config, performance.now() - startedAt));

  let stopping = false;
  const end = async (signal: string): Promise<void> => {
    // A second signal means: now.
    if (stopping) process.exit(1);
    stopping = true;
    say(`${signal}: finishing what is running…`);
    await prosa.stop();
    say('Stopped.');
    process.exit(0);
  };
  const handle = (signal: string) =>
    void end(signal).catch((error: unknown) => {
      logger.fatal('shutdown failed', { err: error });
      process.exit(1);
    });
  process.on('SIGTERM', handle);
  process.on('SIGINT', handle);
}
