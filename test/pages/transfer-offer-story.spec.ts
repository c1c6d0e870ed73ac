import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import { ChatModelRegistry } from '../../src/providers/llm/chat-model-registry.js';
import { type TestAccount, TestApp } from '../support/app.js';
import {
  accessibilityFindings,
  buildPages,
  describeInBrowser,
  problemsOf,
  TestBrowser,
} from '../support/browser.js';
import { createAssistant } from '../support/builders.js';
import { transferModel } from '../support/transfer-offers.js';
import { until } from '../support/until.js';
import { type OpenedWebCall, WebCaller } from '../support/web-caller.js';

const PASSWORD = 'correto-cavalo-bateria';
const BRIEFING = 'Maria quer trocar um pedido que chegou errado.';
const FAILED = 'Ninguém pode atender agora. Posso anotar um recado?';
const TALKING = 'Você está falando com o cliente';

interface CallBody {
  readonly status: string;
  readonly live: { readonly holder: string } | null;
  readonly desk: readonly { readonly event: string }[];
}

describeInBrowser('A call that an assistant offers, with the real server', () => {
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
    assistant = await createAssistant(app, owner, {
      name: 'Loja',
      initial_message: 'Olá! Aqui é a Loja Central. Em que posso ajudar você hoje?',
      max_silence_duration: 60,
      tools: [
        {
          type: 'warm_call_transfer',
          target: { type: 'members', role: 'operator' },
          description: 'Quando pedirem uma pessoa',
          hold_message: 'Um momento.',
        },
      ],
    });
  }, 300_000);
  afterEach(async () => {
    jest.restoreAllMocks();
    await browser.closeWindows();
  });
  afterAll(async () => {
    await browser.stop();
    await app.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const callOf = async (id: number) =>
    (await app.as(owner).get(`/api/user/calls/${id}`).expect(200)).body as CallBody;

  /** A customer who asks for a person. */
  async function customer(): Promise<{ readonly id: number; readonly caller: WebCaller }> {
    const model = transferModel({ briefing: BRIEFING, failed: FAILED, absent: FAILED });
    jest.spyOn(app.app.get(ChatModelRegistry, { strict: false }), 'select').mockResolvedValue(model);
    const { body } = await app
      .as(owner)
      .post(`/api/user/assistant/${assistant.id}/web-call`)
      .send({})
      .expect(201);
    const { call_id: id } = body.data as OpenedWebCall;
    const caller = await WebCaller.connect(body.data as OpenedWebCall);
    await until(async () => (await callOf(id)).status === 'in-progress');
    await caller.hears(300);
    caller.type('Quero falar com uma pessoa.');
    return { id, caller };
  }

  it('rings on any page, opens at the desk that holds it when accepted, and stops when declined', async () => {
    const page = await browser.openConsole(app.origin, { email: owner.email, password: PASSWORD }, '/live');
    const available = page.getByRole('switch', { name: 'Disponível para transferências' });
    // It is disabled until the server has said its state, and changes with the answer of the server.
    await until(() => available.isEnabled());
    await available.click({ force: true });
    await until(() => available.isChecked());
    await page.getByRole('link', { name: 'Assistentes' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Assistentes' }).waitFor();

    const first = await customer();
    const offers = page.getByRole('region', { name: 'Transferências para você' });
    await offers.getByRole('heading', { name: 'Ligação de um visitante do site' }).waitFor();
    await offers.getByText('Transferida pelo assistente Loja').waitFor();
    await offers.getByRole('paragraph').filter({ hasText: BRIEFING }).waitFor();
    expect(await offers.getByRole('alert').textContent()).toContain(BRIEFING);
    expect(await accessibilityFindings(page)).toEqual([]);
    // The offer comes first in the page, after the link to the content.
    await page.getByRole('link', { name: 'Ir para o conteúdo' }).focus();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Atender');
    await page.keyboard.press('Enter');

    const desk = page.getByRole('region', { name: /^Ligação / });
    await desk.getByText(TALKING).waitFor();
    expect(new URL(page.url()).searchParams.get('call')).toBe(String(first.id));
    await offers.waitFor({ state: 'detached' });
    await until(async () => (await callOf(first.id)).live?.holder === 'agent');
    const before = first.caller.soundMs;
    await until(() => first.caller.soundMs > before + 500);
    await desk.getByRole('button', { name: 'Devolver ao assistente' }).click();
    await until(async () => (await callOf(first.id)).live?.holder === 'assistant');
    expect((await callOf(first.id)).desk.map(({ event }) => event)).toEqual([
      'taken_over',
      'listened',
      'handed_back',
    ]);
    first.caller.hangUp();
    await first.caller.closed();

    const second = await customer();
    await offers.getByRole('button', { name: 'Recusar' }).click();
    await offers.waitFor({ state: 'detached' });
    await until(() => second.caller.shown.some(({ text }) => text?.includes('recado')));
    expect((await callOf(second.id)).desk).toEqual([]);
    second.caller.hangUp();
    await second.caller.closed();
    expect(problemsOf(page)).toEqual([]);
  }, 180_000);
});
