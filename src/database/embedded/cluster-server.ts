import { constants } from 'node:fs';
import { access, chmod, mkdir, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  adoptFilesOfRoot,
  createCluster,
  findCluster,
  readClusterState,
  writeClusterState,
  type ClusterState,
} from './cluster.js';
import { codeOf, EmbeddedPostgresError } from './embedded-postgres.error.js';
import { findFreePort } from './port.js';
import { findPostmaster } from './postmaster-file.js';
import { launchPostmaster, stopPostmaster, type Launch, type LaunchedPostmaster } from './postmaster.js';
import { findPlatformPackage, Programs } from './programs.js';
import { chooseServerAccount } from './server-account.js';
import type { ServerAccess } from './server-session.js';

// Recovery after a crash reads at most about a gigabyte of log; longer than this, something is wrong.
const READY_LIMIT_MS = 10 * 60_000;
const POLL_MS = 10;
const RETRY_PAUSE_MS = 50;
/** What a Unix socket's address holds on every system, the end of the text left out. */
const MAX_SOCKET_PATH = 103;

export interface ServerPlace {
  dataDir: string;
  durable: boolean;
  packageDir?: string;
  log: (line: string) => void;
}

/** The server of one cluster: found running or launched, and stopped. */
export class ClusterServer {
  private constructor(
    private readonly parts: Omit<Launch, 'port'>,
    private state: ClusterState,
    private readonly log: (line: string) => void,
  ) {}

  /** Everything a server needs before it can run: programs, an account, and a cluster, made at the first start. */
  static async prepare({ durable, log, ...place }: ServerPlace): Promise<ClusterServer> {
    const dataDir = await prepareDataDir(resolve(place.dataDir));
    const clusterDir = join(dataDir, 'postgres');
    const packageDir = place.packageDir ?? findPlatformPackage();
    const account = await chooseServerAccount(clusterDir, [dataDir, join(packageDir, 'native')]);
    const programs = await Programs.prepare(packageDir, join(dataDir, 'postgres-libraries'), account);
    if (await findCluster(clusterDir)) await adoptFilesOfRoot(clusterDir, programs);
    else await createCluster(clusterDir, programs, durable);
    const logFile = join(dataDir, 'postgres.log');
    const parts = { programs, clusterDir, logFile, durable };
    return new ClusterServer(parts, await readClusterState(clusterDir), log);
  }

  get clusterDir(): string {
    return this.parts.clusterDir;
  }

  /** Of the role Prosa works under. */
  get password(): string {
    return this.state.password;
  }

  access(port: number): ServerAccess {
    return { port, password: this.state.superuserPassword };
  }

  /**
   * Returns when a server of this cluster accepts connections.
   *
   * @param wantedPort the only port to launch on; a free one is chosen, and kept for later starts, without it.
   * @returns `launched`: whether it did not run before.
   */
  async ensureRunning(wantedPort?: number): Promise<{ port: number; launched: boolean }> {
    const deadlineMs = performance.now() + READY_LIMIT_MS;
    let launched: LaunchedPostmaster | null = null;
    while (performance.now() < deadlineMs) {
      const running = await findPostmaster(this.clusterDir);
      if (running?.ready) {
        const isOurs = running.pid === launched?.pid;
        if (isOurs && wantedPort === undefined) await this.remember(running.port);
        return { port: running.port, launched: isOurs };
      }
      if (launched?.hasEnded) {
        const failure = await launched.failure();
        if (failure) throw failure;
        launched = null;
        await sleep(RETRY_PAUSE_MS);
      } else if (!running && !launched) {
        launched = await launchPostmaster({ ...this.parts, port: await this.choosePort(wantedPort) });
      } else {
        await sleep(POLL_MS);
      }
    }
    throw new EmbeddedPostgresError(
      `The database in ${this.clusterDir} is not ready after ${READY_LIMIT_MS / 60_000} minutes: see ${this.parts.logFile}, and start again.`,
    );
  }

  /** Where the Unix socket of the running server is; null where none can be used. */
  async socketFolder(port: number): Promise<string | null> {
    const path = `${this.clusterDir}/.s.PGSQL.${port}`;
    if (Buffer.byteLength(path) > MAX_SOCKET_PATH) return null;
    return access(path, constants.R_OK | constants.W_OK).then(
      () => this.clusterDir,
      () => null,
    );
  }

  stop(): Promise<void> {
    return stopPostmaster(this.parts.programs, this.clusterDir);
  }

  private async choosePort(wantedPort?: number): Promise<number> {
    const port = await findFreePort(wantedPort ?? this.state.port);
    if (wantedPort !== undefined && port !== wantedPort) {
      throw new EmbeddedPostgresError(
        `Port ${wantedPort} is taken by another program, so the embedded PostgreSQL cannot listen on it: free the port, or set EMBEDDED_PG_PORT to another one.`,
      );
    }
    if (port !== null) return port;
    throw new EmbeddedPostgresError(
      'Every port from 5440 to 5499 is taken: set EMBEDDED_PG_PORT to a free one.',
    );
  }

  private async remember(port: number): Promise<void> {
    if (port === this.state.port) return;
    if (this.state.port)
      this.log(`Port ${this.state.port} is taken: from now on the database listens on port ${port}.`);
    this.state = { ...this.state, port };
    await writeClusterState(this.clusterDir, this.state);
  }
}

async function prepareDataDir(path: string): Promise<string> {
  try {
    const made = await mkdir(path, { recursive: true, mode: 0o711 });
    // The server's user needs access, for any umask of root.
    if (made && process.getuid?.() === 0) await chmod(path, 0o711);
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return await realpath(path);
  } catch (error) {
    throw new EmbeddedPostgresError(
      `The folder ${path} for Prosa's data cannot be used (${codeOf(error)}): ` +
        'make it writable for the user who starts Prosa, or choose another DATA_DIR.',
    );
  }
}
