import { access, constants } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkServer, type AdminAccess } from './admin-connection.js';
import { writeClusterState, type ClusterState } from './cluster-state.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { findFreePort } from './port.js';
import { findPostmaster, type RunningPostmaster } from './postmaster-file.js';
import { launchPostmaster, stopPostmaster } from './postmaster.js';
import type { ProgramRunner } from './program-runner.js';

// Recovery after a crash reads at most about a gigabyte of log; longer than this, something is wrong.
const RECOVERY_LIMIT_MS = 10 * 60_000;
const UNKNOWN_LIMIT_MS = 15_000;
const PAUSE_MS = 50;
/** What a Unix socket's address holds on every system, the end of the text left out. */
const MAX_SOCKET_PATH = 103;

export interface ClusterServerParts {
  runner: ProgramRunner;
  /** A real path, without links. */
  clusterDir: string;
  logFile: string;
  durable: boolean;
  log: (line: string) => void;
}

/** The server of one cluster: found running or launched, and stopped. */
export class ClusterServer {
  constructor(
    private readonly parts: ClusterServerParts,
    private state: ClusterState,
  ) {}

  get clusterDir(): string {
    return this.parts.clusterDir;
  }

  /** Of the role Prosa works under. */
  get password(): string {
    return this.state.password;
  }

  access(port: number): AdminAccess {
    return { port, password: this.state.superuserPassword };
  }

  /**
   * Returns when a server of this cluster accepts connections.
   *
   * @param wantedPort the only port to launch on; a free one is chosen, and kept for later starts, without it.
   */
  async ensureRunning(wantedPort?: number): Promise<{ port: number; adopted: boolean }> {
    const begunMs = performance.now();
    while (performance.now() - begunMs < RECOVERY_LIMIT_MS) {
      const running = await findPostmaster(this.clusterDir);
      if (!running) {
        const port = await this.launch(wantedPort);
        if (port !== null) return { port, adopted: false };
      } else if (await this.answers(running, performance.now() - begunMs)) {
        return { port: running.port, adopted: true };
      }
      await sleep(PAUSE_MS);
    }
    throw new EmbeddedPostgresError(
      `The database in ${this.clusterDir} did not get ready: see ${this.parts.logFile}.`,
    );
  }

  /** Where the Unix socket of the running server is; null where none can be used. */
  async socketFolder(port: number): Promise<string | null> {
    const path = `${this.clusterDir}/.s.PGSQL.${port}`;
    if (Buffer.byteLength(path) > MAX_SOCKET_PATH) return null;
    const isUsable = await access(path, constants.R_OK | constants.W_OK).then(
      () => true,
      () => false,
    );
    return isUsable ? this.clusterDir : null;
  }

  stop(): Promise<void> {
    return stopPostmaster(this.parts.runner, this.clusterDir);
  }

  private async answers(running: RunningPostmaster, waitedMs: number): Promise<boolean> {
    const answer = running.ready ? await checkServer(this.access(running.port), this.clusterDir) : 'not-yet';
    if (answer === 'ours') return true;
    if (answer === 'not-yet' && (running.identity === 'ours' || waitedMs < UNKNOWN_LIMIT_MS)) return false;
    const file = `${this.clusterDir}/postmaster.pid`;
    throw new EmbeddedPostgresError(
      `The file ${file} says that process ${running.pid} serves this database on port ${running.port}, but it does not let Prosa in: ` +
        'stop that process if it is PostgreSQL, delete the file if it is not, and start again.',
    );
  }

  /** The port the server listens on, or null when it is worth another try. */
  private async launch(wantedPort?: number): Promise<number | null> {
    const port = await findFreePort(wantedPort ?? this.state.port);
    if (wantedPort !== undefined && port !== wantedPort) throw portTaken(wantedPort);
    if (port === null)
      throw new EmbeddedPostgresError(
        'Every port from 5440 to 5499 is taken: set EMBEDDED_PG_PORT to a free one.',
      );
    const outcome = await launchPostmaster({ ...this.parts, port, timeoutMs: RECOVERY_LIMIT_MS });
    if (outcome !== 'ready') return null;
    if (wantedPort === undefined) await this.remember(port);
    return port;
  }

  private async remember(port: number): Promise<void> {
    if (port === this.state.port) return;
    if (this.state.port)
      this.parts.log(`Port ${this.state.port} is taken: from now on the database listens on port ${port}.`);
    this.state = { ...this.state, port };
    await writeClusterState(this.clusterDir, this.state);
  }
}

function portTaken(port: number): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `Port ${port} is taken by another program, so the embedded PostgreSQL cannot listen on it: free the port, or set EMBEDDED_PG_PORT to another one.`,
  );
}
