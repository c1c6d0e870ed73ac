import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { freePort } from '../support/free-port.js';
import { until } from '../support/until.js';

const PAGE = 'docs/how-to/look-up-callers.md';
const PATIENCE_MS = 60_000;
const HAS_PYTHON = spawnSync('python3', ['--version']).status === 0;

interface Recipe {
  readonly language: string;
  readonly file: string;
  readonly program: string;
  readonly words: readonly string[];
}

const RECIPES: readonly Recipe[] = [
  {
    language: 'ts',
    file: 'lookup.ts',
    program: process.execPath,
    words: ['--import', import.meta.resolve('tsx')],
  },
  { language: 'python', file: 'lookup.py', program: 'python3', words: [] },
];

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** The servers of the guide, as a reader runs them. */
describe('the recipes of lookups', () => {
  let app: TestApp;
  let owner: TestAccount;
  let folder: string;
  const children: ChildProcess[] = [];

  beforeAll(async () => {
    app = await TestApp.start({ EGRESS_ALLOW_CIDRS: '127.0.0.0/8' });
    owner = await app.account({ balanceUsd: 1 });
    folder = await mkdtemp(join(tmpdir(), 'prosa-lookups-'));
  });
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await app.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function start({ language, file, program, words }: Recipe): Promise<string> {
    const page = await readFile(PAGE, 'utf8');
    const code = new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'm').exec(page)?.[1] ?? '';
    expect(code).not.toBe('');
    await writeFile(join(folder, file), code);
    const { body } = await app.as(owner).get('/api/user/webhook-secret').expect(200);
    const port = await freePort();
    const env = { ...process.env, NODE_OPTIONS: '', PROSA_WEBHOOK_SECRET: body.secret, PORT: String(port) };
    children.push(spawn(program, [...words, join(folder, file)], { env, stdio: 'ignore' }));
    await until(() => isListening(port), PATIENCE_MS);
    return `http://127.0.0.1:${port}/who`;
  }

  for (const recipe of RECIPES) {
    const runs = recipe.program !== 'python3' || HAS_PYTHON;
    const title = runs ? recipe.language : `${recipe.language} (left out: no python3 here)`;
    (runs ? it : it.skip)(
      `in ${title} know a customer, and answer requests of Prosa alone`,
      async () => {
        const url = await start(recipe);
        const { uuid } = await createAssistant(app, owner, { lookup_url: url, lookup_timeout_ms: 7_500 });
        const open = async (customer_phone: string) => {
          const { body } = await app
            .as(owner)
            .post('/api/conversations')
            .send({ assistant_id: uuid, type: 'test', variables: { customer_phone } })
            .expect(200);
          const [row] = await app.query<{ variables: object }>(
            'SELECT variables FROM conversations WHERE id = $1',
            [body.conversation_id],
          );
          return { greeting: body.history[0].content as string, variables: row?.variables };
        };
        expect(await open('+5511912345678')).toEqual({
          greeting: 'Olá, Ana! Em que posso ajudar?',
          variables: { customer_phone: '+5511912345678', name: 'Ana', plan: 'gold' },
        });
        expect((await open('+5511900000000')).greeting).toBe('Olá! Como posso ajudar?');

        const body = JSON.stringify({ customer_phone: '+5511912345678' });
        const forged = await fetch(url, {
          method: 'POST',
          headers: {
            'webhook-id': 'msg_1',
            'webhook-timestamp': String(Math.floor(Date.now() / 1_000)),
            'webhook-signature': 'v1,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
          },
          body,
        });
        expect(forged.status).toBe(401);
        expect((await fetch(url, { method: 'POST', body })).status).toBe(401);
      },
      PATIENCE_MS * 2,
    );
  }
});
