import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DrainRegistry } from '../common/http/connections/drain-registry.js';
import { DrainService } from '../common/http/connections/drain.service.js';
import type { Logger } from '../common/observability/logger.js';
import type { Config } from '../config/config.js';
import { publicOriginOf } from '../config/public-origin.js';
import { EmbeddedPostgres, type EmbeddedPostgresOptions } from '../database/embedded/embedded-postgres.js';
import { waitForDatabase } from '../database/preparation/wait-for-database.js';
import { whilePreparing } from '../database/preparation/preparation-lock.js';
import { CallVoiceService } from '../modules/voice-server/call-voice.service.js';
import { CatalogService } from '../modules/catalog/catalog.service.js';
import { type AnsweringModel, ChatModelRegistry } from '../providers/llm/chat-model-registry.js';
import { namedPlugins } from '../plugins/named-plugins.js';
import { reportProblems } from '../doctor/report-problems.js';
import { createApp } from './create-app.js';
import { areAccountsThere, checkKeys } from './first-start/database-keys.js';
import { encryptionKeys } from './first-start/encryption-keys.js';
import { ForkedVoice } from './forked-voice.js';
import {
  type FirstAccount,
  firstAccountIsShown,
  isFirstAccountNamed,
  openFirstAccount,
} from './first-start/first-account.js';
import { OperationsServer } from './operations-server.js';
import { PAUSED } from './paused.js';
import { PortTakenError } from './port-taken.error.js';
import { prepareDatabase } from './prepare-database.js';
import { warnOfSeparateFiles } from './shared-files.js';
import type { Tracing } from './start-tracing.js';
import { requireVoicePackages } from './voice-packages.js';

/** The start does not wait longer for its voice processes. */
const VOICE_START_MS = 60_000;

export interface RunningProsa {
  /** Where the API is reached; null in a process without the api role. */
  readonly url: string | null;
  /** Where health and metrics are reached apart from it; null without a port of their own. */
  readonly operationsUrl: string | null;
  /** The model that answers the assistants of a first start, as its server calls it; null for the sandbox. */
  readonly model: AnsweringModel | null;
  /** What a first start has made, to be shown once. */
  readonly firstAccount: FirstAccount | null;
  /**
   * Waits until calls with audio are accepted without delay: the engine is loaded here, and in the forked processes.
   *
   * @returns false where that has not happened in time; they go on starting
   */
  voiceIsReady(): Promise<boolean>;
  /** To be called once `firstAccount` has been shown; until then each start makes a new key to show. */
  firstAccountIsShown(): Promise<void>;
  /**
   * Takes no new calls and jobs. Serves requests for `SHUTDOWN_DELAY_SECONDS` more, closes the public port, and lets running
   * requests finish, then running jobs, each within `SHUTDOWN_TIMEOUT_SECONDS`. It stops the embedded database last. A job
   * that is cut short is taken up by another process, or at the next start.
   */
  stop(): Promise<void>;
}

/** Hears of the embedded database as soon as it is being started: it has to be stopped also where the start is not waited for. */
export type OnDatabase = (database: Promise<Pick<EmbeddedPostgres, 'stop'>>) => void;

