import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { rmsOf } from '@prosa/audio';
import { EspeakProcess } from '../../src/providers/speech/sandbox/espeak-process.js';
import { SpeechProviderRegistry } from '../../src/providers/speech/speech-provider-registry.js';
import { type TestAccount, TestApp } from '../support/app.js';
import {
  accessibilityFindings,
  buildPages,
  describeInBrowser,
  type Look,
  overflowOf,
  problemsOf,
  TestBrowser,
} from '../support/browser.js';
import { type CreatedAssistant, createAssistant } from '../support/builders.js';
import { LocalServer } from '../support/http-server.js';
import { until } from '../support/until.js';
import { spoken } from '@prosa/testing';
import { recordingSides } from '../support/voice/recording-sides.js';
import {
  type Level,
  MEASURE_SOUND,
  microphoneArgs,
  writeMicrophone,
} from '../support/voice/fake-microphone.js';

/** Longer than the test lets it be, said slowly. */
const GREETING =
  'Olá! Aqui é a Padaria Central. Hoje temos pão francês, pão de queijo, pão integral, broa de milho, bolo de cenoura, torta de limão, sonho de creme, café coado, café com leite e suco de laranja.';
const QUESTION = 'Qual é o horário de atendimento?';
const ANSWER = 'O horário de atendimento é das 6 às 20 horas.';
const SENSITIVITY_MS = 300;
/** What the way there and back and a busy machine may add. */
const SLACK_MS = 1_500;
/** Between two times that the microphone hears the question. */
const PAUSE_MS = 4_000;
const MICROPHONE_HZ = 48_000;
const RECORDING_HZ = 8_000;
const LOUD = 0.02;
const SILENT = 0.005;

interface Turn {
  readonly role: 'assistant' | 'customer';
  readonly text: string;
  readonly start_ms: number;
  readonly end_ms: number;
  readonly interrupted: boolean;
}

interface ReadCall {
  readonly id: number;
  readonly status: string;
  readonly type: string;
  readonly transcript: string;
  readonly turns: readonly Turn[];
  readonly quality: { readonly turns: readonly unknown[] } | null;
  readonly total_cost: number;
  readonly recording_url?: string;
}

