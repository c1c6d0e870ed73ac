import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { timeoutSignal } from '../common/time/timeout-signal.js';
import { environmentOfChild } from '../config/load.js';

const MAIN = fileURLToPath(new URL('../main.js', import.meta.url));
const READY_MS = 120_000;
const END_MS = 60_000;

export interface TestSettings {
  /** As in `PROSA_PLUGINS`. */
  readonly plugins: readonly string[];
  /** Where paths of plugins begin; the working directory when left out. */
  readonly folder?: string;
  /** Other variables of Prosa. With a `DATABASE_URL` that database is used; otherwise one is made, and deleted in the end. */
  readonly environment?: Readonly<Record<string, string>>;
}

export interface TestAnswer {
  readonly status: number;
  /** Parsed, where it is JSON. */
  readonly body: any; // oxlint-disable-line typescript/no-explicit-any -- the expectations of a test check its shape
}

/** Calls the API as one caller. */
export type TestCaller = (method: string, path: string, body?: object) => Promise<TestAnswer>;

/** A whole Prosa with plugins, for their contract tests: a process, a database and HTTP, all of them real. */
export class TestProsa {
  private output = '';
  private accounts = 0;

  private constructor(
    private readonly child: ChildProcess,
    private readonly dataDir: string,
  ) {
    const collect = (text: Buffer) => {
      this.output += text.toString('utf8');
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
  }

  /** The address, once it is ready. */
  url = '';

  /** @throws Error with what Prosa has said when it does not start */
  static async start({ plugins, folder, environment = {} }: TestSettings): Promise<TestProsa> {
    const dataDir = await mkdtemp(join(tmpdir(), 'prosa-plugin-'));
    const child = spawn(process.execPath, [MAIN], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: environmentOfChild({
        DATA_DIR: dataDir,
        PROSA_ROLES: 'api,worker',
        PORT: '0',
        OPEN_REGISTRATION: 'true',
        RATE_LIMITS: 'off',
        PROSA_PLUGINS: plugins.join(','),
        ...environment,
      }),
    });
    const prosa = new TestProsa(child, dataDir);
    try {
      prosa.url = await prosa.ready();
      return prosa;
    } catch (error) {
      await prosa.stop();
      throw error;
    }
  }

  /** What it has written on its outputs. */
  get text(): string {
    return this.output;
  }

  /** A new account; each sees its own. */
  async account(): Promise<TestCaller> {
    this.accounts += 1;
    const name = `Account ${this.accounts}`;
    const registered = await this.request('POST', '/api/auth/register', {
      name,
      email: `account${this.accounts}@example.com`,
      password: 'a quiet river 73',
    });
    if (registered.status !== 201) throw new Error(`no account: ${JSON.stringify(registered.body)}`);
    const { token } = registered.body as { token: string };
    return (method, path, body) => this.request(method, path, body, token);
  }

  /** Without a token unless one is given. */
  readonly request = async (
    method: string,
    path: string,
    body?: object,
    token?: string,
  ): Promise<TestAnswer> => {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        ...(body ? { 'Content-Type': 'application/json' } : {}),
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
      },
      body: body ? JSON.stringify(body) : undefined,
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    return { status: response.status, body: isJson ? JSON.parse(text) : text };
  };

  /** Ends it and deletes its data. */
  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const ended = once(this.child, 'exit', { signal: timeoutSignal(END_MS) });
      this.child.kill('SIGTERM');
      await ended;
    }
    await rm(this.dataDir, { recursive: true, force: true });
  }

  private async ready(): Promise<string> {
    for (const deadline = Date.now() + READY_MS; Date.now() < deadline; await sleep(50)) {
      const url = /API\s+(\S+)\/api/.exec(this.output)?.[1];
      if (url && this.output.includes('Model ')) return url;
      if (this.child.exitCode !== null) throw new Error(`Prosa did not start:\n${this.output}`);
    }
    throw new Error(`Prosa was not ready in time:\n${this.output}`);
  }
}
