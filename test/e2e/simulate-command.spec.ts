import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openDemo } from '../../src/boot/first-start/demo-assistant.js';
import { AssistantsService } from '../../src/modules/assistants/assistants.service.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { buildProduct } from '../support/prosa-process.js';

const execute = promisify(execFile);
const DEMO = 'examples/simulations/demo.json';

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

describe('The simulate command', () => {
  let app: TestApp;
  let account: TestAccount;
  let assistant: string;
  let folder: string;

  beforeAll(async () => {
    await buildProduct();
    folder = await mkdtemp(join(tmpdir(), 'prosa-simulate-'));
    app = await TestApp.start({ PROSA_ROLES: 'api,worker' });
    account = await app.account();
    await openDemo(app.app, account.userId);
    const [demo] = await app.app.get(AssistantsService).list(account.userId);
    assistant = String(demo?.id);
  }, 180_000);
  afterAll(async () => {
    await app.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const command = (...args: string[]): Promise<Ended> =>
    execute(process.execPath, ['scripts/run.mjs', 'cli/simulate', '--url', app.origin, ...args], {
      env: { ...process.env, PROSA_KEY: account.token },
    }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }: Ended) => ({ code, stdout, stderr }),
    );

  it('passes the example of the guide against the demo assistant', async () => {
    const guide = await readFile('docs/how-to/simulation.md', 'utf8');
    const shown = /```json\n([^]*?)```/.exec(guide)?.[1] ?? '';
    expect(JSON.parse(shown)).toEqual(JSON.parse(await readFile(DEMO, 'utf8')));
    const { code, stdout, stderr } = await command('--assistant', assistant, DEMO);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('run  3  passed');
    expect(stdout).toContain('3 of 3 runs passed (100 %, at least 100 % wanted)');
  }, 60_000);

  it('fails with what was said when a draft breaks the prompt, and writes it for CI', async () => {
    const [prompt, junit, json] = ['prompt.txt', 'out.xml', 'out.json'].map((name) => join(folder, name));
    await writeFile(prompt ?? '', 'A documentação de todos os endpoints está em /docs.');
    const files = ['--prompt', prompt ?? '', '--junit', junit ?? '', '--json', json ?? '', '--runs', '1'];
    const { code, stdout } = await command('--assistant', assistant, ...files, DEMO);
    expect(code).toBe(1);
    expect(stdout).toContain('run  1  FAILED');
    expect(stdout).toContain('✗ says "0,01 dólar": O texto não está em nenhuma mensagem do assistente.');
    expect(stdout).toContain('customer: Quanto custa uma mensagem');
    expect(stdout).toContain('0 of 1 runs passed');
    const xml = await readFile(junit ?? '', 'utf8');
    expect(xml).toMatch(/<testsuite name="prosa simulation" tests="1" failures="1"/);
    const { simulations } = JSON.parse(await readFile(json ?? '', 'utf8')) as { simulations: object[] };
    expect(simulations).toEqual([expect.objectContaining({ status: 'completed', prompt_version_id: null })]);
    const few = await command('--assistant', assistant, '--prompt', prompt ?? '', '--at-least', '0%', DEMO);
    expect(few.code).toBe(0);
  }, 60_000);

  it.each([
    ['without a scenario', []],
    ['for an assistant that is not there', ['--assistant', '1999999999', DEMO]],
    ['with a wrong key', ['--key', 'prosa_wrong', DEMO]],
    ['with a file that is no scenario', ['package.json']],
    ['with a share above one', ['--at-least', '101%', DEMO]],
  ])(
    'ends with 2 %s',
    async (_how, args) => {
      const assistantOf = args.includes('--assistant') ? [] : ['--assistant', assistant];
      const { code, stderr } = await command(...assistantOf, ...args);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/\S/) });
      expect(stderr).not.toMatch(/\n {4}at /);
    },
    60_000,
  );
});
