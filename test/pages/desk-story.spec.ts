import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import { ChatModelRegistry } from '../../src/providers/llm/chat-model-registry.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { buildPages, describeInBrowser, problemsOf, TestBrowser } from '../support/browser.js';
import { createAssistant } from '../support/builders.js';
import { ScriptedChatModel } from '../support/scripted-chat-model.js';
import { until } from '../support/until.js';
import { type OpenedWebCall, WebCaller } from '../support/web-caller.js';

const PASSWORD = 'correto-cavalo-bateria';
const GREETING = 'Olá! Em que posso ajudar?';
const NOTE = 'O cliente quer a segunda via do boleto.';
const TALKING = 'Você está falando com o cliente';

interface CallBody {
  readonly status: string;
  readonly live: { readonly holder: string } | null;
  readonly desk: readonly { readonly event: string; readonly text: string | null }[];
}

describeInBrowser('A person at the desk, with the real server', () => {
  let app: TestApp;
  let browser: TestBrowser;
  let owner: TestAccount;
  let assistant: { readonly id: number };
  let dataDir: string;

  beforeAll(async () => {
    await buildPages();
    dataDir = await mkdtemp(join(tmpdir(), 'prosa-pages-'));
    [app, browser] = await Promise.all([
      TestApp.start({ PROSA_ROLES: 'api,worker,voice', DATA_DIR: dataDir }),
      TestBrowser.start(['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']),
    ]);
    owner = await app.account({ balanceUsd: 25, password: PASSWORD });
    assistant = await createAssistant(app, owner, { initial_message: GREETING });
  }, 240_000);
  afterEach(async () => {
    jest.restoreAllMocks();
    await browser.closeWindows();
  });
  afterAll(async () => {
    await browser.stop();
    await app.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('takes the call over, keeps it over a reload, and hands it back with a note that the assistant knows', async () => {
    const model = new ScriptedChatModel(() => ({ text: 'Claro.' }));
    jest.spyOn(app.app.get(ChatModelRegistry, { strict: false }), 'select').mockResolvedValue(model);
    const { body } = await app
      .as(owner)
      .post(`/api/user/assistant/${assistant.id}/web-call`)
      .send({})
      .expect(201);
    const opened = body.data as OpenedWebCall;
    const caller = await WebCaller.connect(opened);
    const callOf = async () =>
      (await app.as(owner).get(`/api/user/calls/${opened.call_id}`).expect(200)).body as CallBody;
    await until(async () => (await callOf()).status === 'in-progress');

    const page = await browser.openConsole(app.origin, { email: owner.email, password: PASSWORD }, '/live');
    await page.evaluate("localStorage.setItem('prosa.desk.reminded', 'true')");
    await page.goto(`/app/live?call=${opened.call_id}`);
    const desk = page.getByRole('region', { name: /^Ligação de/ });
    const log = desk.getByRole('log');
    await log.getByText(GREETING).waitFor();

    // What was said before is shown while the desk still connects.
    await until(() => desk.getByRole('button', { name: 'Assumir a ligação' }).isEnabled());
    await page.keyboard.press('t');
    await desk.getByText(TALKING).waitFor();
    await until(async () => (await callOf()).live?.holder === 'agent');
    // The sound of the browser's microphone is heard.
    const before = caller.soundMs;
    await until(() => caller.soundMs > before + 500);

    await page.reload();
    await desk.getByText(TALKING).waitFor();
    const again = caller.soundMs;
    await until(() => caller.soundMs > again + 500);

    await desk.getByLabel('Recado para o assistente (opcional)').fill(NOTE);
    await desk.getByRole('button', { name: 'Devolver ao assistente' }).click();
    await desk.getByLabel('Sussurrar para o assistente').waitFor();
    caller.type('Tudo bem?');
    await log.getByText('Claro.').waitFor();
    expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain(NOTE);

    await page.keyboard.press('t');
    await desk.getByText(TALKING).waitFor();
    await desk.getByRole('button', { name: 'Fechar e parar de ouvir' }).click();
    await page.getByRole('button', { name: 'Devolver e sair' }).click();
    await desk.waitFor({ state: 'detached' });
    await until(async () => (await callOf()).live?.holder === 'assistant');
    const changes = (await callOf()).desk.filter(({ event }) => event !== 'listened');
    expect(changes.map(({ event, text }) => [event, text])).toEqual([
      ['taken_over', null],
      ['handed_back', NOTE],
      ['taken_over', null],
      ['handed_back', null],
    ]);
    caller.hangUp();
    await caller.closed();
    expect(problemsOf(page)).toEqual([]);
  }, 120_000);
});
