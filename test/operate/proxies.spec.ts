import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ForeignProcess } from '../phone/software/process.js';
import { type TestAccount, TEST_ENCRYPTION_KEY, TestApp } from '../support/app.js';
import { createAssistant, type CreatedAssistant, openConversation } from '../support/builders.js';
import { freePort } from '../support/free-port.js';
import { buildProduct, ProsaProcess } from '../support/prosa-process.js';
import { until } from '../support/until.js';
import { type OpenedWebCall, WebCaller } from '../support/web-caller.js';

/** Addresses of the files in docker/proxy, with the last number left out, and what loopback has for them. */
const [FILE_NETWORK, NETWORK] = ['10.0.0.', '127.0.0.'];
const HOSTS = ['127.0.0.11', '127.0.0.12'];
const CLIENTS = 8;
const DELAY_SECONDS = 4;
const ALLOWED_FAILURES = 0.001;

interface Proxy {
  readonly name: string;
  readonly program: string;
  readonly file: string;
  /** Arguments of the program. The folder is its own. */
  readonly start: (folder: string, file: string) => Promise<readonly string[]>;
  readonly environment?: (folder: string) => Record<string, string>;
}

const NGINX_FRAME = (folder: string, file: string) => `
daemon off;
pid ${folder}/nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  include ${file};
}
`;

const PROXIES: readonly Proxy[] = [
  {
    name: 'nginx',
    program: '/usr/sbin/nginx',
    file: 'nginx.conf',
    start: async (folder, file) => {
      await writeFile(join(folder, 'frame.conf'), NGINX_FRAME(folder, file));
      return ['-p', folder, '-c', join(folder, 'frame.conf')];
    },
  },
  {
    name: 'HAProxy',
    program: '/usr/sbin/haproxy',
    file: 'haproxy.cfg',
    start: (_folder, file) => Promise.resolve(['-db', '-f', file]),
  },
  {
    name: 'Caddy',
    program: '/usr/bin/caddy',
    file: 'Caddyfile',
    start: (_folder, file) => Promise.resolve(['run', '--adapter', 'caddyfile', '--config', file]),
    environment: (folder) => ({ HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }),
  },
];

