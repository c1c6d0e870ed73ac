import { execFileSync, fork, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../support/free-port.js';
import { answerJson, LocalServer } from '../support/http-server.js';
import { buildProduct, type Program, ProsaProcess } from '../support/prosa-process.js';
import { until } from '../support/until.js';

/** What a turn asks the model server. */
const CHAT = '/v1/chat/completions';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prosa-supervisor-'));
  await buildProduct();
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

const childrenOf = (pid: number): number[] => {
  try {
    return execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
      .split('\n')
      .map(Number)
      .filter((child) => child > 0);
  } catch {
    return [];
  }
};
const descendantsOf = (pid: number): number[] =>
  childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);
/** The command line of a process; empty for one that has ended, as the starter of a server does. */
const commandOf = (pid: number): string =>
  spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).stdout;
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('the supervisor', () => {
  /** Runs a program, that knows how often it was started before as `starts`, under a supervisor in a hurry. */
  async function run(source: string) {
    const program = join(folder, `program-${Math.random()}.mjs`);
    const count = `${program}.count`;
    await writeFile(
      program,
      `import { appendFileSync, readFileSync } from 'node:fs';
       appendFileSync(${JSON.stringify(count)}, 'x');
       const starts = readFileSync(${JSON.stringify(count)}, 'utf8').length;
       ${source}`,
    );
    const runner = `${program}.supervisor.mjs`;
    await writeFile(
      runner,
      `import { supervise } from ${JSON.stringify(resolve('scripts/supervisor.mjs'))};
       process.exit(await supervise(${JSON.stringify(program)}, { firstDelayMs: 1, maxDelayMs: 20 }));`,
    );
    const supervisor = spawn(process.execPath, [runner], { stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    supervisor.stdout.on('data', (chunk) => (text += String(chunk)));
    supervisor.stderr.on('data', (chunk) => (text += String(chunk)));
    const ended = once(supervisor, 'close');
    return {
      kill: (signal: NodeJS.Signals) => supervisor.kill(signal),
      says: (words: string) => until(() => text.includes(words)),
      end: async () => {
        const [code] = await ended;
        return { code: code as number, starts: (await readFile(count, 'utf8')).length, text };
      },
    };
  }

  it('starts a program anew after an unexpected end, and ends with it when it ends in order', async () => {
    const { code, starts, text } = await (await run('process.exit(starts < 3 ? 70 : 0);')).end();
    expect({ code, starts }).toEqual({ code: 0, starts: 3 });
    expect(text.match(/ended unexpectedly \(exit code 70\)/g)).toHaveLength(2);
  });

  it('does not repeat a start that failed with a known reason', async () => {
    expect(await (await run("console.log('PORT: wrong'); process.exit(1);")).end()).toMatchObject({
      code: 1,
      starts: 1,
    });
  });

  it('gives up with a sentence after several quick ends, by a signal as well', async () => {
    const { code, starts, text } = await (await run("process.kill(process.pid, 'SIGKILL');")).end();
    expect({ code, starts }).toEqual({ code: 137, starts: 5 });
    expect(text).toContain('ended 5 times in a row soon after its start (SIGKILL), and is not started again');
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'hands %s on, and waits for an orderly end',
    async (signal) => {
      const program = await run(`
      for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => setTimeout(() => {
        console.log('drained');
        process.exit(0);
      }, 200));
      console.log('running');
      setInterval(() => {}, 1000);`);
      await program.says('running');
      program.kill(signal);
      expect(await program.end()).toMatchObject({
        code: 0,
        starts: 1,
        text: expect.stringContaining('drained'),
      });
    },
  );
});

describe('npm start, after an unexpected error', () => {
  const running: ProsaProcess[] = [];
  const start = (environment: Record<string, string> = {}, program: Program = 'scripts/start.mjs') => {
    const prosa = ProsaProcess.start({ DATA_DIR: join(folder, 'data'), PORT: '0', ...environment }, program);
    running.push(prosa);
    return prosa;
  };

  afterEach(async () => {
    for (const prosa of running.splice(0)) await prosa.stop();
  });

  it('logs the fault, turns readiness red, answers what runs, ends, and is started anew', async () => {
    let release = () => {};
    const slow = await LocalServer.start(async ({ path }, response) => {
      // A start looks whether the server takes its key.
      if (path !== CHAT) return answerJson(response, { data: [] });
      await new Promise<void>((go) => (release = go));
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.end(
        'data: {"choices":[{"index":0,"delta":{"content":"Pronto."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
      );
    });
    try {
      const fault = "process.on('SIGUSR2', () => { throw new Error('an unexpected fault'); });";
      const operationsPort = await freePort();
      const prosa = start({
        OPENAI_BASE_URL: `${slow.url}/v1`,
        OPENAI_MODEL: 'any',
        OPERATIONS_PORT: String(operationsPort),
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fault)}`,
      });
      const url = await prosa.ready();
      const path = /\/api\/conversations\/[\w-]+\/messages/.exec(prosa.text)?.[0];
      const turn = fetch(`${url}${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '{"message":"Olá"}',
      });
      await until(() => slow.requests.some(({ path: asked }) => asked === CHAT));
      const [product = 0] = childrenOf(prosa.pid);
      process.kill(product, 'SIGUSR2');
      await until(() => prosa.text.includes('an unexpected fault'));
      const ready = `http://127.0.0.1:${operationsPort}/health/ready`;
      expect((await fetch(ready)).status).toBe(503);
      release();
      expect(await (await turn).json()).toMatchObject({ status: true, message: 'Pronto.' });
      await until(() => prosa.text.split('Prosa is ready').length === 3, 60_000);

      expect(prosa.text).toMatch(/"level":60,.*"unexpected fault"/);
      expect(prosa.text).toContain('Prosa ended unexpectedly (exit code 70)');
      expect((await fetch(ready)).status).toBe(200);
      expect(await prosa.stop()).toBe(0);
    } finally {
      release();
      await slow.stop();
    }
  }, 120_000);

  it('leaves no product behind when the supervisor is killed: it drains and ends', async () => {
    const prosa = start();
    await prosa.says(/Voice is ready/);
    const [product = 0] = childrenOf(prosa.pid);
    const [voice = 0] = childrenOf(product).filter((pid) => commandOf(pid).includes('main.js'));
    expect(voice).toBeGreaterThan(0);
    prosa.kill('SIGKILL');
    await prosa.exit();
    await until(() => !isAlive(product) && !isAlive(voice), 60_000);
    // The database was stopped in order: the next start need not recover it.
    const next = start();
    await next.ready();
    expect(await next.stop()).toBe(0);
  }, 120_000);

  it('leaves no process behind that was only just started when the supervisor is killed', async () => {
    const { PATH = '' } = process.env;
    const child = fork('dist/main.js', [], {
      env: { PATH, PORT: '0', DATA_DIR: join(folder, 'just-started') },
      stdio: 'ignore',
    });
    child.disconnect();
    expect(await once(child, 'exit', { signal: AbortSignal.timeout(30_000) })).toEqual([0, null]);
    await expect(readdir(join(folder, 'just-started'))).rejects.toThrow('ENOENT');
  }, 60_000);

  // npm sends SIGTERM to its shell, which ends without passing it on.
  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'leaves neither product nor database behind when npm gets %s',
    async (signal) => {
      const npm = start({}, 'npm start');
      await npm.says(/Voice is ready/);
      const processes = descendantsOf(npm.pid);
      const commands = processes.map(commandOf);
      for (const part of ['start.mjs', 'main.js', 'postgres -D']) {
        expect(commands.some((command) => command.includes(part))).toBe(true);
      }
      npm.kill(signal);
      await until(() => !processes.some(isAlive), 60_000);
      expect(npm.text).toContain('Stopped.');
    },
    120_000,
  );

  it('drains when each process of the service gets SIGTERM at once, as service managers do', async () => {
    let release = () => {};
    const slow = await LocalServer.start(async ({ path }, response) => {
      // A start looks whether the server takes its key.
      if (path !== CHAT) return answerJson(response, { data: [] });
      await new Promise<void>((go) => (release = go));
      answerJson(response, {
        choices: [{ index: 0, message: { content: 'Pronto.' }, finish_reason: 'stop' }],
      });
    });
    try {
      const prosa = start({
        OPENAI_BASE_URL: `${slow.url}/v1`,
        OPENAI_MODEL: 'any',
        DATA_DIR: join(folder, 'fresh'),
      });
      const url = await prosa.ready();
      const path = /\/api\/conversations\/[\w-]+\/messages/.exec(prosa.text)?.[0];
      const turn = fetch(`${url}${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '{"message":"Olá"}',
      });
      await until(() => slow.requests.some(({ path: asked }) => asked === CHAT));
      const [product = 0] = childrenOf(prosa.pid);
      process.kill(product, 'SIGTERM');
      prosa.kill('SIGTERM');
      await prosa.says(/SIGTERM: finishing/);
      release();
      expect(await (await turn).json()).toMatchObject({ status: true, message: 'Pronto.' });
      expect(await prosa.exit()).toBe(0);
    } finally {
      release();
      await slow.stop();
    }
  }, 120_000);

  it('runs calls in a process of their own, starts it anew when it is killed, and leaves none behind', async () => {
    const prosa = start();
    const url = await prosa.ready();
    await prosa.says(/Voice is ready/);
    const [product = 0] = childrenOf(prosa.pid);
    const voiceOf = () => childrenOf(product).find((pid) => commandOf(pid).includes('main.js')) ?? 0;
    const first = voiceOf();
    process.kill(first, 'SIGKILL');
    await prosa.says(/The voice process ended unexpectedly \(SIGKILL\)/);
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    await prosa.says(/Voice is ready[^]*Voice is ready/);
    const second = voiceOf();
    expect(second).not.toBe(first);
    expect(await prosa.stop()).toBe(0);
    expect([first, second, product].filter(isAlive)).toEqual([]);
  }, 120_000);

  it('runs calls in the same process when the roles are named', async () => {
    const prosa = start({ PROSA_ROLES: 'api,worker,voice' });
    const url = await prosa.ready();
    expect(prosa.text).toContain('(roles: api, worker, voice)');
    const ready = (await (await fetch(`${url}/health/ready`)).json()) as { info: object };
    expect(ready.info).toHaveProperty('voice.capacity');
    expect(await prosa.stop()).toBe(0);
    expect(prosa.text).not.toContain('Voice is ready');
  }, 120_000);

  it('does not start again over a port that is in use', async () => {
    const taken = await LocalServer.start((_request, response) => void response.end());
    const prosa = start({ PORT: new URL(taken.url).port });
    expect(await prosa.exit()).toBe(1);
    expect(prosa.text.match(/is in use/g)).toHaveLength(1);
    await taken.stop();
  }, 60_000);

  it.each(['a full disk under its log', 'no reader of its output'])(
    'serves and stops with %s',
    async (what) => {
      const { PATH = '', HOME = '' } = process.env;
      const port = await freePort();
      const product = spawn(process.execPath, ['dist/main.js'], {
        env: { PATH, HOME, DATA_DIR: join(folder, 'data'), PORT: String(port), LOG_LEVEL: 'trace' },
        stdio: ['ignore', what.startsWith('a full') ? openSync('/dev/full', 'w') : 'pipe', 'ignore'],
      });
      const ready = async () =>
        (await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => null))?.status;
      await until(async () => (await ready()) === 200, 60_000);
      for (let n = 0; n < 300; n++) await fetch(`http://127.0.0.1:${port}/api/user/me`);
      expect(await ready()).toBe(200);
      product.kill('SIGTERM');
      const [code] = await once(product, 'exit', { signal: AbortSignal.timeout(60_000) });
      expect(code).toBe(0);
    },
    120_000,
  );
});
