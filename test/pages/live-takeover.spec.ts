import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Locator, Page, WebSocketRoute } from 'playwright-core';
import { Database } from '../../src/database/database.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { addMember } from '../support/builders.js';
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
import { addRun } from '../support/call-rows.js';
import { until } from '../support/until.js';

const PASSWORD = 'correto-cavalo-bateria';
const CUSTOMER = '+5511987650061';
/** 20 ms of the microphone. */
const VOICE_BYTES = 960;
/** 20 ms of the call. */
const SOUND_BYTES = 1_920;
const SOUND_EVERY_MS = 500;

interface Command {
  readonly type: string;
  readonly id?: number;
  readonly text?: string;
  readonly note?: string;
  readonly phone_number?: string;
}

/** The server's side of the socket: answers commands as the test says, and keeps who has the call. */
class FakeDesk {
  readonly commands: Command[] = [];
  /** Reasons to refuse, by command. */
  readonly refusals = new Map<string, string>();
  connections = 0;
  /** Whether sound of the call comes. */
  isAudible = true;
  holder = 'assistant';
  memberName: string | null = null;
  /** Frames of the microphone, and how many of them are not silent. */
  voiceFrames = 0;
  loudFrames = 0;
  private socket: WebSocketRoute | null = null;
  private sound: NodeJS.Timeout | undefined;

  async serve(page: Page): Promise<void> {
    await page.route('**/api/user/calls/*/monitor', (route) =>
      route.fulfill({
        status: 201,
        json: { message: 'ok', data: { url: 'wss://desk.example/monitor', token: 't', sample_rate: 24_000 } },
      }),
    );
    await page.routeWebSocket('wss://desk.example/monitor', (socket) => {
      this.connections++;
      this.socket = socket;
      socket.onMessage((data) => this.received(data));
      // Less often than a server, as this goes another way to the browser.
      clearInterval(this.sound);
      this.sound = setInterval(() => {
        if (this.isAudible) socket.send(Buffer.alloc(SOUND_BYTES));
      }, SOUND_EVERY_MS);
    });
  }

  state(change: object = {}): void {
    this.send({
      type: 'state',
      state: 'listening',
      holder: this.holder,
      member_name: this.memberName,
      listeners: 1,
      ...change,
    });
  }

  send(message: object): void {
    this.socket?.send(JSON.stringify(message));
  }

  stop(): void {
    clearInterval(this.sound);
  }

  async cut(code: number): Promise<void> {
    const { socket } = this;
    this.socket = null;
    this.stop();
    await socket?.close({ code });
  }

  private received(data: string | Buffer): void {
    if (typeof data !== 'string') {
      this.voiceFrames++;
      if (data.length === VOICE_BYTES && data.some((byte) => byte !== 0)) this.loudFrames++;
      return;
    }
    const command = JSON.parse(data) as Command;
    if (command.type === 'start') {
      this.send({ type: 'ready', holder: this.holder, member_name: this.memberName });
      this.state();
      return;
    }
    this.commands.push(command);
    const { type, id } = command;
    const error = this.refusals.get(type);
    if (error) return this.send({ type: 'refused', command: type, id, error });
    // A state of before can still be on its way.
    if (type === 'take_over') this.state();
    this.send({ type: 'done', command: type, id });
    if (type === 'take_over') this.holder = 'agent';
    if (type === 'hand_back') this.holder = 'assistant';
    if (type === 'transfer') this.holder = 'transfer';
    this.state();
  }
}

