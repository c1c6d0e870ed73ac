import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './until.js';
import { freePort } from './free-port.js';

/** Whether this machine has a Redis to start. Specs that need one are skipped, and counted as skipped, where it has none. */
export const hasRedis = isInstalled();

/** A Redis of the test file's own, on a free loopback port, which can die and come back on the same port. It stores nothing. */
export class RedisServer {
  private child: ChildProcess | null = null;

  private constructor(
    private readonly port: number,
    private readonly folder: string,
  ) {}

  static async start(): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), mkdtempSync(join(tmpdir(), 'prosa-redis-')));
    await server.start();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Brings an ended server back, without data. */
  async start(): Promise<void> {
    const options = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    this.child = spawn('redis-server', [...options, '--dir', this.folder], { stdio: 'ignore' });
    await until(() => accepts(this.port), 10_000);
  }

  /** SIGKILL, or SIGSTOP and SIGCONT. */
  async signal(signal: NodeJS.Signals): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    if (signal === 'SIGKILL') await once(child, 'exit');
  }

  /** Loses all data, as an eviction or a failover without replication does. */
  async forgetAll(): Promise<void> {
    const socket = createConnection({ port: this.port, host: '127.0.0.1' });
    socket.write('FLUSHALL\r\n');
    await once(socket, 'data');
    socket.destroy();
  }

  async stop(): Promise<void> {
    await this.signal('SIGKILL');
    await rm(this.folder, { recursive: true, force: true });
  }
}

function isInstalled(): boolean {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function accepts(port: number): Promise<boolean> {
  const socket = createConnection({ port, host: '127.0.0.1' });
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
  }).finally(() => socket.destroy()) as Promise<boolean>;
}
