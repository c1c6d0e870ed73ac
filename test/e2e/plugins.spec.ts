import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { accessibilityFindings, describeInBrowser, problemsOf, TestBrowser } from '../support/browser.js';
import { cloneDatabase, emptyDatabase } from '../support/database.js';
import { imageFolder } from '../support/image-folder.js';
import { assistantBody } from '../support/builders.js';
import { buildProduct, ProsaProcess } from '../support/prosa-process.js';
import { until } from '../support/until.js';

const run = promisify(execFile);
const TSC = 'node_modules/typescript/bin/tsc';
const ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64');
const EXAMPLE = 'examples/appointments';

/** Builds what a plugin is compiled against, what it runs in, and the example. */
async function buildAll(): Promise<void> {
  await buildProduct({ pluginTypes: true, pages: true });
  await run(process.execPath, [TSC, '-p', EXAMPLE]);
}

/** Runs the contract test of a plugin in a process of its own; returns how many tests passed. */
async function contractTest(folder: string): Promise<number> {
  const database = await emptyDatabase();
  try {
    const { PATH = '', HOME = '' } = process.env;
    const { stdout } = await run(
      process.execPath,
      ['--test', '--test-reporter=tap', 'test/contract.test.mjs'],
      {
        cwd: folder,
        env: {
          PATH,
          HOME,
          DATABASE_URL: database.url,
          ENCRYPTION_KEY,
        },
      },
    ).catch((error: { stdout?: string }) => {
      throw new Error(error.stdout, { cause: error });
    });
    return Number(/^# pass (\d+)$/m.exec(stdout)?.[1]);
  } finally {
    await database.drop();
  }
}

beforeAll(buildAll, 300_000);

describe('the example of a plugin', () => {
  it('compiles against prosa/plugin, and its contract test passes in a Prosa that knows it by PROSA_PLUGINS', async () => {
    expect(await contractTest(EXAMPLE)).toBe(11);
  }, 480_000);

  it('knows nothing of Prosa but prosa/plugin', async () => {
    const files = (await readdir(join(EXAMPLE, 'src'), { recursive: true })).filter((file) =>
      file.endsWith('.ts'),
    );
    const imports = await Promise.all(
      files.map(async (file) => {
        const source = await readFile(join(EXAMPLE, 'src', file), 'utf8');
        return [...source.matchAll(/(?:from|import\()\s*'([^']+)'/g)].map(([, name = '']) => name);
      }),
    );
    const foreign = imports
      .flat()
      .filter((name) => name !== 'prosa/plugin' && !/^\.\.?\/[\w/.-]+\.js$/.test(name));
    expect(files.length).toBeGreaterThan(10);
    expect(foreign).toEqual([]);
    // Relative ones stay within the folder.
    expect(imports.flat().filter((name) => name.startsWith('../../'))).toEqual([]);
  });
});

describeInBrowser('the page of a plugin', () => {
  it('is in the navigation of the console, and reads the API as who is signed in', async () => {
    const database = await cloneDatabase();
    const prosa = ProsaProcess.start({
      DATABASE_URL: database.url,
      ENCRYPTION_KEY,
      PROSA_PLUGINS: `./${EXAMPLE}`,
      PROSA_ROLES: 'api',
      OPEN_REGISTRATION: 'true',
      PORT: '0',
    });
    const browser = await TestBrowser.start();
    try {
      const url = await prosa.ready(180_000);
      const send = async (path: string, body: object, token?: string) => {
        const response = await fetch(`${url}${path}`, {
          method: 'POST',
          headers: {
            'Content-Type': 'application/json',
            ...(token && { Authorization: `Bearer ${token}` }),
          },
          body: JSON.stringify(body),
        });
        expect({ path, status: response.status }).toEqual({ path, status: 201 });
        return (await response.json()) as { token: string };
      };
      const owner = { name: 'Ana', email: 'ana@example.com', password: 'correto-cavalo-bateria' };
      const { token } = await send('/api/auth/register', owner);
      const customer = '<img src=x onerror="document.title=1"> Caio';
      await send(
        '/api/user/appointments',
        { customer_name: customer, starts_at: '2031-05-20T14:00:00Z' },
        token,
      );

      const page = await browser.open(url);
      page.setDefaultTimeout(60_000);
      await page.goto('/app/plugins/appointments');
      await page.getByLabel('E-mail').fill(owner.email);
      await page.getByLabel('Senha', { exact: true }).fill(owner.password);
      await page.getByRole('button', { name: 'Entrar' }).click();
      await page.getByRole('heading', { level: 1, name: 'Agendamentos' }).waitFor();
      const frame = page.frameLocator('iframe[title="Agendamentos"]');
      await frame.getByRole('cell', { name: customer, exact: true }).waitFor();
      await frame.getByRole('columnheader', { name: 'Cliente' }).waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
      expect(problemsOf(page)).toEqual([]);

      await page.goto('/app/plugins/nothing');
      await page.getByRole('heading', { level: 1, name: 'Esta página não existe' }).waitFor();
      await page.getByRole('link', { name: 'Agendamentos' }).click();
      await page.waitForURL('**/app/plugins/appointments');
    } finally {
      await browser.stop();
      await prosa.stop();
      await database.drop();
    }
  }, 480_000);
});

describe('a plugin that hears of calls', () => {
  /** Fields of the answers that the test reads. */
  interface Answer {
    readonly token: string;
    readonly data: { readonly id: number };
    readonly conversation_id: string;
    readonly function_calls: unknown;
    readonly call_id: number;
  }

  /** Notes each event in a file, and never returns while there is a file `hang`. */
  const KEEPER = `
    import { existsSync, appendFileSync } from 'node:fs';
    import { assistantTool, AssistantToolForm, AssistantToolHandler, definePlugin, Injectable, Module } from 'prosa/plugin';
    const file = (name) => new URL(name, import.meta.url);
    class KeeperForm extends AssistantToolForm {}
    class KeeperHandler extends AssistantToolHandler {
      tools() {
        const parameters = [{ name: 'conversation_id', type: 'string', description: 'Lugar', required: false }];
        const run = async (_args, { origin }) => origin;
        return [assistantTool({ name: 'keep_place', description: 'Anota o lugar', parameters, run })];
      }
    }
    Injectable()(KeeperHandler);
    class KeeperModule {}
    Module({ providers: [KeeperHandler] })(KeeperModule);
    export default definePlugin({
      name: 'keeper',
      prosa: '*',
      module: KeeperModule,
      tools: [{ type: 'keeper.keep', names: ['keep_place'], form: KeeperForm, handler: KeeperHandler }],
      on: {
        'call.ended': async ({ id, userId, data }, { attempt }) => {
          appendFileSync(file('heard'), JSON.stringify({ id, userId, call: data.id, attempt }) + '\\n');
          if (existsSync(file('hang'))) await new Promise(() => undefined);
        },
      },
    });`;

  it('gets each end once more after kill -9, and its tool knows the chat', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'prosa-heard-'));
    const database = await cloneDatabase();
    await writeFile(join(folder, 'keeper.mjs'), KEEPER);
    await writeFile(join(folder, 'hang'), '');
    // The example of the guide, as it is.
    const [, points = ''] =
      /```js\n\/\/ plugins\/points\.mjs\n([^]*?)```/.exec(await readFile('docs/how-to/plugins.md', 'utf8')) ??
      [];
    await writeFile(join(folder, 'points.mjs'), points);
    const start = () =>
      ProsaProcess.start({
        DATABASE_URL: database.url,
        ENCRYPTION_KEY,
        PROSA_PLUGINS: `${folder}/keeper.mjs,${folder}/points.mjs`,
        PROSA_ROLES: 'api,worker',
        OPEN_REGISTRATION: 'true',
        SANDBOX_SPEED: '30',
        PORT: '0',
      });
    const heard = async () => {
      const lines = await readFile(join(folder, 'heard'), 'utf8').catch(() => '');
      return lines.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as { id: string }]));
    };
    let prosa = start();
    try {
      const url = await prosa.ready(180_000);
      const send = async (path: string, body: object, token = '') => {
        const response = await fetch(`${url}${path}`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
          body: JSON.stringify(body),
        });
        const answer = (await response.json()) as Answer;
        expect({ path, ok: response.ok, answer }).toMatchObject({ ok: true });
        return answer;
      };
      const owner = { name: 'Ana', email: 'ana@example.com', password: 'correto-cavalo-bateria' };
      const { token } = await send('/api/auth/register', owner);
      const body = assistantBody({ type: 'outbound', tools: [{ type: 'keeper.keep' }] });
      const { data: assistant } = await send('/api/user/assistant', body, token);
      const headers = { Authorization: `Bearer ${token}` };
      const details = await fetch(`${url}/api/user/assistant/${assistant.id}`, { headers });
      const { uuid } = (await details.json()) as { uuid: string };

      const opened = await send('/api/conversations', { assistant_id: uuid, type: 'test' }, token);
      const messages = `/api/conversations/${opened.conversation_id}/messages`;
      const message = 'Anota o lugar (keep_place): conversation_id "another"';
      const { function_calls: calls } = await send(messages, { message }, token);
      expect(calls).toMatchObject([
        { name: 'keep_place', result: { assistantId: assistant.id, conversationId: opened.conversation_id } },
      ]);

      const client = new Client({ connectionString: database.url });
      await client.connect();
      await client.query('UPDATE wallets SET balance_micros = 10000000');
      await client.end();
      const call = { phone_number: '+5511987654321', assistant_id: assistant.id, variables: {} };
      const { call_id: callId } = await send('/api/user/make_call', call, token);
      await until(async () => (await heard()).length === 1, 90_000);
      await prosa.says(/points for a call/, 30_000);
      prosa.kill('SIGKILL');
      await prosa.exit();

      await rm(join(folder, 'hang'));
      prosa = start();
      await prosa.ready(180_000);
      await until(async () => (await heard()).length === 2, 120_000);
      const [first, second] = await heard();
      expect(first).toEqual({ id: expect.stringMatching(/^msg_/), userId: 1, call: callId, attempt: 1 });
      expect(second).toEqual({ ...first, attempt: 2 });
    } finally {
      await prosa.stop();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    }
  }, 600_000);
});