/** Brings the roles of the configuration up: database, schema, application, first account. */
export async function startProsa(
  config: Config,
  logger: Logger,
  say: (line: string) => void,
  onDatabase: OnDatabase,
): Promise<RunningProsa> {
  // The voice role includes those of forked processes.
  if (config.server.roles.has('voice') || config.voice.forks > 0) requireVoicePackages(import.meta.url);
  const plugins = await namedPlugins(config);
  // Before the database, which may be away or need a long migration.
  const operations = await OperationsServer.open(config.server, logger);
  const dataDir = resolve(config.database.dataDir);
  const embedded = config.database.url
    ? null
    : await embeddedDatabase({ dataDir, port: config.database.embeddedPort, log: say }, onDatabase);
  const databaseUrl = config.database.url ?? embedded?.url ?? '';
  let app: NestExpressApplication | null = null;
  let tracing: Tracing | null = null;
  try {
    await waitForDatabase({ databaseUrl, say, waitMs: config.database.waitMs });
    const keys = await encryptionKeys(config.security.encryptionKeys, dataDir, () =>
      areAccountsThere(databaseUrl),
    );
    const [secret = ''] = keys;
    tracing = await tracingOf(config, secret);
    const preparation = { databaseUrl, say, warn: (line: string) => logger.warn(line) };
    const applied = await prepareDatabase(preparation, plugins, () => checkKeys(databaseUrl, keys));
    if (applied.length > 0) logger.info('migrations applied', { applied });
    warnOfSeparateFiles(config, logger);
    if (config.server.isPaused) logger.warn(PAUSED);
    const ready = await createApp({ config, logger, databaseUrl, encryptionKeys: keys, plugins });
    app = ready;
    await ready.init();
    const hasFirstAccount = embedded !== null || isFirstAccountNamed(config);
    const firstAccount = hasFirstAccount
      ? await whilePreparing(preparation, () => openFirstAccount(ready, config))
      : null;
    const url = config.server.roles.has('api') ? await listen(ready, config) : null;
    operations?.serve(ready);
    const [preferred] = ready.get(CatalogService).models('llm');
    const model = await ready.get(ChatModelRegistry, { strict: false }).answeringModel(preferred?.code ?? '');
    // Last, as the start need not wait for it.
    const voice = ForkedVoice.start({ config, databaseUrl, encryptionKeys: keys, say });
    process.once('exit', () => voice.kill());
    void reportProblems(ready, config, logger);
    return {
      url,
      operationsUrl: operations?.url ?? null,
      model,
      firstAccount,
      voiceIsReady: () => voiceIsReady(ready, config, voice),
      firstAccountIsShown: async () => {
        if (firstAccount) await firstAccountIsShown(ready, firstAccount);
      },
      stop: async () => {
        try {
          await stop(ready, embedded, config, logger, voice);
        } finally {
          // Last, so that readiness can be asked for until the end.
          operations?.close();
          await tracing?.stop();
        }
      },
    };
  } catch (error) {
    operations?.close();
    await stop(app, embedded, config, logger);
    await tracing?.stop();
    throw error;
  }
}

function embeddedDatabase(
  options: EmbeddedPostgresOptions,
  onDatabase: OnDatabase,
): Promise<EmbeddedPostgres> {
  const database = EmbeddedPostgres.start(options);
  onDatabase(database);
  return database;
}

/** Its libraries are loaded where they are wanted alone. */
async function tracingOf({ tracing }: Config, secret: string): Promise<Tracing | null> {
  if (tracing.endpoint === undefined) return null;
  const { startTracing } = await import('./start-tracing.js');
  return startTracing(tracing, secret);
}

async function voiceIsReady(
  app: NestExpressApplication,
  { server }: Config,
  forked: ForkedVoice,
): Promise<boolean> {
  const own = server.roles.has('voice') ? app.get(CallVoiceService, { strict: false }).loaded() : undefined;
  const isReady = Promise.all([own, forked.ready()]).then(() => true);
  return Promise.race([isReady, sleep(VOICE_START_MS, false, { ref: false })]);
}

async function listen(app: NestExpressApplication, { server }: Config): Promise<string> {
  try {
    await app.listen(server.port, server.host);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
      throw new PortTakenError(
        `Port ${server.port} is in use: stop what listens there, or choose another with PORT.`,
      );
    }
    throw error;
  }
  const { port } = app.getHttpServer().address() as AddressInfo;
  return publicOriginOf(server, port);
}

async function stop(
  app: NestExpressApplication | null,
  embedded: EmbeddedPostgres | null,
  config: Config,
  logger: Logger,
  voice?: ForkedVoice,
): Promise<void> {
  if (app) {
    const { shutdownTimeoutMs: limitMs, callDrainMs } = config.server;
    // Other processes than those of the API have no public port that balancers would have to leave.
    const delayMs = config.server.roles.has('api') ? config.server.shutdownDelayMs : 0;
    const [unfinished, cut] = await Promise.all([
      finishRequests(app, delayMs, limitMs),
      app.get(DrainRegistry).drainAll(delayMs + callDrainMs),
      voice?.stop(),
    ]);
    if (unfinished > 0) logger.warn('requests were cut at shutdown', { unfinished });
    const calls = cut.get('calls') ?? 0;
    if (calls > 0) logger.warn('calls were hung up at shutdown', { calls });
    const closing = app.close().then(() => true);
    if (!(await Promise.race([closing, sleep(limitMs, false)]))) logger.warn('jobs were cut at shutdown');
  }
  await embedded?.stop();
}

/** The port of the operator, and connections of calls, stay open. Returns how many requests were still running at the end. */
async function finishRequests(
  app: NestExpressApplication,
  delayMs: number,
  limitMs: number,
): Promise<number> {
  const drain = app.get(DrainService);
  drain.leave();
  await sleep(delayMs);
  app.getHttpServer().close();
  return drain.close(limitMs);
}
