import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { EspeakProcess } from '../../src/providers/speech/sandbox/espeak-process.js';
import { SpeechProviderRegistry } from '../../src/providers/speech/speech-provider-registry.js';
import { TestApp } from '../support/app.js';
import {
  accessibilityFindings,
  buildPages,
  describeInBrowser,
  type Look,
  overflowOf,
  problemsOf,
  TestBrowser,
} from '../support/browser.js';
import { createAssistant, type CreatedAssistant } from '../support/builders.js';
import { LocalServer } from '../support/http-server.js';
import { until } from '../support/until.js';
import { spoken } from '@prosa/testing';
import { microphoneArgs, writeMicrophone } from '../support/voice/fake-microphone.js';

const GREETING = 'Bom dia! Em que posso ajudar?';
const MICROPHONE_HZ = 48_000;
/** Longer than the digital silence that a page reports. */
const SILENCE_MS = 8_000;
const FIRST = 'Fake Audio Input 1';
const SECOND = 'Fake Audio Input 2';

/**
 * `sound.context` and `sound.tracks` of the page, the frames that it has sent, and what the system does to it:
 * `sound.isInterrupted` keeps the AudioContext from running, `sound.failure` is what getUserMedia fails with.
 */
const WATCH_SOUND = `
  window.sound = { tracks: [], frames: 0, isInterrupted: false, failure: null };
  const { resume } = AudioContext.prototype;
  AudioContext.prototype.resume = function () {
    return sound.isInterrupted ? Promise.reject(new DOMException('no', 'InvalidStateError')) : resume.call(this);
  };
  const { createMediaStreamSource } = AudioContext.prototype;
  AudioContext.prototype.createMediaStreamSource = function (stream) {
    sound.context = this;
    return createMediaStreamSource.call(this, stream);
  };
  const { mediaDevices } = navigator;
  const getUserMedia = mediaDevices.getUserMedia.bind(mediaDevices);
  mediaDevices.getUserMedia = async (constraints) => {
    if (sound.failure) throw new DOMException('no', sound.failure);
    const stream = await getUserMedia(constraints);
    sound.tracks.push(...stream.getTracks());
    return stream;
  };
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function (data) {
    if (data instanceof ArrayBuffer) sound.frames++;
    send.call(this, data);
  };
`;
const INTERRUPT = 'sound.isInterrupted = true; sound.context.suspend()';
const LAST_TRACK = 'sound.tracks.at(-1)';
const TRACK_ENDS = `${LAST_TRACK}.stop(); ${LAST_TRACK}.dispatchEvent(new Event('ended'))`;

/** Texts of the two pages that differ. */
interface Place {
  readonly start: string;
  readonly noMicrophone: string;
}

const PLACES: readonly (readonly [string, Place])[] = [
  ['the page /talk', { start: 'Falar', noMicrophone: 'Nenhum microfone foi encontrado. Você pode digitar.' }],
  [
    'the chat widget',
    { start: 'Falar por voz', noMicrophone: 'Nenhum microfone foi encontrado. Conecte um e tente de novo.' },
  ],
];

