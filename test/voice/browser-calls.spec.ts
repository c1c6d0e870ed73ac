import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { rmsOf, samplesOf } from '../../src/common/audio/pcm.js';
import { EspeakProcess } from '../../src/providers/speech/sandbox/espeak-process.js';
import { SpeechProviderRegistry } from '../../src/providers/speech/speech-provider-registry.js';
import { ffmpeg } from '../../src/voice/audio/ffmpeg.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { describeInBrowser, problemsOf, TestBrowser } from '../support/browser.js';
import { createAssistant } from '../support/builders.js';
import { until } from '../support/until.js';
import { spoken } from '../support/voice/espeak.js';
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

  beforeAll(async () => {
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
    const { uuid } = await createAssistant(app, owner, {
      initial_message: GREETING,
      system_prompt: `Você atende os clientes da Padaria Central. ${ANSWER}`,
      interrupt_sensitivity: SENSITIVITY_MS / 1_000,
      speech_speed: 0.7,
      record: true,
    });
    page = await browser.open(app.origin);
    await page.addInitScript(MEASURE_SOUND);
    await page.goto(`/talk/${uuid}`);
  }, 180_000);
  afterAll(async () => {
    await browser.stop();
    await app.stop();
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
    await press('Silenciar');
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
    await press('Ativar microfone');
    await shown('customer', QUESTION);
    await press('Silenciar');
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
    await page.getByText('A chamada terminou.').waitFor();
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
    expect(call.type).toBe('inbound');
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
    const both = samplesOf(
      await ffmpeg(['-i', path, '-f', 's16le', '-ar', String(RECORDING_HZ), '-'], 20_000),
    );
    const [customer, assistant] = [0, 1].map((side) => both.filter((_, index) => index % 2 === side));
    const level = (side: Int16Array | undefined, fromMs: number, toMs: number) =>
      rmsOf(side!.subarray((fromMs * RECORDING_HZ) / 1_000, (toMs * RECORDING_HZ) / 1_000));
    const [greeting, question, answer] = [call.turns[0]!, turnOf(QUESTION), turnOf(ANSWER)];
    expect(level(assistant, greeting.start_ms + 200, greeting.end_ms - 500)).toBeGreaterThan(LOUD);
    expect(level(customer, question.start_ms + 200, question.end_ms - 200)).toBeGreaterThan(LOUD);
    expect(level(assistant, question.end_ms - 500, question.end_ms)).toBeLessThan(SILENT);
    expect(level(assistant, answer.start_ms + 200, answer.end_ms - 200)).toBeGreaterThan(LOUD);
    expect(level(customer, answer.start_ms + 200, answer.end_ms - 200)).toBeLessThan(SILENT);
  }, 60_000);

  function turnOf(text: string): Turn {
    const turn = call.turns.find((each) => each.text === text);
    if (!turn) throw new Error(`nobody said "${text}": ${JSON.stringify(call.turns)}`);
    return turn;
  }
});
