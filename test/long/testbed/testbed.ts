import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { OpenAPIObject } from '@nestjs/swagger';
import type * as OpaqueToken from '../../../src/common/auth/opaque-token.js';
import { answerJson, LocalServer } from '../../support/http-server.js';
import { ContractCheck } from '../../../src/contract/contract-check.js';
import type { SandboxDialLog } from '../../../src/providers/telephony/sandbox/sandbox-dial-log.js';
import { Cluster, SmallDisk } from './cluster.js';
import { ManagedProcess } from './managed-process.js';
import { type ModelAnswer, startModelServer, steadyAnswer } from './model-server.js';

/** Outside the ports the system gives to outgoing connections: one that is down must get its port back. */
const PORTS = { first: 3_800, last: 3_899 } as const;
const DATA_DISK_MB = 700;
const LOG_DISK_MB = 2;

export interface TestbedOptions {
  readonly queue?: 'postgres' | 'redis';
  /** Which files lie on a small disk that can be filled. */
  readonly smallDisk?: 'data' | 'log';
  readonly canShiftClock?: boolean;
  readonly isProbed?: boolean;
  readonly sandboxSpeed?: number;
  readonly model?: ModelAnswer;
  /** Calls in sound and at the speed of life, their lines in a process of their own; the carrier is a part of it. */
  readonly isInSound?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
}

/** What a testbed cannot have on this machine. */
export class NotPossibleHere extends Error {
  override readonly name = 'NotPossibleHere';
}

/**
 * The product as it runs in earnest: PostgreSQL, a carrier, an API process and a worker, each a process of its own, with a
 * model server and a receiver of webhooks in this one. Everything can be killed, frozen and started again.
 */
export class Testbed {
  private readonly closing: (() => Promise<unknown>)[] = [];
  private readonly offsetFile: string;
  readonly token: string;
  cluster!: Cluster;
  disk: SmallDisk | null = null;
  redis: ManagedProcess | null = null;
  /** None of its own where calls are in sound. */
  carrier!: ManagedProcess;
  api!: ManagedProcess;
  worker!: ManagedProcess;
  voice: ManagedProcess | null = null;
  model!: LocalServer;
  receiver!: LocalServer;
  contract!: ContractCheck;
  url = '';
  private carrierUrl = '';

  private constructor(
    readonly folder: string,
    private readonly options: TestbedOptions,
    token: string,
  ) {
    this.token = token;
    this.offsetFile = join(folder, 'clock');
  }