// Counted as skipped where there is no browser, or the optional package of espeak-ng is not there.
(EspeakProcess.isInstalled() ? describeInBrowser : describe.skip)('A call from a real browser', () => {
  let app: TestApp;
  let owner: TestAccount;
  let browser: TestBrowser;
  let folder: string;
  let page: Page;
  let call: ReadCall;
  let assistant: CreatedAssistant;
  let site: LocalServer;
  let language = 'pt-BR';

  beforeAll(async () => {
    await buildPages();
    folder = await mkdtemp(join(tmpdir(), 'prosa-browser-call-'));
    const microphone = join(folder, 'microphone.wav');
    const question = await spoken(QUESTION, MICROPHONE_HZ);
    await writeMicrophone(microphone, MICROPHONE_HZ, question, PAUSE_MS);
    [app, browser] = await Promise.all([
      TestApp.start({ PROSA_ROLES: 'api,worker,voice', DATA_DIR: folder }),
      TestBrowser.start(microphoneArgs(microphone)),
    ]);
    owner = await app.account({ balanceUsd: 50 });
    await app.app.get(SpeechProviderRegistry).sandbox.ready();
    assistant = await createAssistant(app, owner, {
      initial_message: GREETING,
      system_prompt: `Você atende os clientes da Padaria Central. ${ANSWER}`,
      interrupt_sensitivity: SENSITIVITY_MS / 1_000,
      speech_speed: 0.7,
      record: true,
    });
    site = await LocalServer.start((_request, response) => {
      const hosts = `${app.origin} ${app.origin.replace('http', 'ws')}`;
      response
        .writeHead(200, {
          'Content-Type': 'text/html; charset=utf-8',
          'Content-Security-Policy': `default-src 'none'; script-src ${app.origin}; connect-src ${hosts}`,
        })
        .end(
          `<!doctype html><html lang="${language}"><meta name="viewport" content="width=device-width">` +
            '<meta name="color-scheme" content="light dark"><title>Loja</title>' +
            `<main><h1>Loja</h1></main><script src="${app.origin}/widget.js" data-assistant="${assistant.uuid}" data-talk async></script>`,
        );
    });
    page = await browser.open(app.origin);
    await page.addInitScript(MEASURE_SOUND);
    await page.goto(`/talk/${assistant.uuid}`);
  }, 180_000);
  afterAll(async () => {
    await browser.stop();
    await Promise.all([app.stop(), site.stop()]);
    await rm(folder, { recursive: true, force: true });
  });

  const readCall = async () => {
    const { body } = await app.as(owner).get('/api/user/calls').expect(200);
    const { id } = body.data[0] as { id: number };
    return (await app.as(owner).get(`/api/user/calls/${id}`).expect(200)).body as ReadCall;
  };
  const levelsOf = (side: 'microphone' | 'speaker') => page.evaluate<Level[]>(`levels.${side}`);
  const lastLoudMs = (levels: readonly Level[]) =>
    levels.findLast(({ level }) => level > LOUD)?.atMs ?? Number.NaN;
  const shown = (role: Turn['role'], text: string) =>
    page.locator(`#transcript .${role}`).filter({ hasText: text }).first().waitFor({ timeout: 60_000 });
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

  it('hears the assistant, interrupts it by speaking, is answered what it asks, and hangs up', async () => {
    await press('Falar');
    await press('Silenciar microfone');
    await until(
      async () => (await levelsOf('speaker')).filter(({ level }) => level > LOUD).length > 50,
      60_000,
    );
    // The question was just over: there is time until the next.
    await until(async () => {
      const levels = await levelsOf('microphone');
      const silentMs = (levels.at(-1)?.atMs ?? 0) - lastLoudMs(levels);
      return silentMs > 300 && silentMs < PAUSE_MS / 2;
    }, 20_000);
    const openedMs = await page.evaluate<number>('performance.now()');
    await press('Silenciar microfone');
    await shown('customer', QUESTION);
    await press('Silenciar microfone');
    await shown('assistant', ANSWER);
    const spokeMs = (await levelsOf('microphone')).find(
      ({ atMs, level }) => atMs > openedMs && level > LOUD,
    )!.atMs;
    const speaker = await levelsOf('speaker');
    const isHeard = (fromMs: number, toMs: number) =>
      speaker.some(({ atMs, level }) => atMs > fromMs && atMs < toMs && level > LOUD);
    // While the customer began to speak, the assistant did, and not much longer.
    expect(isHeard(spokeMs - 1_000, spokeMs)).toBe(true);
    const silentAfterMs = lastLoudMs(speaker.filter(({ atMs }) => atMs < spokeMs + 2_000)) - spokeMs;
    expect(silentAfterMs).toBeLessThan(SENSITIVITY_MS + SLACK_MS);
    await press('Desligar');
    await page.getByText('Ligação encerrada.').waitFor();
    await page.getByRole('button', { name: 'Falar' }).waitFor();
    expect(problemsOf(page)).toEqual([]);
  }, 150_000);

  it('is a call like any other: with its turns, its quality and its cost', async () => {
    await until(async () => (await readCall()).status === 'completed', 60_000);
    call = await readCall();
    const [greeting, question] = call.turns;
    expect(greeting).toMatchObject({ role: 'assistant', interrupted: true });
    expect(GREETING.startsWith(greeting!.text.slice(0, 30))).toBe(true);
    expect(greeting!.text.length).toBeLessThan(GREETING.length);
    expect(question).toMatchObject({ role: 'customer', text: QUESTION });
    expect(turnOf(ANSWER).role).toBe('assistant');
    expect(call.type).toBe('web');
    expect(call.quality?.turns.length).toBeGreaterThan(0);
    expect(call.total_cost).toBeGreaterThan(0);
  }, 90_000);

  it('leaves a recording in which each side is heard at its time, and the assistant falls silent when it is talked over', async () => {
    const { pathname, search } = new URL(call.recording_url ?? '');
    const { body } = await app.http
      .get(pathname + search)
      .responseType('blob')
      .expect(200);
    const path = join(folder, 'recording.ogg');
    await writeFile(path, body as Buffer);
    const { customer, assistant } = await recordingSides(path, RECORDING_HZ, 20_000);
    const level = (side: Int16Array, fromMs: number, toMs: number) =>
      rmsOf(side.subarray((fromMs * RECORDING_HZ) / 1_000, (toMs * RECORDING_HZ) / 1_000));
    const [greeting, question, answer] = [call.turns[0]!, turnOf(QUESTION), turnOf(ANSWER)];
    expect(level(assistant, greeting.start_ms + 200, greeting.end_ms - 500)).toBeGreaterThan(LOUD);
    expect(level(customer, question.start_ms + 200, question.end_ms - 200)).toBeGreaterThan(LOUD);
    expect(level(assistant, question.end_ms - 500, question.end_ms)).toBeLessThan(SILENT);
    expect(level(assistant, answer.start_ms + 200, answer.end_ms - 200)).toBeGreaterThan(LOUD);
    expect(level(customer, answer.start_ms + 200, answer.end_ms - 200)).toBeLessThan(SILENT);
  }, 60_000);

  it('starts a new call unmuted after a muted one, and shows that', async () => {
    // The first call was hung up while it was muted.
    await press('Falar');
    const button = page.locator('#mute');
    await button.waitFor();
    expect([await button.textContent(), await button.getAttribute('aria-pressed')]).toEqual([
      'Silenciar microfone',
      'false',
    ]);
    await press('Desligar');
    await page.getByText('Ligação encerrada.').waitFor();
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);

  it('takes typed words on plain http, where browsers give neither microphone nor voice', async () => {
    const plain = await browser.open(app.origin);
    await plain.addInitScript(`{
      const none = { get: () => undefined };
      Object.defineProperty(BaseAudioContext.prototype, 'audioWorklet', none);
      Object.defineProperty(navigator, 'mediaDevices', none);
      Object.defineProperty(window, 'isSecureContext', { get: () => false });
    }`);
    await plain.goto(`/talk/${assistant.uuid}`);
    await plain.getByRole('button', { name: 'Falar' }).click();
    await plain.getByText('Você ainda pode digitar e ler.').waitFor();
    const words = plain.getByLabel('Digite o que quer dizer');
    await words.fill(QUESTION);
    await words.press('Enter');
    const answers = plain.locator('#transcript .assistant').filter({ hasText: ANSWER });
    await answers.first().waitFor({ timeout: 60_000 });
    await plain.getByRole('button', { name: 'Desligar' }).click();
    await plain.getByText('Ligação encerrada.').waitFor();
    expect(problemsOf(plain)).toEqual([]);
  }, 90_000);

  describe('from the chat on a page', () => {
    /** Opens the page of another origin, and its chat; `before` is called ahead of the page's own scripts. */
    async function visit(
      look: Look = {},
      before: (page: Page) => Promise<unknown> = async () => {},
    ): Promise<Page> {
      const visited = await browser.open(site.url.replace('127.0.0.1', 'localhost'), look);
      await visited.addInitScript(MEASURE_SOUND);
      await before(visited);
      await visited.goto('/');
      await visited.locator('prosa-chat .launcher').click();
      return visited;
    }
    const button = (of: Page, name: string) => of.getByRole('button', { name, exact: true });
    const status = (of: Page, text: string) => of.locator('.call .state').getByText(text).waitFor();
    const microphoneFails = (name: string) => (of: Page) =>
      of.addInitScript(
        `navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', '${name}'));`,
      );

    afterAll(() => {
      language = 'pt-BR';
    });

    it('is heard and understood under a strict policy, shows who speaks, and is hung up', async () => {
      const visited = await visit({ width: 320, height: 568 });
      await visited.evaluate(`{
        window.states = [];
        prosaChat.on('call', ({ state }) => states.push(state));
      }`);
      await button(visited, 'Falar por voz').press('Enter');
      await status(visited, 'Falando…');
      expect(await overflowOf(visited)).toBeLessThanOrEqual(0);
      expect(await accessibilityFindings(visited)).toEqual([]);
      const captions = visited.getByRole('log', { name: 'Transcrição' });
      await captions.getByText(QUESTION).first().waitFor({ timeout: 60_000 });
      await button(visited, 'Silenciar o microfone').press('Space');
      await visited.getByText('Seu microfone está silenciado.').waitFor();
      await visited.emulateMedia({ colorScheme: 'dark' });
      expect(await accessibilityFindings(visited)).toEqual([]);
      await captions.getByText(ANSWER).first().waitFor({ timeout: 60_000 });
      expect(
        (await visited.evaluate<Level[]>('levels.speaker')).filter(({ level }) => level > LOUD).length,
      ).toBeGreaterThan(50);
      // A key that closes things ends no call.
      await visited.keyboard.press('Escape');
      await button(visited, 'Desligar').press('Enter');
      await status(visited, 'Ligação encerrada.');
      expect(await visited.evaluate('states')).toEqual(['begun', 'ended']);
      expect(await accessibilityFindings(visited)).toEqual([]);
      await button(visited, 'Voltar ao chat').press('Enter');
      await visited.getByRole('textbox').waitFor();
      expect(problemsOf(visited)).toEqual([]);
      await until(async () => (await readCall()).status === 'completed', 60_000);
      expect(await readCall()).toMatchObject({ type: 'web', turns: expect.any(Array) });
    }, 150_000);

    it('ends with the chat that is closed', async () => {
      const visited = await visit();
      await button(visited, 'Falar por voz').click();
      await button(visited, 'Desligar').waitFor();
      await status(visited, 'Falando…');
      const { id } = await readCall();
      await visited.locator('prosa-chat').getByRole('button', { name: 'Fechar o chat' }).first().click();
      await until(async () => {
        const ended = await readCall();
        return ended.id === id && ['ended_by_customer', 'completed'].includes(ended.status);
      });
    }, 60_000);

    it('says in the language of the page what is missing, and opens no call without a microphone', async () => {
      const before = (await readCall()).id;
      const refused = await visit({}, microphoneFails('NotAllowedError'));
      await button(refused, 'Falar por voz').click();
      await status(refused, 'O microfone está bloqueado.');
      expect(await refused.getByRole('link', { name: 'Falar em outra janela' }).getAttribute('href')).toBe(
        `${app.origin}/talk/${assistant.uuid}`,
      );
      expect(await accessibilityFindings(refused)).toEqual([]);
      language = 'en';
      const none = await visit({}, microphoneFails('NotFoundError'));
      await button(none, 'Talk by voice').click();
      await status(none, 'No microphone was found.');
      expect((await readCall()).id).toBe(before);
      const answers = [
        [429, 'All lines are busy. Try again in 30 seconds.', { 'Retry-After': '30' }],
        [503, 'Calls are unavailable right now. You can type instead.', {}],
        [400, 'Calls are unavailable right now. You can type instead.', {}],
      ] as const;
      const limited = await visit();
      await button(limited, 'Talk by voice').waitFor();
      for (const [code, words, headers] of answers) {
        await limited.route(`${app.origin}/api/web-calls`, (route) =>
          route.fulfill({
            status: code,
            headers: {
              'Access-Control-Allow-Origin': '*',
              'Access-Control-Allow-Headers': '*',
              'Access-Control-Expose-Headers': '*',
              ...headers,
            },
            json: { status: false, error: 'no' },
          }),
        );
        await button(limited, 'Talk by voice').click();
        await status(limited, words);
        await button(limited, 'Back to the chat').click();
      }
    }, 60_000);

    it('comes back over a lost connection, or says that it was lost', async () => {
      language = 'en';
      let cut: (() => void) | undefined;
      let connections = 0;
      const visited = await visit({}, (of) =>
        of.routeWebSocket(/\/media$/, (socket) => {
          connections++;
          if (connections > 2) return void socket.close({ code: 4401 });
          const server = socket.connectToServer();
          cut = () => {
            void server.close({ code: 3001 });
            void socket.close({ code: 3001 });
          };
        }),
      );
      await button(visited, 'Talk by voice').click();
      await status(visited, 'Speaking…');
      cut?.();
      await status(visited, 'Connection lost. Reconnecting…');
      await status(visited, 'Speaking…');
      expect(connections).toBe(2);
      cut?.();
      await status(visited, 'Connection lost. The call has ended.');
      await button(visited, 'Try again').waitFor();
    }, 60_000);

    it('is not offered where its owner does not allow it', async () => {
      const set = (isAllowed: boolean) =>
        app
          .as(owner)
          .put(`/api/user/assistant/${assistant.id}`)
          .send({ visitor_calls_enabled: isAllowed })
          .expect(200);
      await set(false);
      try {
        language = 'pt-BR';
        const visited = await visit();
        await visited.getByText(GREETING.slice(0, 30)).waitFor();
        await visited.waitForLoadState('networkidle');
        expect(await button(visited, 'Falar por voz').count()).toBe(0);
      } finally {
        await set(true);
      }
    }, 30_000);
  });

  function turnOf(text: string): Turn {
    const turn = call.turns.find((each) => each.text === text);
    if (!turn) throw new Error(`no turn with "${text}": ${JSON.stringify(call.turns)}`);
    return turn;
  }
});
