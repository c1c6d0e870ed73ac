import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { findPostmaster, isAlive } from '../../../src/database/embedded/postmaster-file.js';
import { DATABASE, ensureProsaDatabase, ROLE } from '../../../src/database/embedded/prosa-database.js';
import { ClusterServer } from '../../../src/database/embedded/cluster-server.js';

/** A frozen server must not hold a run up for ever. */
const QUERY_MS = 60_000;

/** A durable PostgreSQL that belongs to the test, not to the product: it is killed, frozen and started again here. */
export class Cluster {
  private constructor(
    private readonly server: ClusterServer,
    readonly port: number,
  ) {}

  /** @param dataDir its files; may lie on a disk that gets full */
  static async start(dataDir: string): Promise<Cluster> {
    const server = await ClusterServer.prepare({ dataDir, durable: true, log: () => undefined });
    const { port } = await server.ensureRunning();
    await ensureProsaDatabase(server.access(port), server.password, () => undefined);
    return new Cluster(server, port);
  }

  get url(): string {
    return `postgres://${ROLE}:${this.server.password}@127.0.0.1:${this.port}/${DATABASE}`;
  }

  get folder(): string {
    return this.server.clusterDir;
  }

  /** Kills the postmaster as the system does when memory runs out; its children follow by themselves. */
  async kill(): Promise<void> {
    const pid = await this.postmaster();
    process.kill(pid, 'SIGKILL');
    while (isAlive(pid)) await sleep(10);
  }

  /** Starts it if it is down; returns when it takes connections. */
  async ensureRunning(): Promise<void> {
    const deadline = performance.now() + 60_000;
    for (;;) {
      try {
        await this.server.ensureRunning(this.port);
        return;
      } catch (error) {
        // Children of a killed postmaster hold the port and the shared memory for a moment.
        if (performance.now() > deadline) throw error;
        await sleep(100);
      }
    }
  }

  /** Suspends every process of the server. Returns a function that resumes them. */
  async freeze(): Promise<() => void> {
    const postmaster = await this.postmaster();
    const all = [postmaster, ...childrenOf(postmaster)];
    for (const pid of all) process.kill(pid, 'SIGSTOP');
    return () => {
      for (const pid of all) if (isAlive(pid)) process.kill(pid, 'SIGCONT');
    };
  }

  /** Processes that serve connections of the product, the busiest first. */
  async backends(): Promise<number[]> {
    const client = await this.connect();
    try {
      const { rows } = await client.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid() AND backend_type = 'client backend'
         ORDER BY query_start DESC NULLS LAST`,
        [DATABASE],
      );
      return rows.map(({ pid }) => pid);
    } finally {
      await client.end();
    }
  }

  async connect(): Promise<Client> {
    const client = new Client({
      connectionString: this.url,
      connectionTimeoutMillis: 10_000,
      query_timeout: QUERY_MS,
    });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  async stop(): Promise<void> {
    await this.server.stop();
  }

  private async postmaster(): Promise<number> {
    const found = await findPostmaster(this.server.clusterDir);
    if (!found) throw new Error('the database is not running');
    return found.pid;
  }
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc').flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return [];
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'latin1');
      // The name, in parentheses, may hold spaces.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return Number(fields[1]) === parent ? [Number(entry)] : [];
    } catch {
      // It ended while we looked.
      return [];
    }
  });
}

const run = promisify(execFile);

/** A small disk in memory, to be filled. */
export class SmallDisk {
  private constructor(
    readonly folder: string,
    private readonly filler: string,
  ) {}

  /** Null where this process may not mount. */
  static async mount(folder: string, megabytes: number): Promise<SmallDisk | null> {
    if (process.platform !== 'linux' || process.getuid?.() !== 0) return null;
    try {
      await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'tmpfs', folder]);
    } catch {
      // A container without the right to mount.
      return null;
    }
    return new SmallDisk(folder, `${folder}/filler`);
  }

  /** Leaves no byte free. */
  async fill(): Promise<void> {
    // dd ends with an error when the disk is full, which is what is wanted.
    await run('dd', ['if=/dev/zero', `of=${this.filler}`, 'bs=64k']).catch(() => undefined);
    await run('dd', ['if=/dev/zero', `of=${this.filler}.rest`, 'bs=1k']).catch(() => undefined);
  }

  async free(): Promise<void> {
    await run('rm', ['-f', this.filler, `${this.filler}.rest`]);
  }

  async unmount(): Promise<void> {
    await run('umount', ['-l', this.folder]);
  }
}
