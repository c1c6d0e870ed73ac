import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { ChatModelRegistry } from '../../src/providers/llm/chat-model-registry.js';
import { type TestAccount, TestApp } from '../support/app.js';
import {
  accessibilityFindings,
  buildPages,
  describeInBrowser,
  type Look,
  overflowOf,
  problemsOf,
  setScheme,
  TestBrowser,
} from '../support/browser.js';
import { createAssistant, createTool } from '../support/builders.js';
import { CallListener, type MonitorGrant } from '../support/call-listener.js';
import { answerJson, LocalServer } from '../support/http-server.js';
import { ScriptedChatModel } from '../support/scripted-chat-model.js';
import { until } from '../support/until.js';
import { type Level, MEASURE_SOUND } from '../support/voice/fake-microphone.js';
import { type OpenedWebCall, WebCaller } from '../support/web-caller.js';

const PASSWORD = 'correto-cavalo-bateria';
const GREETING = 'Olá! Aqui é a Padaria Central. Em que posso ajudar você hoje?';
const ANNOUNCEMENT = 'Aviso: nossa equipe pode acompanhar esta ligação.';
const WHISPER = 'ofereça dez por cento no plano anual';
const LOUD = 0.02;

interface CallBody {
  readonly status: string;
  readonly live: { readonly listeners: number } | null;
  readonly desk: readonly { readonly event: string; readonly text: string | null }[];
}