describeInBrowser('The takeover of a live call in the console', () => {
  let app: TestApp;
  let browser: TestBrowser;
  let owner: TestAccount;
  let dataDir: string;
  let desk: FakeDesk;

  beforeAll(async () => {
    await buildPages();
    dataDir = await mkdtemp(join(tmpdir(), 'prosa-pages-'));
    [app, browser] = await Promise.all([
      TestApp.start({ PROSA_ROLES: 'api', DATA_DIR: dataDir }),
      TestBrowser.start(['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']),
    ]);
    owner = await app.account({ balanceUsd: 25, password: PASSWORD });
  }, 240_000);
  afterEach(async () => {
    desk.stop();
    await browser.closeWindows();
    await app.query("UPDATE calls SET status = 'completed' WHERE user_id = $1", [owner.userId]);
    await app.query('DELETE FROM active_calls WHERE user_id = $1', [owner.userId]);
  });
  afterAll(async () => {
    await browser.stop();
    await app.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function signIn(look: Look = {}, email = owner.email): Promise<Page> {
    const page = await browser.signIn(app.origin, { email, password: PASSWORD }, look);
    await page.addInitScript("localStorage.setItem('prosa.desk.reminded', 'true')");
    return page;
  }

  async function openDesk(look: Look = {}, prepare: (page: Page) => Promise<unknown> = async () => {}) {
    const [row] = await app.query<{ id: number }>(
      `INSERT INTO calls (user_id, assistant_name, type, status, client_phone_number, assistant_phone_number,
         started_at, answered_at)
       VALUES ($1, 'Recepção', 'inbound', 'in-progress', $2, '+551130000001', now(), now()) RETURNING id`,
      [owner.userId, CUSTOMER],
    );
    const held = "stage = 'open', lease_until = now() + interval '1 hour'";
    await addRun(app.app.get(Database), row!.id, owner.userId, held);
    const page = await signIn(look);
    desk = new FakeDesk();
    await desk.serve(page);
    await prepare(page);
    await page.goto(`/app/live?call=${row!.id}`);
    await until(() => button(page, /^(Assumir a ligação|Take over the call)$/).isEnabled());
    return page;
  }

  const panel = (page: Page) => page.getByRole('region', { name: `Ligação de ${CUSTOMER}` });
  const button = (page: Page, name: string | RegExp) =>
    page.locator('section').getByRole('button', { name, exact: true });
  const holding = (page: Page) => panel(page).getByText('Você está falando com o cliente');
  const isFocused = (target: Locator) => target.evaluate((element) => element.matches(':focus'));
  const news = (page: Page, text: string) =>
    panel(page).getByRole('status').filter({ hasText: text }).waitFor({ state: 'attached' });

  it('sends the microphone while the person has the customer, and none before, muted or after', async () => {
    const page = await openDesk();
    await page.keyboard.press('t');
    await holding(page).waitFor();
    await news(page, 'A ligação está com você. O cliente ouve o seu microfone.');
    await panel(page).getByText('Com você', { exact: true }).waitFor();
    await until(() => desk.loudFrames > 20);
    await until(() => isFocused(button(page, 'Silenciar o microfone')));
    for (const scheme of ['light', 'dark'] as const) {
      await setScheme(page, scheme);
      expect([scheme, await accessibilityFindings(page)]).toEqual([scheme, []]);
    }
    desk.send({ type: 'turn', role: 'agent', text: 'Bom dia!', final: true, member_name: 'Bia Souza' });
    await panel(page).getByRole('log').getByText('Bia Souza').waitFor();

    await page.keyboard.press('m');
    await panel(page).getByText('Seu microfone está silenciado. O cliente não ouve você.').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await until(() => desk.voiceFrames > 0);
    const [frames, loud] = [desk.voiceFrames, desk.loudFrames];
    await until(() => desk.voiceFrames > frames + 20);
    expect(desk.loudFrames).toBeLessThanOrEqual(loud + 2);
    await button(page, 'Ativar o microfone').click();
    await until(() => desk.loudFrames > loud + 10);

    await panel(page).getByLabel('Recado para o assistente (opcional)').fill('Aceitou o plano anual.');
    await button(page, 'Devolver ao assistente').click();
    await news(page, 'A ligação voltou para o assistente.');
    await panel(page).getByLabel('Sussurrar para o assistente').waitFor();
    expect(desk.commands.map(({ type, note }) => [type, note])).toEqual([
      ['take_over', undefined],
      ['hand_back', 'Aceitou o plano anual.'],
    ]);
    const after = desk.voiceFrames;
    await page.waitForTimeout(300);
    expect(desk.voiceFrames).toBe(after);
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);

  it('hands back by a key, and transfers to a number', async () => {
    const page = await openDesk();
    await page.keyboard.press('t');
    await holding(page).waitFor();
    await page.keyboard.press('b');
    await news(page, 'A ligação voltou para o assistente.');
    await until(() => isFocused(button(page, 'Assumir a ligação')));
    await page.keyboard.press('t');
    await holding(page).waitFor();
    await button(page, 'Transferir para um número').click();
    const phone = panel(page).getByLabel('Número de telefone');
    await until(() => isFocused(phone));
    await phone.fill('+55 (11) 98765-4321');
    await phone.press('Enter');
    await news(page, 'A ligação está sendo transferida. Se ninguém atender, a ligação volta para você.');
    expect(desk.commands.map(({ type, phone_number: number }) => [type, number])).toEqual([
      ['take_over', undefined],
      ['hand_back', undefined],
      ['take_over', undefined],
      ['transfer', '+5511987654321'],
    ]);
    await panel(page).getByText('Em transferência').waitFor();
    expect(await holding(page).count()).toBe(0);
    const during = desk.voiceFrames;
    await page.waitForTimeout(300);
    expect(desk.voiceFrames).toBe(during);
    // The far end has not answered.
    desk.holder = 'agent';
    desk.state();
    await holding(page).waitFor();
    await until(() => desk.voiceFrames > during + 5);
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);

  it('says in words why a command was refused', async () => {
    const page = await openDesk();
    const alert = panel(page).getByRole('alert');
    desk.refusals.set('take_over', 'held');
    await button(page, 'Assumir a ligação').click();
    await alert.getByText('Não foi possível assumir a ligação. Outra pessoa está com o cliente.').waitFor();
    desk.refusals.set('take_over', 'not_held');
    await button(page, 'Assumir a ligação').click();
    await alert.getByText('O cliente está na fila, em uma transferência ou já desligou.').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    desk.refusals.set('whisper', 'not_held');
    const whisper = panel(page).getByLabel('Sussurrar para o assistente');
    await whisper.fill('Ofereça um café.');
    await whisper.press('Enter');
    const log = panel(page).getByRole('log');
    await log.getByText('Nenhum assistente está falando com o cliente agora.').waitFor();

    desk.refusals.clear();
    await button(page, 'Assumir a ligação').click();
    await holding(page).waitFor();
    desk.refusals.set('transfer', 'forbidden').set('hand_back', 'invalid');
    await button(page, 'Transferir para um número').click();
    await panel(page).getByLabel('Número de telefone').fill('+883510000000');
    await button(page, 'Transferir').click();
    await alert.getByText('Esta ligação não pode ser transferida para este número.').waitFor();
    await button(page, 'Devolver ao assistente').click();
    await alert.getByText('O recado não é aceito. Encurte-o e tente de novo.').waitFor();
    await holding(page).waitFor();

    desk.holder = 'assistant';
    desk.state();
    await alert.getByText('A ligação não está mais com você.').waitFor();
    desk.holder = 'agent';
    desk.memberName = 'Bia Souza';
    desk.state();
    await panel(page).getByText('Bia Souza está com o cliente').first().waitFor();
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);

  it('goes on with the takeover over another connection, also in a page that is loaded anew', async () => {
    const page = await openDesk();
    await button(page, 'Assumir a ligação').click();
    await holding(page).waitFor();
    let isAway = true;
    await page.route('**/api/user/calls/*/monitor', (route) => (isAway ? route.abort() : route.fallback()));
    await desk.cut(1001);
    await panel(page)
      .getByText('Conexão perdida. Reconectando… A ligação continua com você por 10 segundos.')
      .last()
      .waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    isAway = false;
    await news(page, 'Conexão restabelecida. A ligação continua com você.');
    expect(desk.connections).toBe(2);
    const before = desk.loudFrames;
    await until(() => desk.loudFrames > before + 10);
    await panel(page).getByRole('log').getByText('A conexão caiu por um momento.').waitFor();

    page.once('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await holding(page).waitFor();
    const again = desk.loudFrames;
    await until(() => desk.loudFrames > again + 10);
    expect(desk.commands.map(({ type }) => type)).toEqual(['take_over']);

    desk.holder = 'assistant';
    await desk.cut(1001);
    await panel(page).getByRole('alert').getByText('A ligação não está mais com você.').waitFor();
    await panel(page).getByLabel('Sussurrar para o assistente').waitFor();
  }, 60_000);

  it('shows after a lost connection that a colleague has taken the call over', async () => {
    const page = await openDesk();
    await button(page, 'Assumir a ligação').click();
    await holding(page).waitFor();
    desk.memberName = 'Bia Souza';
    await desk.cut(1001);
    await panel(page).getByRole('alert').getByText('A ligação não está mais com você.').waitFor();
    await panel(page).getByText('Bia Souza está com o cliente').first().waitFor();
    expect(await holding(page).count()).toBe(0);
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);

  it('keeps a connection that has had no sound yet, and replaces one that falls silent', async () => {
    const page = await openDesk({}, async () => void (desk.isAudible = false));
    await button(page, 'Assumir a ligação').click();
    await holding(page).waitFor();
    await page.waitForTimeout(6_500);
    expect(desk.connections).toBe(1);
    desk.isAudible = true;
    await page.waitForTimeout(1_500);
    desk.isAudible = false;
    await until(() => desk.connections === 2);
  }, 60_000);

  it('names the reason when the server closes for good', async () => {
    const page = await openDesk();
    await desk.cut(4403);
    await panel(page).getByText('Você não tem mais permissão para ouvir ligações.').last().waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await button(page, 'Tentar de novo').click();
    await button(page, 'Assumir a ligação').waitFor();
    await until(() => desk.connections === 2);
    await desk.cut(4429);
    await panel(page).getByText('Três pessoas já ouvem esta ligação').last().waitFor();
  }, 60_000);

  it.each([
    ['NotAllowedError', 'O microfone está bloqueado.'],
    ['NotFoundError', 'Nenhum microfone foi encontrado.'],
  ])(
    'does not take the call over without a microphone: %s',
    async (name, words) => {
      const page = await openDesk({}, (opened) =>
        opened.addInitScript(
          `navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', '${name}'));`,
        ),
      );
      await button(page, 'Assumir a ligação').click();
      await panel(page).getByRole('alert').getByText(words).waitFor();
      expect(desk.commands).toEqual([]);
      expect(await accessibilityFindings(page)).toEqual([]);
    },
    60_000,
  );

  it('asks before a person who has the customer leaves, and hands the call back then', async () => {
    const page = await openDesk();
    await button(page, 'Assumir a ligação').click();
    await holding(page).waitFor();
    await button(page, 'Fechar e parar de ouvir').click();
    const question = page.getByRole('dialog', { name: 'A ligação está com você' });
    await question.getByText('Se você sair, o assistente volta a falar com o cliente.').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await question.getByRole('button', { name: 'Continuar na ligação' }).click();
    await question.waitFor({ state: 'hidden' });
    await holding(page).waitFor();
    await page.getByRole('link', { name: 'Campanhas' }).click();
    await question.getByRole('button', { name: 'Devolver e sair' }).click();
    await page.waitForURL('**/app/campaigns');
    await until(() => desk.commands.at(-1)?.type === 'hand_back');
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);

  it('fits a telephone, in English', async () => {
    const page = await openDesk({ width: 390, locale: 'en-US' });
    await button(page, 'Take over the call').click();
    await page.getByText('You are talking with the customer').waitFor();
    await button(page, 'Transfer to a number').click();
    for (const scheme of ['light', 'dark'] as const) {
      await setScheme(page, scheme);
      expect([scheme, await overflowOf(page), await accessibilityFindings(page)]).toEqual([scheme, 0, []]);
    }
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);

  it('shows and changes whether the person takes calls, and offers viewers nothing of all this', async () => {
    const page = await openDesk();
    const available = page.getByRole('switch', { name: 'Disponível para transferências' });
    expect(await available.isChecked()).toBe(false);
    await available.click();
    await until(async () => {
      const rows = await app.query('SELECT 1 FROM member_availabilities WHERE user_id = $1', [owner.userId]);
      return rows.length === 1;
    });
    await page.reload();
    await until(() => available.isChecked());
    await page.route('**/api/user/me/availability', (route) => route.abort());
    await available.click();
    await page.getByText('Não foi possível falar com o servidor.').waitFor();
    expect(await available.isChecked()).toBe(true);

    const { email } = await addMember(app, owner, { role: 'viewer', password: PASSWORD });
    const viewer = await signIn({}, email);
    await viewer.goto(page.url());
    await viewer.getByRole('link', { name: CUSTOMER }).waitFor();
    expect(await viewer.getByRole('button', { name: /Ouvir|Assumir|Desligar/ }).count()).toBe(0);
    expect(await viewer.getByRole('switch').count()).toBe(0);
    await viewer.keyboard.press('j');
    await viewer.keyboard.press('l');
    expect(await viewer.getByRole('region', { name: /^Ligação/ }).count()).toBe(0);
    expect(problemsOf(viewer)).toEqual([]);
  }, 60_000);
});
