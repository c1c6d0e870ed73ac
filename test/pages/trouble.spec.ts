import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { LiveEventsService } from '../../src/common/live/live-events.service.js';
import { Database } from '../../src/database/database.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { buildPages, describeInBrowser, follow, TestBrowser } from '../support/browser.js';
import { createAssistant, type CreatedAssistant, openConversation } from '../support/builders.js';
import { addCall } from '../support/call-rows.js';
import { EventStreams } from '../support/event-streams.js';
import { until } from '../support/until.js';

const PASSWORD = 'correto-cavalo-bateria';
/** 3G as browsers' own tools slow it down: bytes a second, and milliseconds a request. */
const SLOW = { offline: false, latency: 2_000, downloadThroughput: 50_000, uploadThroughput: 50_000 };

describeInBrowser('When something is in the way of an operator', () => {
  let app: TestApp;
  let browser: TestBrowser;
  let owner: TestAccount;
  let assistant: CreatedAssistant;

  beforeAll(async () => {
    await buildPages();
    [app, browser] = await Promise.all([TestApp.start(), TestBrowser.start()]);
    owner = await app.account({ balanceUsd: 25, password: PASSWORD });
    assistant = await createAssistant(app, owner);
  }, 240_000);
  afterEach(() => browser.closeWindows());
  afterAll(async () => {
    await browser.stop();
    await app.stop();
  });

  const send = (uuid: string, message: string) =>
    app.http.post(`/api/conversations/${uuid}/messages`).send({ message }).expect(200);
  const written = async (message: string) => {
    const uuid = await openConversation(app, assistant, {}, owner);
    await send(uuid, message);
    return uuid;
  };
  const answersOf = async (uuid: string): Promise<string[]> => {
    const { body } = await app.http.get(`/api/conversations/${uuid}/messages`).expect(200);
    return body.data
      .filter(({ author }: { author: string }) => author === 'agent')
      .map(({ content }: { content: string }) => content);
  };
  const signIn = (page: Page) => {
    const data = { email: owner.email, password: PASSWORD };
    return page.request.post('/api/auth/session', { data, headers: { Origin: app.origin } });
  };
  const openAt = async (path: string): Promise<Page> => {
    const page = await browser.open(app.origin);
    await signIn(page);
    await page.goto(`/app${path}`);
    return page;
  };
  const reply = (page: Page) => page.getByLabel('Sua resposta');
  const thread = (page: Page) => page.getByRole('log', { name: 'Mensagens' });
  const banner = (page: Page, text: string) => page.getByText(text).waitFor();

  it('shows each of two operators what the other does, also where one of them did not see it coming', async () => {
    const uuid = await written('Quero falar com uma pessoa');
    const first = await openAt(`/inbox?id=${uuid}`);
    const second = await openAt(`/inbox?id=${uuid}`);
    for (const page of [first, second]) await banner(page, 'A IA está respondendo.');
    await first.getByRole('button', { name: 'Assumir' }).first().click();
    await banner(second, 'Em atendimento humano desde');
    await reply(first).fill('Aqui é a Marta.');
    await first.keyboard.press('Enter');
    await thread(second).getByText('Aqui é a Marta.').waitFor();
    await second.getByRole('button', { name: 'Devolver à IA' }).first().click();
    await banner(first, 'A IA está respondendo.');

    // The second one hears of nothing, and takes over what the first one has.
    const late = await openAt('/inbox');
    await late.route('**/api/user/events', (route) => route.abort());
    await late.goto(`/app/inbox?id=${uuid}`);
    await banner(late, 'A IA está respondendo.');
    await first.getByRole('button', { name: 'Assumir' }).first().click();
    await banner(first, 'Em atendimento humano desde');
    await reply(first).fill('Eu de novo.');
    await first.keyboard.press('Enter');
    await thread(first).getByText('Eu de novo.').waitFor();
    await late.getByRole('button', { name: 'Assumir' }).first().click();
    await banner(late, 'Em atendimento humano desde');
    await thread(late).getByText('Eu de novo.').waitFor();
    expect(await late.getByRole('alert').count()).toBe(0);
    expect(await answersOf(uuid)).toEqual(['Aqui é a Marta.', 'Eu de novo.']);
  }, 120_000);

  it('says that the server is away, keeps what was typed, and goes on by itself when it is back', async () => {
    const uuid = await written('Olá');
    const page = await openAt(`/inbox?id=${uuid}`);
    await thread(page).getByText('Olá', { exact: true }).waitFor();
    await reply(page).fill('Uma resposta longa');
    const { port } = new URL(app.origin);
    const closed = new Promise((resolve) => app.server.close(resolve));
    app.server.closeAllConnections();
    await closed;
    await banner(page, 'Sem conexão com o servidor. Reconectando');
    await page.keyboard.press('Enter');
    await page.getByText('Mensagem não enviada.').waitFor();
    expect(await reply(page).inputValue()).toBe('Uma resposta longa');

    await new Promise<void>((resolve) => app.server.listen(Number(port), '127.0.0.1', () => resolve()));
    await page
      .getByText('Sem conexão com o servidor. Reconectando')
      .waitFor({ state: 'detached', timeout: 60_000 });
    await send(uuid, 'Ainda aí?');
    await thread(page).getByText('Ainda aí?').waitFor();
    await page.getByRole('button', { name: 'Enviar' }).click();
    await thread(page).getByText('Uma resposta longa').waitFor();
    expect(await answersOf(uuid)).toEqual(['Uma resposta longa']);
  }, 120_000);

  it('shows what has changed while there was no stream, once there is one: in the list, the thread and the calls', async () => {
    const shown = await written('Aberta');
    const inbox = await openAt(`/inbox?id=${shown}`);
    const calls = await openAt('/calls');
    await thread(inbox).getByText('Aberta', { exact: true }).waitFor();
    await calls.getByText('Nenhuma ligação ainda').waitFor();
    const hints: string[] = [];
    const stop = app.app
      .get(LiveEventsService)
      .subscribe(`account ${owner.userId}`, ({ ids }) => void hints.push(...ids.map(String)));
    for (const page of [inbox, calls]) await page.route('**/api/user/events', (route) => route.abort());
    app.server.closeAllConnections();
    for (const page of [inbox, calls]) await banner(page, 'Sem conexão com o servidor. Reconectando');

    await send(shown, 'Aqui de novo');
    const other = await openConversation(app, assistant, { variables: { name: 'Caio' } }, owner);
    await send(other, 'Olá');
    const callId = await addCall(app.app.get(Database), owner.userId);
    // The hints have gone out before anybody listens again.
    await until(() => [shown, other].every((uuid) => hints.includes(uuid)));
    stop();
    for (const page of [inbox, calls]) await page.unroute('**/api/user/events');
    await thread(inbox).getByText('Aqui de novo', { exact: true }).waitFor();
    await inbox.getByRole('link', { name: /Caio/ }).waitFor();
    await calls.locator(`a[href*="call=${callId}"]`).waitFor();
  }, 120_000);

  it('reads anew what is shown within 15 seconds while no stream can be opened, however often it tries', async () => {
    const page = await browser.open(app.origin);
    await page.clock.install();
    await signIn(page);
    const uuid = await written('Olá');
    await page.goto(`/app/inbox?id=${uuid}`);
    await thread(page).getByText('Olá', { exact: true }).waitFor();
    let tries = 0;
    await page.route('**/api/user/events', (route) => {
      tries += 1;
      return route.abort();
    });
    app.server.closeAllConnections();
    await banner(page, 'Sem conexão com o servidor. Reconectando');
    await send(uuid, 'Ainda aí?');

    for (let second = 0; second < 16; second++) {
      await page.clock.runFor(1_000);
      // The next try is timed once the browser has refused this one.
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(tries).toBeGreaterThan(1);
    await thread(page).getByText('Ainda aí?', { exact: true }).waitFor({ timeout: 3_000 });
  }, 120_000);

  it('asks for the password as soon as the stream is refused because the session has ended', async () => {
    const page = await openAt('/assistants');
    let askedAt = performance.now();
    page.on('request', () => (askedAt = performance.now()));
    await page.getByRole('heading', { level: 1, name: 'Assistentes' }).waitFor();
    // No other request may bring the refusal.
    await until(() => performance.now() - askedAt > 2_000);
    await app.query('DELETE FROM sessions');
    app.server.closeAllConnections();
    // The next try comes within two seconds; what is shown is read anew after 15 seconds in any case.
    await page.getByRole('dialog', { name: 'Sua sessão expirou' }).waitFor({ timeout: 10_000 });
  }, 120_000);

  it('notices a stream whose connection is open but silent', async () => {
    const streams = new EventStreams(app.server, '/api/user/events');
    const page = await browser.open(app.origin);
    await page.clock.install();
    await signIn(page);
    const uuid = await written('Olá');
    await page.goto(`/app/inbox?id=${uuid}`);
    await thread(page).getByText('Olá', { exact: true }).waitFor();
    await until(() => streams.count === 1);
    streams.cutLast();
    await send(uuid, 'Ainda aí?');

    await page.clock.fastForward(50_000);
    await thread(page).getByText('Ainda aí?', { exact: true }).waitFor();
    await until(() => streams.count === 2);
    streams.stop();
  }, 120_000);

  it('shows a new message and takes the next reply while other chats of the account change all the time', async () => {
    const uuid = await written('Olá');
    const page = await openAt(`/inbox?id=${uuid}`);
    await thread(page).getByText('Olá', { exact: true }).waitFor();
    // Answers take longer than the time between two hints.
    await page.route(/\/api\/(user\/)?conversations/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 400));
      await route.fallback();
    });
    const live = app.app.get(LiveEventsService);
    const busy = setInterval(() => live.publish(`account ${owner.userId}`, 'conversation', uuid), 200);
    try {
      await send(uuid, 'Ainda aí?');
      await thread(page).getByText('Ainda aí?', { exact: true }).waitFor({ timeout: 10_000 });
      for (const text of ['Sim.', 'Já vejo.']) {
        await reply(page).fill(text);
        await page.keyboard.press('Enter');
        await thread(page).getByText(text, { exact: true }).waitFor({ timeout: 10_000 });
        await until(async () => (await reply(page).inputValue()) === '');
      }
    } finally {
      clearInterval(busy);
    }
    expect(await answersOf(uuid)).toEqual(['Sim.', 'Já vejo.']);
  }, 120_000);

  it('asks for the password over a dialog, and takes what was typed there once it is given', async () => {
    const page = await openAt('/assistants');
    await page.getByRole('button', { name: 'Novo assistente' }).first().click();
    const name = page.getByLabel('Nome', { exact: true });
    await name.fill('Padaria da esquina');
    await app.query('DELETE FROM sessions');
    await page.getByRole('button', { name: 'Criar e testar' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sua sessão expirou' });
    await dialog.waitFor();
    // Escape closes neither this dialog nor the one below it.
    await page.keyboard.press('Escape');
    await page.waitForTimeout(500);
    expect(await name.inputValue()).toBe('Padaria da esquina');
    await dialog.getByLabel('Senha', { exact: true }).click();
    await page.keyboard.type(PASSWORD);
    await dialog.getByRole('button', { name: 'Entrar' }).click();
    // What was refused is made, with what was typed.
    await page.getByRole('heading', { level: 1, name: 'Padaria da esquina' }).waitFor();
    await dialog.waitFor({ state: 'hidden' });
    expect(await app.query("SELECT FROM assistants WHERE name = 'Padaria da esquina'")).toHaveLength(1);
  }, 120_000);

  it('does not repeat a sign-out that was refused, after the next session has expired as well', async () => {
    const page = await openAt('/assistants');
    await page.getByRole('button', { name: /^Conta: / }).click();
    await app.query('DELETE FROM sessions');
    await page.getByRole('menuitem', { name: 'Sair' }).click();
    await page.getByRole('heading', { name: 'Entrar na Prosa' }).waitFor();
    await page.getByLabel('E-mail').fill(owner.email);
    await page.getByLabel('Senha', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Entrar', exact: true }).click();
    await page.getByRole('button', { name: /^Conta: / }).waitFor();

    await app.query('DELETE FROM sessions');
    await page.getByRole('link', { name: 'Assistentes' }).first().dispatchEvent('click');
    const dialog = page.getByRole('dialog', { name: 'Sua sessão expirou' });
    await dialog.getByLabel('Senha', { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Entrar', exact: true }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.waitForTimeout(1_000);
    expect(new URL(page.url()).pathname).toBe('/app/assistants');
  }, 120_000);

  it('keeps no draft of what was sent while another conversation was shown, and sends it once', async () => {
    const [uuid, other] = [await written('Olá'), await written('Bom dia')];
    const page = await openAt(`/inbox?id=${uuid}`);
    await thread(page).getByText('Olá', { exact: true }).waitFor();
    const keys: (string | undefined)[] = [];
    let free = () => {};
    const isFree = new Promise<void>((resolve) => (free = resolve));
    await page.route(`**/api/user/conversations/${uuid}/messages`, async (route) => {
      if (route.request().method() === 'POST') {
        keys.push(route.request().headers()['idempotency-key']);
        await isFree;
      }
      await route.continue();
    });
    await reply(page).fill('Já vou');
    await page.keyboard.press('Enter');
    await until(() => keys.length === 1);
    for (const [id, said] of [
      [other, 'Bom dia'],
      [uuid, 'Olá'],
    ] as const) {
      await follow(page, `/app/inbox?id=${id}`);
      await thread(page).getByText(said, { exact: true }).waitFor();
    }
    // The request is still under way: sending it again uses the same key.
    await reply(page).press('Enter');
    await until(() => keys.length === 2);
    free();
    await thread(page).getByText('Já vou').waitFor();
    await until(async () => (await reply(page).inputValue()) === '');
    expect(new Set(keys).size).toBe(1);
    expect(await answersOf(uuid)).toEqual(['Já vou']);
  }, 120_000);

  it('sends once on a slow network, and keeps text typed during the request and text that was refused', async () => {
    const uuid = await written('Olá');
    const page = await openAt(`/inbox?id=${uuid}`);
    await thread(page).getByText('Olá', { exact: true }).waitFor();
    const network = await page.context().newCDPSession(page);
    await network.send('Network.enable');
    await network.send('Network.emulateNetworkConditions', SLOW);
    await reply(page).fill('Um momento');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    const button = page.getByRole('button', { name: 'Enviar' });
    await page.getByRole('button', { name: 'Enviar', disabled: true }).waitFor();
    await page.keyboard.type(' Vou ver na agenda');
    await thread(page).getByText('Um momento').waitFor();
    await until(async () => (await reply(page).inputValue()) === 'Vou ver na agenda');
    expect(await answersOf(uuid)).toEqual(['Um momento']);

    const takeOver = page.getByRole('button', { name: 'Devolver à IA' }).first();
    await takeOver.click();
    await page.getByRole('button', { name: 'Devolver à IA', disabled: true }).first().waitFor();
    await banner(page, 'A IA está respondendo.');
    await page.route('**/api/user/conversations/*/messages', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
    await button.click();
    await page.getByText('Mensagem não enviada.').waitFor();
    expect(await reply(page).inputValue()).toBe('Vou ver na agenda');
  }, 120_000);
});