describeInBrowser('The desk of a live call in the console', () => {
  let app: TestApp;
  let browser: TestBrowser;
  let owner: TestAccount;
  let assistant: { readonly id: number };
  let server: LocalServer;
  let dataDir: string;
  let callers: WebCaller[] = [];

  beforeAll(async () => {
    await buildPages();
    dataDir = await mkdtemp(join(tmpdir(), 'prosa-pages-'));
    server = await LocalServer.start((_request, response) => answerJson(response, { booked: true }));
    [app, browser] = await Promise.all([
      TestApp.start({
        PROSA_ROLES: 'api,worker,voice',
        DATA_DIR: dataDir,
        EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
      }),
      TestBrowser.start(),
    ]);
    owner = await app.account({ balanceUsd: 25, password: PASSWORD });
    const tool = await createTool(app, owner, {
      name: 'reservar',
      endpoint: `${server.url}/book`,
      method: 'POST',
      schema: [],
    });
    assistant = await createAssistant(app, owner, {
      name: 'Recepção',
      initial_message: GREETING,
      tool_ids: [tool],
    });
  }, 240_000);
  afterEach(async () => {
    jest.restoreAllMocks();
    await browser.closeWindows();
    for (const caller of callers) if (caller.closeCode === null) caller.hangUp();
    await Promise.all(callers.map((caller) => caller.closed()));
    callers = [];
  });
  afterAll(async () => {
    await browser.stop();
    await app.stop();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  function answering(): ScriptedChatModel {
    const model = new ScriptedChatModel(({ messages }, turn) => {
      const last = messages.findLast(({ role }) => role === 'user');
      return last?.content === 'Quero reservar.' && turn === 0
        ? { calls: [{ name: 'reservar', args: {} }] }
        : { text: 'Posso ajudar em algo mais?' };
    });
    jest.spyOn(app.app.get(ChatModelRegistry, { strict: false }), 'select').mockResolvedValue(model);
    return model;
  }

  async function call({ id: assistantId } = assistant): Promise<{
    readonly id: number;
    readonly caller: WebCaller;
  }> {
    const { body } = await app
      .as(owner)
      .post(`/api/user/assistant/${assistantId}/web-call`)
      .send({})
      .expect(201);
    const { call_id: id } = body.data as OpenedWebCall;
    const caller = await WebCaller.connect(body.data as OpenedWebCall);
    callers.push(caller);
    await until(async () => (await callOf(id)).status === 'in-progress');
    return { id, caller };
  }

  const callOf = async (id: number) =>
    (await app.as(owner).get(`/api/user/calls/${id}`).expect(200)).body as CallBody;

  /** @param isReminded the browser has shown the reminder before */
  async function openLive(look: Look = {}, path = '/app/live', isReminded = true): Promise<Page> {
    const page = await browser.signIn(app.origin, { email: owner.email, password: PASSWORD }, look);
    await page.addInitScript(MEASURE_SOUND);
    if (isReminded) await page.addInitScript("localStorage.setItem('prosa.desk.reminded', 'true')");
    await page.goto(path);
    return page;
  }

  const deskOf = (page: Page) => page.getByRole('region', { name: /^(Ligação de|Call with)/ });
  const logOf = (page: Page) => deskOf(page).getByRole('log');
  const isFocused = (target: Locator) => target.evaluate((element) => element.matches(':focus'));
  const press = (page: Page, name: string) => deskOf(page).getByRole('button', { name, exact: true }).click();

  it('reminds of the duty to say so once, and then plays the call and shows what is said and done', async () => {
    answering();
    const { id, caller } = await call();
    const page = await openLive({}, '/app/live', false);
    await page.getByRole('button', { name: 'Ouvir a ligação de visitante da web' }).click();
    const desk = deskOf(page);
    await desk.getByText('Em muitos lugares, quem ouve uma ligação precisa avisar').waitFor();
    expect((await callOf(id)).desk).toEqual([]);
    expect(await accessibilityFindings(page)).toEqual([]);
    await press(page, 'Entendi, ouvir a ligação');
    await desk.getByRole('status').filter({ hasText: 'Você está ouvindo a ligação.' }).waitFor();
    await desk.getByText('1 pessoa ouvindo').waitFor();
    await desk.getByText('Com o assistente').waitFor();
    await logOf(page).getByText(GREETING).waitFor();
    await until(async () => {
      const { speaker } = await page.evaluate<{ speaker: readonly Level[] }>('levels');
      return speaker.filter(({ level }) => level > LOUD).length > 20;
    });

    caller.type('Quero reservar.');
    await logOf(page).getByText('Quero reservar.').waitFor();
    await logOf(page).getByText('Ferramenta reservar: concluída').waitFor();
    await logOf(page).getByText('Posso ajudar em algo mais?').waitFor();
    for (const scheme of ['light', 'dark'] as const) {
      await setScheme(page, scheme);
      expect([scheme, await accessibilityFindings(page)]).toEqual([scheme, []]);
    }

    await press(page, 'Fechar e parar de ouvir');
    await desk.waitFor({ state: 'detached' });
    await page.getByText('1 pessoa ouvindo').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Ouvir a ligação de visitante da web' }).click();
    // What was said before is there again.
    await logOf(page).getByText(GREETING).waitFor();
    await press(page, 'Saiba mais');
    await desk.getByText('O registro da ligação mostra quem ouviu').waitFor();
    caller.hangUp();
    await desk.getByText('A ligação terminou.').first().waitFor();
    expect((await callOf(id)).desk.map(({ event }) => event)).toEqual(['listened', 'listened']);
    expect(problemsOf(page)).toEqual([]);
  }, 120_000);

  it('says that the customer is notified, in place of the reminder, until the call is heard', async () => {
    answering();
    const announcing = await createAssistant(app, owner, {
      initial_message: GREETING,
      monitoring_announcement: { text: ANNOUNCEMENT, tone: false },
    });
    const { id, caller } = await call(announcing);
    const page = await openLive({}, '/app/live', false);
    await page.getByRole('button', { name: 'Ouvir a ligação de visitante da web' }).click();
    const desk = deskOf(page);
    const status = (text: string) => desk.getByRole('status').filter({ hasText: text }).waitFor();
    await status('O cliente está ouvindo o aviso.');
    expect(await desk.getByRole('button', { name: 'Entendi, ouvir a ligação' }).count()).toBe(0);
    expect(await accessibilityFindings(page)).toEqual([]);
    await logOf(page).getByText(ANNOUNCEMENT).waitFor();
    await status('Você está ouvindo a ligação.');
    await desk.getByText('O cliente é avisado de que a ligação pode ser acompanhada.').waitFor();
    await press(page, 'Saiba mais');
    await desk.getByText(`o assistente diz: “${ANNOUNCEMENT}”`).waitFor();
    expect(await desk.getByText('Avise que você está ouvindo').count()).toBe(0);
    expect(caller.shown.some(({ text }) => text === ANNOUNCEMENT)).toBe(true);
    expect((await callOf(id)).desk.map(({ event }) => event)).toEqual(['listened']);

    // A later change of the assistant does not concern the call.
    const path = `/api/user/assistant/${announcing.id}`;
    await app.as(owner).put(path).send({ monitoring_announcement: null }).expect(200);
    const refetched = page.waitForResponse((response) => response.url().includes('live=true'));
    await call();
    await refetched;
    await page.waitForTimeout(1_000);
    expect(await desk.getByText('Antes de ouvir').count()).toBe(0);
    await desk.getByText('O cliente é avisado de que a ligação pode ser acompanhada.').waitFor();
    expect(problemsOf(page)).toEqual([]);
  }, 120_000);

  it('whispers, says words and hangs up', async () => {
    const model = answering();
    const { id, caller } = await call();
    const page = await openLive({}, `/app/live?call=${id}`);
    await logOf(page).getByText(GREETING).waitFor();
    const whisper = deskOf(page).getByLabel('Sussurrar para o assistente');
    await whisper.fill(WHISPER);
    await whisper.press('Enter');
    await logOf(page).getByText('Sussurro · o assistente recebeu').waitFor();
    expect(await whisper.inputValue()).toBe('');
    caller.type('Está caro.');
    await logOf(page).getByText('Posso ajudar em algo mais?').waitFor();
    expect(model.requests[0]?.messages[0]?.content).toContain(WHISPER);

    await whisper.fill('x'.repeat(1_001));
    await deskOf(page).getByText('1 caractere além do limite').waitFor();
    await whisper.fill('');
    const say = deskOf(page).getByLabel('Falar pelo assistente');
    await say.fill('Um momento, por favor.');
    await press(page, 'Falar');
    await until(async () => caller.shown.some(({ text }) => text === 'Um momento, por favor.'));
    await logOf(page).getByText('Fala pelo assistente', { exact: false }).waitFor({ state: 'detached' });
    await logOf(page).getByText('Um momento, por favor.').waitFor();

    await press(page, 'Desligar');
    const dialog = page.getByRole('dialog', { name: 'Desligar' });
    await dialog.getByText('Desligar agora? A ligação termina para o cliente.').waitFor();
    await dialog.getByRole('button', { name: 'Desligar' }).click();
    await deskOf(page).getByText('A ligação terminou.').first().waitFor();
    await caller.closed();
    expect((await callOf(id)).desk.map(({ event, text }) => [event, text])).toEqual([
      ['listened', null],
      ['whispered', WHISPER],
      ['said', 'Um momento, por favor.'],
      ['hung_up', null],
    ]);
    expect(problemsOf(page)).toEqual([]);
  }, 120_000);

  it('works by keyboard alone, and by no key while a person types', async () => {
    answering();
    const { id } = await call();
    const { id: other } = await call();
    const page = await openLive();
    const links = page.getByRole('list', { name: 'Ligações ao vivo' }).getByRole('link');
    await until(async () => (await links.count()) === 2);
    await page.keyboard.press('j');
    expect(await isFocused(links.first())).toBe(true);
    await page.keyboard.press('ArrowDown');
    expect(await isFocused(links.last())).toBe(true);
    await page.keyboard.press('k');
    await page.keyboard.press('l');
    await page.waitForURL(`**/app/live?call=${id}`);
    await until(() => isFocused(deskOf(page).getByRole('heading', { name: 'Ligação de visitante da web' })));
    await logOf(page).getByText(GREETING).waitFor();
    // What was said before is shown while the desk still connects.
    await until(() => deskOf(page).getByRole('button', { name: 'Assumir a ligação' }).isEnabled());
    await page.keyboard.press('w');
    await until(() => isFocused(deskOf(page).getByLabel('Sussurrar para o assistente')));
    await page.keyboard.type('jkltwbm?');
    expect(await deskOf(page).getByLabel('Sussurrar para o assistente').inputValue()).toBe('jkltwbm?');
    expect(page.url()).toContain(`call=${id}`);
    await deskOf(page).getByRole('button', { name: 'Fechar e parar de ouvir' }).press('Enter');
    await until(() => isFocused(links.first()));
    await page.keyboard.press('j');
    await page.keyboard.press('l');
    await page.waitForURL(`**/app/live?call=${other}`);
    await page.keyboard.press('Shift+?');
    const help = page.getByRole('dialog', { name: 'Atalhos do teclado' });
    await help.getByText('Assumir a ligação').waitFor();
    await help.getByRole('switch', { name: 'Ativar atalhos de uma tecla' }).click();
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'hidden' });
    await page.keyboard.press('k');
    expect(await isFocused(links.first())).toBe(false);
    expect(problemsOf(page)).toEqual([]);
  }, 120_000);

  it('fits a telephone, in English, and leads there from the details of a call', async () => {
    answering();
    const { id } = await call();
    const page = await openLive({ width: 390, locale: 'en-US' }, `/app/calls?call=${id}`);
    await page.getByRole('dialog').getByRole('link', { name: 'Listen to the call' }).click();
    await page.waitForURL(`**/app/live?call=${id}`);
    await logOf(page).getByText(GREETING).waitFor();
    await deskOf(page).getByText('The customer does not hear it.').waitFor();
    expect(await page.getByRole('list', { name: 'Live calls' }).count()).toBe(0);
    for (const scheme of ['light', 'dark'] as const) {
      await setScheme(page, scheme);
      expect([scheme, await overflowOf(page), await accessibilityFindings(page)]).toEqual([scheme, 0, []]);
    }
    await deskOf(page).getByRole('button', { name: 'Close and stop listening' }).click();
    await page.getByRole('list', { name: 'Live calls' }).waitFor();
    expect(await overflowOf(page)).toBe(0);
    expect(problemsOf(page)).toEqual([]);
  }, 120_000);

  it('says why a call cannot be heard', async () => {
    answering();
    const { id } = await call();
    const listen = async () => {
      const { body } = await app.as(owner).post(`/api/user/calls/${id}/monitor`).expect(201);
      return CallListener.connect(body.data as MonitorGrant);
    };
    const listeners = [await listen(), await listen(), await listen()];
    const page = await openLive({}, `/app/live?call=${id}`);
    await deskOf(page).getByText('Esta ligação já tem 3 ouvintes.').last().waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    listeners[0]?.socket.close();
    await until(async () => (await callOf(id)).live?.listeners === 2);
    await press(page, 'Tentar de novo');
    await deskOf(page).getByText('3 pessoas ouvindo').waitFor();
    for (const { socket } of listeners) socket.close();
  }, 120_000);
});