(EspeakProcess.isInstalled() ? describeInBrowser : describe.skip)('Microphone and speaker of a call', () => {
  let app: TestApp;
  let browser: TestBrowser;
  let site: LocalServer;
  let folder: string;
  let assistant: CreatedAssistant;

  beforeAll(async () => {
    await buildPages();
    folder = await mkdtemp(join(tmpdir(), 'prosa-call-sound-'));
    const microphone = join(folder, 'microphone.wav');
    await writeMicrophone(microphone, MICROPHONE_HZ, await spoken('Bom dia', MICROPHONE_HZ), SILENCE_MS);
    [app, browser] = await Promise.all([
      // Windows that tests have closed keep their lines for a moment, as their browsers may come back.
      TestApp.start({
        PROSA_ROLES: 'api,worker,voice',
        DATA_DIR: folder,
        VISITOR_CALLS_SHARE: '1',
        VISITOR_CALLS_PER_ADDRESS: '10',
      }),
      TestBrowser.start(microphoneArgs(microphone)),
    ]);
    const owner = await app.account({ balanceUsd: 50 });
    await app.app.get(SpeechProviderRegistry).sandbox.ready();
    assistant = await createAssistant(app, owner, { initial_message: GREETING });
    site = await LocalServer.start((_request, response) => {
      response
        .writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' })
        .end(
          '<!doctype html><html lang="pt-BR"><meta name="viewport" content="width=device-width">' +
            '<meta name="color-scheme" content="light dark"><title>Loja</title>' +
            `<main><h1>Loja</h1></main><script src="${app.origin}/widget.js" data-assistant="${assistant.uuid}" data-talk async></script>`,
        );
    });
  }, 180_000);
  afterAll(async () => {
    await browser.stop();
    await Promise.all([app.stop(), site.stop()]);
    await rm(folder, { recursive: true, force: true });
  });

  /** A call whose microphone is heard. */
  async function call({ start }: Place, look: Look = {}): Promise<Page> {
    const isWidget = start !== 'Falar';
    const page = await browser.open(isWidget ? site.url.replace('127.0.0.1', 'localhost') : app.origin, look);
    await page.addInitScript(WATCH_SOUND);
    await page.goto(isWidget ? '/' : `/talk/${assistant.uuid}`);
    if (isWidget) await page.locator('prosa-chat .launcher').click();
    await begin(page, start);
    return page;
  }
  async function begin(page: Page, start: string): Promise<void> {
    await button(page, start).click();
    await until(() => page.evaluate<boolean>('sound.frames > 0'));
    await page
      .getByText(/Ouvindo|Falando/)
      .first()
      .waitFor();
  }
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const alert = (page: Page, text: string) =>
    page.getByRole('alert').filter({ hasText: text }).waitFor({ timeout: 15_000 });
  const noAlert = (page: Page) =>
    page.getByRole('alert').filter({ hasText: /./ }).waitFor({ state: 'detached' });
  const chooser = (page: Page) => page.getByRole('combobox', { name: 'Microfone' });
  const chosen = (page: Page) => chooser(page).locator('option:checked').textContent();
  const isHeard = (page: Page, name: string) =>
    until(
      async () =>
        (await page.evaluate<string>(`${LAST_TRACK}.label`)) === name && (await chosen(page)) === name,
    );
  const isSending = async (page: Page) => {
    const frames = await page.evaluate<number>('sound.frames');
    await until(() => page.evaluate<boolean>(`sound.frames > ${frames + 10}`));
  };

  it('begins one call where Talk is clicked twice at once', async () => {
    const page = await browser.open(app.origin);
    await page.addInitScript(WATCH_SOUND);
    await page.goto(`/talk/${assistant.uuid}`);
    await page.evaluate("const talk = document.getElementById('talk'); talk.click(); talk.click()");
    await isSending(page);
    expect(await page.evaluate('sound.tracks.length')).toBe(1);
  }, 30_000);

  describe.each(PLACES)('from %s', (_name, place) => {
    it('says that the sound is paused, and goes on at a touch or by the button', async () => {
      const page = await call(place, { width: 320, height: 640 });
      await page.evaluate(INTERRUPT);
      await alert(page, 'O som está pausado. Toque na tela ou pressione uma tecla para continuar.');
      expect(await accessibilityFindings(page)).toEqual([]);
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      await page.evaluate('sound.isInterrupted = false');
      await page.mouse.click(5, 5);
      await noAlert(page);
      await isSending(page);
      await page.evaluate(INTERRUPT);
      await alert(page, 'O som está pausado.');
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await accessibilityFindings(page, ['color-contrast'])).toEqual([]);
      await button(page, 'Retomar o som').focus();
      await page.evaluate('sound.isInterrupted = false');
      // By then the page may have resumed by itself, and the button be gone.
      await page.keyboard.press('Enter');
      await isSending(page);
      expect(problemsOf(page)).toEqual([]);
    }, 60_000);

    it('takes another microphone for one that is gone, and asks for one where there is none', async () => {
      const page = await call(place);
      await page.evaluate(TRACK_ENDS);
      await page
        .getByRole('status')
        .getByText('Seu microfone foi desconectado. Outro está em uso.')
        .waitFor();
      await isSending(page);
      await page.evaluate(`sound.failure = 'NotFoundError'; ${TRACK_ENDS}`);
      await alert(page, place.noMicrophone);
      expect(await accessibilityFindings(page)).toEqual([]);
      await page.evaluate('sound.failure = null');
      await button(page, 'Tentar de novo').press('Enter');
      await noAlert(page);
      await isSending(page);
      // The call went on all the time.
      await button(page, 'Desligar').click();
      await page.getByText('Ligação encerrada.').first().waitFor();
      expect(await page.evaluate("sound.tracks.every(({ readyState }) => readyState === 'ended')")).toBe(
        true,
      );
      await until(() => page.evaluate<boolean>("sound.context.state === 'closed'"));
      expect(problemsOf(page)).toEqual([]);
    }, 60_000);

    it('says that nothing but digital silence comes, until something is heard', async () => {
      const page = await call(place);
      await alert(page, 'Seu microfone não capta som.');
      await noAlert(page);
      await page.evaluate(`${LAST_TRACK}.dispatchEvent(new Event('mute'))`);
      await alert(page, 'Seu microfone não capta som.');
    }, 60_000);

    it('lets one choose the microphone by keyboard, and remembers it', async () => {
      const page = await call(place);
      expect(await chooser(page).locator('option').allTextContents()).toEqual([
        'Padrão do sistema',
        FIRST,
        SECOND,
      ]);
      expect(await accessibilityFindings(page)).toEqual([]);
      await chooser(page).focus();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      await isHeard(page, SECOND);
      await isSending(page);
      await page.reload();
      if (place.start !== 'Falar') await page.locator('prosa-chat .launcher').click();
      await begin(page, place.start);
      await isHeard(page, SECOND);
      await chooser(page).selectOption('');
      await until(async () => (await chosen(page)) === 'Padrão do sistema');
      // The choice is kept once the microphone is open.
      await until(async () => (await page.evaluate("localStorage.getItem('prosa-microphone')")) === null);
      expect(problemsOf(page)).toEqual([]);
    }, 60_000);
  });
});
