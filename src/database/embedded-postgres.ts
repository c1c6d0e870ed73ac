import { setTimeout as sleep } from 'node:timers/promises';
import { isServerAway } from './embedded/admin-connection.js';
import type { ClusterServer } from './embedded/cluster-server.js';
import { EmbeddedPostgresError, messageOf } from './embedded/embedded-postgres.error.js';
import { Ownership } from './embedded/ownership.js';
import { prepareServer } from './embedded/prepare-server.js';
import { DATABASE, ensureProsaDatabase, ROLE } from './embedded/prosa-database.js';

const NOTICE_AFTER_MS = 2_000;
const REVIVAL_PAUSES_MS = [100, 500, 2_000, 10_000] as const;

export interface EmbeddedPostgresOptions {
  /** Prosa's DATA_DIR. The database takes `postgres/` and `postgres.log` in it. */
  dataDir: string;
  /** Chosen among 5440 to 5499 and kept when not given. */
  port?: number;
  /** Takes a sentence when a step is long or something unusual happens. */
  log: (line: string) => void;
  /**
   * When another process runs the database, use it and leave its end to that process, instead of refusing:
   * for commands given beside a running Prosa.
   */
  joinRunning?: boolean;
  /** False makes writing faster and loses data in a crash. For tests only. */
  durable?: boolean;
  /** The folder of PostgreSQL's programs, found through the dependency when not given. */
  packageDir?: string;
}

/**
 * The PostgreSQL that Prosa runs by itself when DATABASE_URL is not set. The server is a process of its own, out of
 * reach of Ctrl-C, which survives a killed Prosa; the next start then adopts it. One process at a time owns it and
 * stops it at its end. The programs are run directly: the class of the `embedded-postgres` package stops the server at
 * SIGTERM, before Prosa has drained. Should the server die meanwhile, its owner starts it again on the same port.
 */
export class EmbeddedPostgres {
  /**
   * Of Prosa's database, under a role that owns it and is no superuser; by the server's Unix socket where there is one, over
   * which a statement costs a third less than over TCP.
   */
  readonly url: string;
  /** Of the maintenance database, under the superuser. */
  readonly adminUrl: string;
  readonly port: number;
  /** Whether the server ran already. */
  readonly adopted: boolean;
  readonly #server: ClusterServer;
  readonly #log: (line: string) => void;
  readonly #stopping = new AbortController();
  #ownership: Ownership | null = null;
  #revival: Promise<void> | null = null;
  #stopped: Promise<void> | null = null;

  private constructor(
    server: ClusterServer,
    running: { port: number; adopted: boolean },
    socketFolder: string | null,
    log: (line: string) => void,
  ) {
    const { port, adopted } = running;
    this.#server = server;
    this.#log = log;
    this.port = port;
    this.adopted = adopted;
    const bySocket = socketFolder === null ? '' : `?host=${encodeURIComponent(socketFolder)}`;
    this.url = `postgres://${ROLE}:${server.password}@127.0.0.1:${port}/${DATABASE}${bySocket}`;
    this.adminUrl = `postgres://postgres:${server.access(port).password}@127.0.0.1:${port}/postgres`;
  }

  /** @throws EmbeddedPostgresError with a sentence for the operator. */
  static async start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
    try {
      const { log, durable = true } = options;
      const preparing = prepareServer({ ...options, durable });
      const server = await withNotice(log, 'Preparing the database (first start only)…', preparing);
      return await EmbeddedPostgres.#open(server, options);
    } catch (error) {
      if (error instanceof EmbeddedPostgresError) throw error;
      throw new EmbeddedPostgresError(
        `The embedded PostgreSQL could not be started (${messageOf(error)}): check DATA_DIR (${options.dataDir}), or set DATABASE_URL to an existing PostgreSQL.`,
        { cause: error },
      );
    }
  }

  static async #open(server: ClusterServer, options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
    const { port, log } = options;
    const running = await withNotice(log, 'Waiting for the database…', server.ensureRunning(port));
    const database = new EmbeddedPostgres(server, running, await server.socketFolder(running.port), log);
    let owner: string | null;
    try {
      owner = await database.#claim();
    } catch (error) {
      if (!isServerAway(error)) throw error;
      // Its owner stopped it between the two steps, as when one Prosa ends and the next begins.
      return EmbeddedPostgres.#open(server, options);
    }
    if (owner !== null) {
      if (options.joinRunning) return database;
      throw new EmbeddedPostgresError(
        `Another Prosa (${owner}) is running on the data in ${options.dataDir}: stop it first, or choose another DATA_DIR.`,
      );
    }
    try {
      // Left running by a killed process which had another port.
      if (port !== undefined && running.port !== port) {
        await database.stop();
        return await EmbeddedPostgres.#open(server, options);
      }
      await ensureProsaDatabase(server.access(running.port), server.password, log);
      return database;
    } catch (error) {
      await database.stop();
      throw error;
    }
  }

  /** Stops the server if this process owns it. Safe to call again; ends within half a minute. */
  stop(): Promise<void> {
    this.#stopped ??= this.#shutDown();
    return this.#stopped;
  }

  async #shutDown(): Promise<void> {
    this.#stopping.abort();
    await this.#revival;
    if (!this.#ownership) return;
    this.#ownership.release();
    await this.#server.stop();
    await this.#ownership.close();
  }

  /** Returns the present owner's name, or null when that is this process now. */
  async #claim(): Promise<string | null> {
    const claim = await Ownership.claim(this.#server.access(this.port), () => this.#handleLoss());
    if (!(claim instanceof Ownership)) return claim.owner;
    this.#ownership = claim;
    return null;
  }

  #handleLoss(): void {
    if (this.#stopping.signal.aborted) return;
    this.#ownership = null;
    this.#revival = this.#revive();
  }

  async #revive(): Promise<void> {
    this.#log('The database has stopped unexpectedly: starting it again.');
    const { signal } = this.#stopping;
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      try {
        await this.#server.ensureRunning(this.port);
        const owner = await this.#claim();
        this.#log(
          owner === null ? 'The database is back.' : `The database now belongs to another Prosa (${owner}).`,
        );
        return;
      } catch (error) {
        this.#log(`The database could not be started again: ${messageOf(error)}`);
      }
      const pauseMs = REVIVAL_PAUSES_MS[Math.min(attempt, REVIVAL_PAUSES_MS.length - 1)];
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Says what is going on when a step takes long enough to make one wonder. */
async function withNotice<T>(log: (line: string) => void, notice: string, step: Promise<T>): Promise<T> {
  const timer = setTimeout(() => log(notice), NOTICE_AFTER_MS);
  try {
    return await step;
  } finally {
    clearTimeout(timer);
  }
}