/** Two API processes and a voice process behind a proxy, whose file is the one that the documentation gives. */
describe('a rolling restart behind a proxy', () => {
  let setup: TestApp;
  let owner: TestAccount;
  let assistant: CreatedAssistant;
  let folder: string;
  let voice: ProsaProcess;
  let ports: { http: number; operations: number; front: number };
  const apis: ProsaProcess[] = [];

  beforeAll(async () => {
    await buildProduct();
    folder = await mkdtemp(join(tmpdir(), 'prosa-proxies-'));
    setup = await TestApp.start();
    owner = await setup.account({ balanceUsd: 50 });
    assistant = await createAssistant(setup, owner);
    ports = { http: await freePort(), operations: await freePort(), front: await freePort() };
    voice = start({ PROSA_ROLES: 'voice' });
    await voice.says(/Voice is ready/);
    for (const host of HOSTS) apis.push(await startApi(host));
  }, 180_000);
  afterEach(() => ForeignProcess.stopAll());
  afterAll(async () => {
    await Promise.all([...apis, voice].map((one) => one.stop()));
    await setup.stop();
    await rm(folder, { recursive: true, force: true });
  }, 120_000);

  function start(environment: Record<string, string>): ProsaProcess {
    return ProsaProcess.start({
      DATABASE_URL: setup.database.url,
      ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
      DATA_DIR: folder,
      PORT: '0',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
      CALL_DRAIN_SECONDS: '60',
      ...environment,
    });
  }

  async function startApi(host: string): Promise<ProsaProcess> {
    const api = start({
      PROSA_ROLES: 'api,worker',
      HOST: host,
      PORT: String(ports.http),
      OPERATIONS_PORT: String(ports.operations),
      PUBLIC_URL: `http://127.0.0.1:${ports.front}`,
      TRUST_PROXY: '1',
      SHUTDOWN_DELAY_SECONDS: String(DELAY_SECONDS),
    });
    await until(
      async () => (await statusOf(`http://${host}:${ports.operations}/health/ready`)) === 200,
      60_000,
    );
    return api;
  }

  async function startProxy(proxy: Proxy): Promise<string> {
    const own = ForeignProcess.makeFolder(proxy.name.toLowerCase());
    const text = (await readFile(join('docker/proxy', proxy.file), 'utf8'))
      .replaceAll(FILE_NETWORK, NETWORK)
      .replaceAll('3000', String(ports.http))
      .replaceAll('3001', String(ports.operations))
      .replace(/^(\s*listen |\s*bind :|:)80\b/m, `$1${ports.front}`);
    const file = join(own, proxy.file);
    await writeFile(file, text);
    const { PATH = '' } = process.env;
    const program = ForeignProcess.start(proxy.program, await proxy.start(own, file), own, {
      env: { PATH, ...proxy.environment?.(own) },
    });
    const url = `http://127.0.0.1:${ports.front}`;
    await until(async () => (await statusOf(`${url}/health/live`)) === 200, 20_000).catch(
      (cause: unknown) => {
        throw new Error(`${proxy.name} does not answer:\n${program.output}`, { cause });
      },
    );
    return url;
  }

  for (const proxy of PROXIES) {
    const isMissing = !existsSync(proxy.program);
    const title = `${proxy.name}: at most one request of a thousand fails, and no web call is lost`;
    (isMissing ? it.skip : it)(
      `${title}${isMissing ? ', skipped because it is not installed' : ''}`,
      async () => {
        const url = await startProxy(proxy);
        const traffic = new Traffic(url, owner.token, await openConversation(setup, assistant, {}, owner));
        await traffic.begin(CLIENTS);
        for (const [index, host] of HOSTS.entries()) {
          const callers = await Promise.all(Array.from({ length: 3 }, () => call(url)));
          apis[index]?.kill('SIGTERM');
          await until(
            async () => (await statusOf(`http://${host}:${ports.http}/health/live`)) === null,
            30_000,
          );
          for (const caller of callers) {
            caller.type('Olá, o que é a Prosa?');
            await caller.hears(300);
            caller.hangUp();
          }
          expect(await Promise.all(callers.map((caller) => caller.closed()))).toEqual([1000, 1000, 1000]);
          expect(await apis[index]?.exit()).toBe(0);
          apis[index] = await startApi(host);
          // The proxy looks again after this.
          await sleep(3_000);
        }
        await traffic.end();
        process.stdout.write(`\n${JSON.stringify({ proxy: proxy.name, ...traffic.counts })}\n`);
        expect(traffic.counts.requests).toBeGreaterThan(500);
        expect(traffic.failures.length / traffic.counts.requests).toBeLessThanOrEqual(ALLOWED_FAILURES);
      },
      300_000,
    );
  }

  async function call(url: string): Promise<WebCaller> {
    const response = await fetch(`${url}/api/user/assistant/${assistant.id}/web-call`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${owner.token}`, 'Content-Type': 'application/json' },
      body: '{}',
    });
    expect(response.status).toBe(201);
    const { data } = (await response.json()) as { data: OpenedWebCall };
    const caller = await WebCaller.connect(data);
    await caller.hears(200);
    return caller;
  }
});

/** Clients that ask for their account and write in a chat, in turn, as fast as they are answered. */
class Traffic {
  readonly failures: string[] = [];
  private requests = 0;
  private readonly ending = new AbortController();
  private clients: readonly Promise<void>[] = [];

  constructor(
    private readonly url: string,
    private readonly token: string,
    private readonly conversation: string,
  ) {}

  get counts() {
    return { requests: this.requests, failures: this.failures };
  }

  async begin(count: number): Promise<void> {
    this.clients = Array.from({ length: count }, (_unused, at) => this.client(at === 0));
    await until(() => this.requests > count);
  }

  async end(): Promise<void> {
    this.ending.abort();
    await Promise.all(this.clients);
  }

  /** One of them writes: a conversation answers one message at a time. */
  private async client(isWriter: boolean): Promise<void> {
    while (!this.ending.signal.aborted) {
      const request = isWriter ? this.write() : this.read();
      const outcome = await request.then(
        ({ status }) => status,
        (error: unknown) => String((error as Error).cause ?? error),
      );
      this.requests++;
      if (outcome !== 200) this.failures.push(`${isWriter ? 'write' : 'read'}: ${outcome}`);
      await sleep(20);
    }
  }

  private async write(): Promise<{ status: number }> {
    const response = await fetch(`${this.url}/api/conversations/${this.conversation}/messages`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ message: 'Olá' }),
    });
    await response.text();
    return response;
  }

  private async read(): Promise<{ status: number }> {
    const response = await fetch(`${this.url}/api/user/me`, {
      headers: { Authorization: `Bearer ${this.token}` },
    });
    await response.text();
    return response;
  }
}

/** Null where nothing answers. */
async function statusOf(url: string): Promise<number | null> {
  return fetch(url, { headers: { Connection: 'close' } }).then(
    async (response) => {
      await response.text();
      return response.status;
    },
    () => null,
  );
}
