import { setTimeout as sleep } from 'node:timers/promises';
import { removeUnfinished } from './cluster.js';
import { ClusterServer } from './cluster-server.js';
import { EmbeddedPostgresError, messageOf } from './embedded-postgres.error.js';
import { DATABASE, ensureProsaDatabase, ROLE } from './prosa-database.js';
import { isServerAway, Ownership } from './server-session.js';

const NOTICE_AFTER_MS = 2_000;
const AWAY_LIMIT = 300;
const AWAY_PAUSE_MS = 50;
const REVIVAL_PAUSE_MS = 2_000;

export interface EmbeddedPostgresOptions {
  /** Prosa's DATA_DIR. The database takes `postgres/` and `postgres.log` in it. */
  dataDir: string;
  /** Chosen among 5440 to 5499 and kept when not given. */
  port?: number;
  /** Takes a sentence when a step is long or something unusual happens. */
  log: (line: string) => void;
  /**
   * When another process runs the database, use it and leave its end to that process, instead of refusing:
   * for commands that run while Prosa runs.
   */
  joinRunning?: boolean;
  /** False makes writing faster and loses data in a crash. For tests only. */
  durable?: boolean;
  /** The folder of PostgreSQL's programs, found through the dependency when not given. */
  packageDir?: string;
}

/**
 * The PostgreSQL that Prosa runs by itself when DATABASE_URL is not set. The server is a process of its own, out of
 * reach of Ctrl-C. One process at a time owns it and stops it at its end. The next start stops a server whose owner
 * was killed, and launches another. While processes of the killed Prosa still work with it, it is kept. The programs
 * are run directly: the class of the `embedded-postgres` package stops the server at SIGTERM, before Prosa has
 * drained. When the server dies, its owner starts it again on the same port.
 */
export class EmbeddedPostgres {
  /**
   * The URL of Prosa's database, under a role that owns it and is no superuser. It uses the server's Unix socket
   * where there is one: a statement costs a third less than over TCP.
   */
  readonly url: string;
  /** Of the maintenance database, under the superuser. */
  readonly adminUrl: string;
  readonly #stopping = new AbortController();
  #ownership: Ownership | null = null;
  #revival: Promise<void> | null = null;
  #stopped: Promise<void> | null = null;

  private constructor(
    readonly port: number,
    socketFolder: string | null,
    private readonly server: ClusterServer,
    private readonly log: (line: string) => void,
  ) {
    const bySocket = socketFolder === null ? '' : `?host=${encodeURIComponent(socketFolder)}`;
    this.url = `postgres://${ROLE}:${server.password}@127.0.0.1:${port}/${DATABASE}${bySocket}`;
    this.adminUrl = `postgres://postgres:${server.access(port).password}@127.0.0.1:${port}/postgres`;
  }

  /** @throws EmbeddedPostgresError with a sentence for the operator. */
  static async start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
    const { dataDir, log, durable = true } = options;
    const notice = setTimeout(() => log('Preparing the database…'), NOTICE_AFTER_MS);
    try {
      return await EmbeddedPostgres.#open(await ClusterServer.prepare({ ...options, durable }), options);
    } catch (error) {
      if (error instanceof EmbeddedPostgresError) throw error;
      throw new EmbeddedPostgresError(
        `The embedded PostgreSQL could not be started (${messageOf(error)}): check DATA_DIR (${dataDir}), or set DATABASE_URL to an existing PostgreSQL.`,
        { cause: error },
      );
    } finally {
      clearTimeout(notice);
    }
  }

  static async #open(server: ClusterServer, options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
    // A loss before there is a database to revive is seen by the statement that fails.
    let handleLoss = () => {};
    const { port, claim } = await acquire(server, options.port, () => handleLoss());
    const database = new EmbeddedPostgres(port, await server.socketFolder(port), server, options.log);
    if (!(claim instanceof Ownership)) {
      if (options.joinRunning) return database;
      throw new EmbeddedPostgresError(
        `Another Prosa (${claim.owner}) is running on the data in ${options.dataDir}: stop it first, or choose another DATA_DIR.`,
      );
    }
    database.#ownership = claim;
    handleLoss = () => database.#handleLoss();
    try {
      await removeUnfinished(server.clusterDir);
      await ensureProsaDatabase(server.access(port), server.password, options.log);
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
    await this.server.stop();
    await this.#ownership.close();
  }

  #handleLoss(): void {
    if (this.#stopping.signal.aborted) return;
    this.#ownership = null;
    this.#revival = this.#revive();
  }

  async #revive(): Promise<void> {
    this.log('The database has stopped unexpectedly: starting it again.');
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        const { claim } = await acquire(this.server, this.port, () => this.#handleLoss());
        if (claim instanceof Ownership) this.#ownership = claim;
        this.log(
          claim instanceof Ownership
            ? 'The database is back.'
            : `The database now belongs to another Prosa (${claim.owner}).`,
        );
        return;
      } catch (error) {
        this.log(`The database could not be started again: ${messageOf(error)}`);
      }
      await sleep(REVIVAL_PAUSE_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Has the server run and owns it, or tells who does. */
async function acquire(
  server: ClusterServer,
  wantedPort: number | undefined,
  onLost: () => void,
): Promise<{ port: number; claim: Ownership | { owner: string } }> {
  let refusal: unknown;
  for (let attempt = 0; attempt < AWAY_LIMIT; attempt += 1) {
    const { port, launched } = await server.ensureRunning(wantedPort);
    try {
      const claim = await Ownership.claim(server.access(port), onLost);
      if (!(claim instanceof Ownership) || launched || (await claim.isServerInUse())) return { port, claim };
      // Left by a killed Prosa, with the settings and the port of that one.
      claim.release();
      await server.stop();
      await claim.close();
    } catch (error) {
      // Its owner stopped it between the two steps, as when one Prosa ends and the next begins.
      if (error instanceof EmbeddedPostgresError) throw error;
      refusal = error;
      if (!isServerAway(error)) break;
      await sleep(AWAY_PAUSE_MS);
    }
  }
  throw new EmbeddedPostgresError(
    `The file ${server.clusterDir}/postmaster.pid names a server of this database which does not let Prosa in (${messageOf(refusal)}): ` +
      'stop that process if it is PostgreSQL, delete the file if it is not, and start again.',
    { cause: refusal },
  );
}