describe('npm run plugin:new', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'prosa-new-plugin-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const make = (...words: string[]) => run(process.execPath, ['scripts/new-plugin.mjs', ...words]);

  it('makes a plugin that compiles, whose contract test passes, and that starts, as docs/how-to/plugins.md tells', async () => {
    const plugin = join(folder, 'shop-orders');
    const [, commands = ''] =
      /```sh\n(npm ci\n[^]*?)```/.exec(await readFile('docs/how-to/plugins.md', 'utf8')) ?? [];
    const lines = commands.trim().split('\n');
    // Everything is installed and built here already, and other tests run it.
    expect(lines.splice(0, 2)).toEqual(['npm ci', 'npm run build']);
    expect(lines.pop()).toBe('PROSA_PLUGINS=./plugins/shop-orders npm start');
    const { PATH = '', HOME = '' } = process.env;
    const database = await emptyDatabase();
    try {
      const environment = { DATABASE_URL: database.url, ENCRYPTION_KEY };
      const script = lines.join('\n').replaceAll('plugins/shop-orders', plugin);
      const { stdout } = await run('bash', ['-ec', script], { env: { PATH, HOME, ...environment } });
      expect(Number(/^# pass (\d+)$/m.exec(stdout)?.[1] ?? /^ℹ pass (\d+)$/m.exec(stdout)?.[1])).toBe(4);
      await answers(
        ProsaProcess.start({ ...environment, PROSA_PLUGINS: plugin, PORT: '0' }),
        '/api/user/shop-orders',
      );
    } finally {
      await database.drop();
    }
  }, 480_000);

  it('makes one that works in the image: in plugins/ next to dist/, without sources and types', async () => {
    const image = await imageFolder();
    const database = await emptyDatabase();
    try {
      await cp(join(folder, 'shop-orders'), join(image, 'plugins', 'shop-orders'), { recursive: true });
      const prosa = ProsaProcess.start(
        {
          DATABASE_URL: database.url,
          ENCRYPTION_KEY,
          PROSA_PLUGINS: './plugins/shop-orders',
          PORT: '0',
        },
        'dist/main.js',
        image,
      );
      await answers(prosa, '/api/user/shop-orders');
    } finally {
      await database.drop();
      await rm(image, { recursive: true, force: true });
    }
  }, 240_000);

  /** Waits for the start, asks for a route of a plugin, and ends it. */
  async function answers(prosa: ProsaProcess, path: string): Promise<void> {
    try {
      const url = await prosa.ready();
      expect((await fetch(`${url}${path}`)).status).toBe(401);
      expect((await fetch(`${url}${path}s`)).status).toBe(404);
    } finally {
      expect(await prosa.stop()).toBe(0);
    }
  }

  it('says in a sentence what is wrong with a name, or with a folder that is there', async () => {
    await expect(make('Shop')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Shop is no name for a plugin: .*\n$/),
    });
    await expect(make('shop', folder)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/is there already/),
    });
  });
});