  /** Needs the built product. @throws NotPossibleHere */
  static async start(options: TestbedOptions = {}): Promise<Testbed> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'prosa-testbed-')));
    // Under root the database runs as another user, who must get in.
    await chmod(folder, 0o711);
    const { makeToken } = (await import(
      pathToFileURL(resolve('dist/common/auth/opaque-token.js')).href
    )) as typeof OpaqueToken;
    const testbed = new Testbed(folder, options, makeToken('prosa_'));
    // A signal from outside must not leave a dozen processes behind.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, testbed.endNow);
    try {
      await testbed.build();
      return testbed;
    } catch (error) {
      await testbed.stop();
      throw error;
    }
  }

  get processes(): readonly ManagedProcess[] {
    return [this.api, this.worker, this.voice, this.carrier, this.redis].filter(
      (each) => each instanceof ManagedProcess,
    );
  }

  get unwantedEnds(): string[] {
    return this.processes.flatMap((each) => each.unwantedEnds);
  }

  /** Ids of the events the receiver took. */
  get events(): Set<unknown> {
    return new Set(this.receiver.requests.map(({ headers }) => headers['webhook-id']));
  }

  /** What the carrier dialled; fails while it is away. */
  async dialLog(): Promise<SandboxDialLog> {
    const response = await fetch(`${this.carrierUrl}/log`, { signal: AbortSignal.timeout(5_000) });
    return (await response.json()) as SandboxDialLog;
  }

  /** Sets the clocks of the product's processes off by so much. */
  async shiftClock(ms: number): Promise<void> {
    await writeFile(this.offsetFile, String(ms));
  }

  private readonly endNow = (): void => {
    for (const each of this.processes) each.signal('SIGKILL');
    void this.stop().finally(() => process.exit(1));
  };

  async stop(): Promise<void> {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, this.endNow);
    for (const close of this.closing.splice(0).reverse()) await close();
  }

  private async build(): Promise<void> {
    this.closing.push(() => rm(this.folder, { recursive: true, force: true }));
    const dataFolder = join(this.folder, 'database');
    const logFolder = join(this.folder, 'logs');
    for (const folder of [dataFolder, logFolder]) await mkdir(folder);
    const { smallDisk } = this.options;
    if (smallDisk === 'data') await this.mount(dataFolder, DATA_DISK_MB);
    if (smallDisk === 'log') await this.mount(logFolder, LOG_DISK_MB);
    this.cluster = await Cluster.start(dataFolder);
    this.closing.push(() => this.cluster.stop());
    this.model = await startModelServer(this.options.model ?? steadyAnswer(200));
    this.receiver = await LocalServer.start((_request, response) => answerJson(response, {}));
    this.closing.push(
      () => this.model.stop(),
      () => this.receiver.stop(),
    );
    if (this.options.queue === 'redis') await this.startRedis();
    if (!this.options.isInSound) await this.startCarrier();
    await this.startProduct(logFolder);
    const document = (await (await fetch(`${this.url}/docs-json`)).json()) as OpenAPIObject;
    this.contract = new ContractCheck(document);
  }

  private async mount(folder: string, megabytes: number): Promise<void> {
    const disk = await SmallDisk.mount(folder, megabytes);
    if (!disk) throw new NotPossibleHere('a small disk can be mounted by root alone, on Linux');
    this.disk = disk;
    this.closing.push(() => disk.unmount());
  }

  private async startRedis(): Promise<void> {
    const port = await freePort();
    this.redis = this.managed('redis', 'redis-server', /(Ready to accept connections)/, [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--dir',
      this.folder,
      '--appendonly',
      'yes',
      '--maxmemory-policy',
      'noeviction',
      '--daemonize',
      'no',
    ]);
    try {
      await this.redis.start();
    } catch (error) {
      throw new NotPossibleHere('redis-server is not installed', { cause: error });
    }
    this.redisUrl = `redis://127.0.0.1:${port}`;
  }

  private redisUrl: string | null = null;

  private async startCarrier(): Promise<void> {
    const args = ['--port', String(await freePort()), '--journal', join(this.folder, 'calls.jsonl')];
    const script = ['dist/cli/sandbox-carrier.js', ...args, '--speed', String(this.speed)];
    this.carrier = this.managed('carrier', process.execPath, /"url":"([^"]+)"/, script);
    this.carrierUrl = await this.carrier.start();
  }

  private get speed(): number {
    return this.options.sandboxSpeed ?? 500;
  }

  private async startProduct(logFolder: string): Promise<void> {
    const port = await freePort();
    const ready = /API\s+(\S+)\/api[^]*Model /;
    this.api = this.managed('api', process.execPath, ready, this.productArguments('api'), logFolder, {
      ...this.productEnvironment('api'),
      PORT: String(port),
      OPENAI_BASE_URL: `${this.model.url}/v1`,
      OPENAI_MODEL: 'any',
      OPENAI_API_KEY: 'none',
      BOOTSTRAP_EMAIL: 'testbed@example.com',
      BOOTSTRAP_PASSWORD: 'correct-horse-battery-staple-41',
      BOOTSTRAP_API_KEY: this.token,
      BOOTSTRAP_BALANCE: '100000',
    });
    this.url = await this.api.start();
    // The sandbox model plays the calls.
    this.worker = await this.startRoles(
      'worker',
      this.options.isInSound ? 'worker' : 'worker,voice',
      logFolder,
    );
    if (this.options.isInSound) this.voice = await this.startRoles('voice', 'voice', logFolder);
  }

  private async startRoles(name: string, roles: string, logFolder: string): Promise<ManagedProcess> {
    const ready = /(Model |Voice is ready)/;
    const made = this.managed(name, process.execPath, ready, this.productArguments(name), logFolder, {
      ...this.productEnvironment(roles),
      OPERATIONS_PORT: String(await freePort()),
    });
    await made.start();
    return made;
  }

  private productArguments(name: string): string[] {
    const preload = (file: string) => ['--import', pathToFileURL(resolve(`test/long/testbed/${file}`)).href];
    return [
      ...(this.options.canShiftClock ? preload('shift-clock.mjs') : []),
      ...(this.options.isProbed ? ['--expose-gc', ...preload('probe.mjs')] : []),
      ...(this.options.isInSound && name === 'voice' ? preload('pauses.mjs') : []),
      'dist/main.js',
    ];
  }

  private productEnvironment(roles: string): Record<string, string> {
    return {
      PROSA_ROLES: roles,
      DATABASE_URL: this.cluster.url,
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      DATA_DIR: join(this.folder, 'files'),
      ...(this.options.isInSound
        ? { SANDBOX_MEDIA: 'audio' }
        : { SANDBOX_CARRIER_URL: this.carrierUrl, SANDBOX_SPEED: String(this.speed) }),
      EGRESS_ALLOW_CIDRS: '127.0.0.1/32',
      RATE_LIMITS: 'off',
      RETRY_SCALE: '0.01',
      DIAL_LEASE_SECONDS: '5',
      CLOCK_OFFSET_FILE: this.offsetFile,
      PROBE_FILE: join(this.folder, `probe-${roles.split(',')[0]}`),
      ...(this.redisUrl ? { REDIS_URL: this.redisUrl } : {}),
      ...this.options.environment,
    };
  }

  private managed(
    name: string,
    file: string,
    readyWhen: RegExp,
    args: readonly string[],
    logFolder = this.folder,
    environment: Record<string, string> = {},
  ): ManagedProcess {
    const logFile = join(logFolder, `${name}.log`);
    const errorFile = join(this.folder, `${name}.err`);
    const made = new ManagedProcess({ name, file, args, environment, logFile, errorFile, readyWhen });
    this.closing.push(() => made.stop());
    return made;
  }
}

async function freePort(): Promise<number> {
  const span = PORTS.last - PORTS.first + 1;
  const start = Math.floor(Math.random() * span);
  for (let n = 0; n < span; n++) {
    const port = PORTS.first + ((start + n) % span);
    if (await isFree(port)) return port;
  }
  throw new Error(`every port from ${PORTS.first} to ${PORTS.last} is taken`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
