import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { type TestAccount, TestApp } from '../support/app.js';
import {
  accessibilityFindings,
  buildPages,
  choose,
  describeInBrowser,
  type Look,
  problemsOf,
  TestBrowser,
} from '../support/browser.js';
import { addMember, createAssistant, type CreatedAssistant, openConversation } from '../support/builders.js';
import { until } from '../support/until.js';

const PASSWORD = 'correto-cavalo-bateria';
/** In a page: a browser that allows notifications, which are noted instead of shown, and a tab that can be hidden. */
const NOTE_NOTIFICATIONS = `
  window.shown = [];
  window.isHidden = false;
  window.answer = 'granted';
  window.Notification = class extends EventTarget {
    static permission = 'default';
    static async requestPermission() { return (Notification.permission = window.answer); }
    constructor(title, options) { super(); this.title = title; this.options = options; window.shown.push(this); }
    close() {}
  };
  Object.defineProperty(document, 'hidden', { get: () => window.isHidden });
`;

describeInBrowser('The inbox of people who work in it all day', () => {
  let app: TestApp;
  let browser: TestBrowser;
  let owner: TestAccount;
  let assistant: CreatedAssistant;

  beforeAll(async () => {
    await buildPages();
    [app, browser] = await Promise.all([
      TestApp.start({ PROSA_ROLES: 'api,worker', SANDBOX_SPEED: '1' }),
      TestBrowser.start(),
    ]);
  }, 240_000);
  beforeEach(async () => {
    owner = await app.account({ balanceUsd: 25, password: PASSWORD });
    assistant = await createAssistant(app, owner);
  });
  afterEach(() => browser.closeWindows());
  afterAll(async () => {
    await browser.stop();
    await app.stop();
  });

  const openAt = (path: string, look?: Look) =>
    browser.openConsole(app.origin, { email: owner.email, password: PASSWORD }, path, look);
  const written = async (name: string, message = 'Olá') => {
    const uuid = await openConversation(app, assistant, { variables: { name } }, owner);
    await app.http.post(`/api/conversations/${uuid}/messages`).send({ message }).expect(200);
    return uuid;
  };
  const act = (uuid: string, action: string, body: object = {}) =>
    app.as(owner).post(`/api/user/conversations/${uuid}/${action}`).send(body);
  const itemOf = async (uuid: string) =>
    (await app.as(owner).get(`/api/user/conversations/${uuid}`).expect(200)).body;
  const isFocused = (target: Locator) => target.evaluate((element) => element.matches(':focus'));
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const row = (page: Page, name: string) => page.getByRole('link', { name: new RegExp(name) });

  it('assigns a conversation, shows whose it is, and filters by it', async () => {
    const { id } = await addMember(app, owner, { name: 'Bia Souza' });
    const [uuid] = [await written('Maria'), await written('Rita')];
    const page = await openAt(`/inbox?id=${uuid}`);
    const assignee = page.getByRole('combobox', { name: 'Responsável' });
    await assignee.getByText('Bia Souza').waitFor({ state: 'attached' });
    await assignee.selectOption({ label: 'Bia Souza' });
    await row(page, 'Maria').getByText('Responsável: Bia Souza').waitFor({ state: 'attached' });
    expect(await row(page, 'Maria').getByText('BS', { exact: true }).isVisible()).toBe(true);
    expect((await itemOf(uuid)).assignee).toEqual({ member_id: id, owner: false, name: 'Bia Souza' });
    const choice = page.getByRole('radiogroup', { name: 'Responsável' });
    await choose(choice.getByRole('radio', { name: 'Sem responsável' }));
    await page.waitForURL('**assignee=none**');
    await row(page, 'Maria').waitFor({ state: 'detached' });
    expect(await row(page, 'Rita').isVisible()).toBe(true);
    await row(page, 'Rita').click();
    await button(page, 'Assumir').first().click();
    await choose(choice.getByRole('radio', { name: 'Minhas' }));
    await row(page, 'Rita').waitFor();
    expect(problemsOf(page)).toEqual([]);
  });

  it('tags a conversation, and finds the conversations of a tag', async () => {
    const [uuid] = [await written('Maria'), await written('Rita')];
    const page = await openAt(`/inbox?id=${uuid}`);
    const details = page.getByRole('complementary', { name: 'Detalhes' });
    await details.getByLabel('Nova tag').fill(' 2026 ');
    await page.keyboard.press('Enter');
    await row(page, 'Maria').getByText('2026', { exact: true }).waitFor();
    expect((await itemOf(uuid)).tags).toEqual(['2026']);
    await details.getByRole('link', { name: '2026' }).click();
    await page.waitForURL(/tag=/);
    await row(page, 'Rita').waitFor({ state: 'detached' });
    expect(await row(page, 'Maria').isVisible()).toBe(true);
    const field = page.getByRole('searchbox', { name: 'Tag' });
    expect(await field.inputValue()).toBe('2026');
    expect(await accessibilityFindings(page)).toEqual([]);
    await field.fill('outra');
    await page.getByText('Nenhuma conversa corresponde').waitFor();
    await button(page, 'Filtrar por tag').click();
    await row(page, 'Rita').waitFor();
    await row(page, 'Maria').click();
    await button(page, 'Remover a tag 2026').click();
    await until(async () => !('tags' in (await itemOf(uuid))));
    expect(problemsOf(page)).toEqual([]);
  });

  it('removes two tags one after the other on a slow network', async () => {
    const uuid = await written('Maria');
    const path = `/api/user/conversations/${uuid}/tags`;
    await app
      .as(owner)
      .put(path)
      .send({ tags: ['a', 'b', 'c'] })
      .expect(200);
    const page = await openAt(`/inbox?id=${uuid}`);
    await page.route(`**${path}`, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      await route.fallback();
    });
    await button(page, 'Remover a tag a').click();
    await button(page, 'Remover a tag b').click();
    await until(async () => JSON.stringify((await itemOf(uuid)).tags) === '["c"]');
    await button(page, 'Remover a tag b').waitFor({ state: 'detached' });
    expect((await itemOf(uuid)).tags).toEqual(['c']);
  });

  it('tags a conversation where there is no room for its details', async () => {
    const uuid = await written('Maria');
    const page = await openAt(`/inbox?id=${uuid}`, { width: 390, height: 800 });
    await button(page, 'Mais ações').click();
    await page.getByRole('menuitem', { name: 'Tags' }).click();
    const dialog = page.getByRole('dialog', { name: 'Tags' });
    await dialog.getByLabel('Nova tag').fill('retorno');
    await page.keyboard.press('Enter');
    await button(page, 'Remover a tag retorno').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await button(page, 'Voltar à lista').click();
    await row(page, 'Maria').getByText('retorno', { exact: true }).waitFor();
    expect(problemsOf(page)).toEqual([]);
  });

  it('assigns, tags and closes the selected conversations', async () => {
    await addMember(app, owner, { name: 'Bia Souza' });
    const uuids = [await written('Maria'), await written('Rita'), await written('Joana')];
    const page = await openAt('/inbox');
    await row(page, 'Joana').waitFor();
    await page.keyboard.press('j');
    await page.getByRole('heading', { level: 2, name: 'Joana' }).waitFor();
    await page.keyboard.press('x');
    const bar = page.getByRole('region', { name: 'Itens selecionados' });
    await bar.getByText('1 selecionado').waitFor();
    await page.getByRole('checkbox', { name: 'Selecionar Maria' }).check();
    expect(await accessibilityFindings(page)).toEqual([]);
    await bar.getByRole('button', { name: 'Atribuir' }).click();
    await page.getByRole('menuitem', { name: 'Bia Souza' }).click();
    await page.getByText('2 itens alterados.').waitFor();
    const assignees = await Promise.all(uuids.map(async (uuid) => (await itemOf(uuid)).assignee?.name));
    expect(assignees).toEqual(['Bia Souza', undefined, 'Bia Souza']);
    await page.getByRole('checkbox', { name: 'Selecionar todos desta página' }).check();
    await bar.getByRole('button', { name: 'Adicionar tag' }).click();
    await page.getByRole('dialog').getByLabel('Nova tag').fill('lote');
    await page.keyboard.press('Enter');
    await page.getByText('3 itens alterados.').waitFor();
    expect(await Promise.all(uuids.map(async (uuid) => (await itemOf(uuid)).tags))).toEqual([
      ['lote'],
      ['lote'],
      ['lote'],
    ]);
    await page.getByRole('checkbox', { name: 'Selecionar Rita' }).check();
    await bar.getByRole('button', { name: 'Encerrar' }).click();
    const dialog = page.getByRole('dialog', { name: 'Encerrar' });
    await dialog.getByText('Encerrar 1 conversa?').waitFor();
    await dialog.getByRole('button', { name: 'Encerrar' }).click();
    await row(page, 'Rita').waitFor({ state: 'detached' });
    expect((await itemOf(uuids[1]!)).ended_at).not.toBeNull();
    await button(page, 'Selecionar conversas').click();
    expect(await page.getByRole('checkbox').count()).toBe(0);
    expect(problemsOf(page)).toEqual([]);
  });

  it('selects conversations, and lists the oldest first, on a telephone', async () => {
    const [maria] = [await written('Maria'), await written('Rita')];
    const page = await openAt('/inbox', { width: 390, height: 800 });
    const names = () => page.getByRole('list', { name: 'Conversas' }).getByRole('link').allInnerTexts();
    await until(async () => (await names())[0]?.startsWith('Rita') === true);
    await button(page, 'Mais antigas primeiro').click();
    await until(async () => (await names())[0]?.startsWith('Maria') === true);
    expect(new URL(page.url()).search).toBe('?sort=oldest');
    await button(page, 'Selecionar conversas').click();
    await page.getByRole('checkbox', { name: 'Selecionar Maria' }).check();
    const bar = page.getByRole('region', { name: 'Itens selecionados' });
    await bar.getByRole('button', { name: 'Encerrar' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Encerrar' }).click();
    await row(page, 'Maria').waitFor({ state: 'detached' });
    expect((await itemOf(maria)).ended_at).not.toBeNull();
    expect(await accessibilityFindings(page)).toEqual([]);
    expect(problemsOf(page)).toEqual([]);
  });

  it('undoes the closing of a conversation, with who answered it', async () => {
    const uuid = await written('Maria');
    await act(uuid, 'takeover').expect(200);
    const page = await openAt(`/inbox?id=${uuid}`);
    await page.getByText('Em atendimento humano desde').waitFor();
    await page.keyboard.press('e');
    const notice = page.getByRole('alert').filter({ hasText: 'Conversa encerrada.' });
    await notice.getByRole('button', { name: 'Desfazer' }).click();
    await page.getByText('Conversa reaberta.').waitFor();
    await page.getByText('Em atendimento humano desde').waitFor();
    expect(await itemOf(uuid)).toMatchObject({ ended_at: null, ai_enabled: false });
    await button(page, 'Encerrar').click();
    await button(page, 'Reabrir').click();
    await until(async () => (await itemOf(uuid)).ended_at === null);
    expect(problemsOf(page)).toEqual([]);
  });

  it('moves the focus with J and K, and announces who was opened and each new state', async () => {
    await written('Maria');
    await written('Rita');
    const page = await openAt('/inbox');
    const said = page.locator('[role="status"]');
    await row(page, 'Maria').waitFor();
    await page.keyboard.press('j');
    await said.filter({ hasText: 'Rita: a IA responde' }).waitFor({ state: 'attached' });
    expect(await isFocused(row(page, 'Rita'))).toBe(true);
    await page.keyboard.press('j');
    await said.filter({ hasText: 'Maria: a IA responde' }).waitFor({ state: 'attached' });
    expect(await isFocused(row(page, 'Maria'))).toBe(true);
    await page.keyboard.press('t');
    await said.filter({ hasText: 'Maria: atendimento assumido' }).waitFor({ state: 'attached' });
    const close = button(page, 'Encerrar');
    await until(async () => !(await close.isDisabled()));
    await close.press('Enter');
    await said.filter({ hasText: 'Maria: conversa encerrada' }).waitFor({ state: 'attached' });
    await until(() => isFocused(page.getByRole('heading', { level: 2, name: 'Maria' })));
    expect(problemsOf(page)).toEqual([]);
  });

  it('moves the focus to the heading where the conversation replaces the list, and back', async () => {
    await written('Maria');
    const page = await openAt('/inbox', { width: 390, locale: 'en-US' });
    await row(page, 'Maria').click();
    await until(() => isFocused(page.getByRole('heading', { level: 2, name: 'Maria' })));
    await button(page, 'Back to the list').press('Enter');
    await until(() => isFocused(row(page, 'Maria')));
    expect(problemsOf(page)).toEqual([]);
  });

  it('finds a saved reply by keyboard, fills it in, and manages saved replies', async () => {
    const save = (shortcut: string, text: string) =>
      app.as(owner).post('/api/user/saved-replies').send({ shortcut, text }).expect(201);
    await save('horario', 'Olá, {{ Name }}! Abrimos às 9h. Protocolo {{protocolo}}.');
    await save('entrega', 'Entregamos em 2 dias.');
    const page = await openAt(`/inbox?id=${await written('Maria')}`);
    const reply = page.getByLabel('Sua resposta');
    let letThrough = () => {};
    const isLetThrough = new Promise<void>((resolve) => (letThrough = resolve));
    await page.route('**/api/user/saved-replies', async (route) => {
      await isLetThrough;
      await route.continue();
    });
    await reply.fill('/');
    // Too early for the list: it must not be sent to the customer.
    await page.keyboard.press('Enter');
    expect(await reply.inputValue()).toBe('/');
    letThrough();
    const list = page.getByRole('listbox', { name: 'Respostas salvas' });
    await list.getByRole('option', { name: /horario/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    const marked = list.getByRole('option', { selected: true });
    await marked.filter({ hasText: '/horario' }).waitFor();
    expect(await reply.getAttribute('aria-activedescendant')).toBe(await marked.getAttribute('id'));
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.keyboard.press('Enter');
    expect(await reply.inputValue()).toBe('Olá, Maria! Abrimos às 9h. Protocolo {{protocolo}}.');
    await list.waitFor({ state: 'detached' });

    await reply.fill('/ent');
    await list.getByRole('option', { name: /entrega/ }).waitFor();
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    await reply.fill('/');
    await button(page, 'Gerenciar respostas salvas').click();
    const dialog = page.getByRole('dialog', { name: 'Respostas salvas' });
    await dialog.getByLabel('Atalho').fill('pix');
    await dialog.getByLabel('Texto').fill('Nossa chave é o e-mail.');
    expect(await accessibilityFindings(page)).toEqual([]);
    await button(page, 'Adicionar resposta').click();
    await dialog.getByRole('button', { name: 'Editar /pix' }).click();
    await dialog.getByLabel('Texto').fill('Aceitamos pix.');
    await dialog.getByRole('button', { name: 'Salvar' }).click();
    await dialog.getByText('Aceitamos pix.').waitFor();
    await dialog.getByRole('button', { name: 'Excluir /pix' }).click();
    await dialog.getByText('/pix').waitFor({ state: 'detached' });
    const { body } = await app.as(owner).get('/api/user/saved-replies').expect(200);
    expect(body.data.map(({ shortcut }: { shortcut: string }) => shortcut)).toEqual(['entrega', 'horario']);
    expect(problemsOf(page)).toEqual([]);
  });

  async function openWithNotifications(uuid: string, answer: string): Promise<Page> {
    const who = { email: owner.email, password: PASSWORD };
    const page = await browser.signIn(app.origin, who, { locale: 'en-US' });
    await page.addInitScript(NOTE_NOTIFICATIONS);
    await page.goto(`/app/inbox?id=${uuid}`);
    await page.evaluate(`window.answer = '${answer}'`);
    await row(page, 'Rita').waitFor();
    await page.keyboard.press('Shift+?');
    return page;
  }
  const NOTIFY = 'Notify me when a customer is waiting and this tab is hidden';

  it('notifies of a waiting customer by name while the tab is hidden, once that was allowed', async () => {
    const [maria, rita] = [await written('Maria'), await written('Rita')];
    const page = await openWithNotifications(rita, 'granted');
    const setting = page.getByRole('switch', { name: NOTIFY });
    expect(await setting.isChecked()).toBe(false);
    await setting.click();
    await until(() => setting.isChecked());
    await page.keyboard.press('Escape');
    await act(rita, 'takeover').expect(200);
    await app.http.post(`/api/conversations/${rita}/messages`).send({ message: 'Segredo' }).expect(200);
    await row(page, 'Rita').getByText('Waiting').waitFor();
    expect(await page.evaluate('window.shown.length')).toBe(0);
    await page.evaluate('window.isHidden = true');
    await act(maria, 'takeover').expect(200);
    await app.http.post(`/api/conversations/${maria}/messages`).send({ message: 'Segredo' }).expect(200);
    await until(async () => (await page.evaluate('window.shown.length')) === 1);
    expect(await page.evaluate('[shown[0].title, shown[0].options]')).toEqual([
      'Maria is waiting for a human',
      { tag: maria },
    ]);
    await page.evaluate("shown[0].dispatchEvent(new Event('click'))");
    await page.waitForURL(`**id=${maria}**`);
    expect(problemsOf(page)).toEqual([]);
  });

  it('says that the browser blocks notifications', async () => {
    const page = await openWithNotifications(await written('Rita'), 'denied');
    const setting = page.getByRole('switch', { name: NOTIFY });
    await setting.click();
    await page.getByText('Your browser blocks notifications from this site.').waitFor();
    expect(await setting.isChecked()).toBe(false);
    expect(await accessibilityFindings(page)).toEqual([]);
  });

  it('saves all messages of a conversation as text', async () => {
    const uuid = await written('Maria', 'Têm pão?');
    await app.query(
      `INSERT INTO messages (conversation_id, user_id, role, author, content)
       SELECT $1, $2, 'user', 'customer', 'Mensagem ' || number FROM generate_series(1, 250) AS number`,
      [uuid, owner.userId],
    );
    const page = await openAt(`/inbox?id=${uuid}`);
    await button(page, 'Mais ações').click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Baixar como texto' }).click(),
    ]);
    const text = await readFile(await download.path(), 'utf8');
    expect(download.suggestedFilename()).toBe(`conversation-${uuid}.txt`);
    expect(text.split('\n').slice(0, 2)).toEqual(['Maria', uuid]);
    expect(text).toContain('Maria: Têm pão?');
    expect(text.match(/Maria: Mensagem/g)).toHaveLength(250);
    expect(problemsOf(page)).toEqual([]);
  });

  it('ignores single keys while a dialog is open', async () => {
    const uuid = await written('Maria');
    const page = await openAt(`/inbox?id=${uuid}`);
    await page.getByText('A IA está respondendo.').waitFor();
    await button(page, 'Atalhos do teclado').click();
    const dialog = page.getByRole('dialog', { name: 'Atalhos do teclado' });
    await dialog.waitFor();
    for (const key of ['e', 't', 'u', 'x']) await page.keyboard.press(key);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.waitForTimeout(500);
    expect(await itemOf(uuid)).toMatchObject({ ended_at: null, ai_enabled: true });
    await page.keyboard.press('e');
    await until(async () => (await itemOf(uuid)).ended_at !== null);
  });

  it('keeps the reason why an action has failed when the customer writes', async () => {
    const uuid = await written('Maria');
    const page = await openAt(`/inbox?id=${uuid}`);
    await page.route(`**/api/user/conversations/${uuid}/takeover`, (route) => route.abort());
    await button(page, 'Assumir').first().click();
    const problem = page.getByRole('alert').filter({ hasText: 'Não foi possível' });
    await problem.waitFor();
    await app.http.post(`/api/conversations/${uuid}/messages`).send({ message: 'Alguém aí?' }).expect(200);
    await page.getByRole('log', { name: 'Mensagens' }).getByText('Alguém aí?').waitFor();
    await until(async () => (await itemOf(uuid)).unread_count === 0);
    await page.waitForTimeout(500);
    expect(await problem.count()).toBe(1);
  });

  it.each([
    ['pt-BR', 1280],
    ['en-US', 390],
  ] as const)('has no barrier that axe knows, light and dark, %s, %i wide', async (locale, width) => {
    const uuid = await written('Maria');
    const { id } = await addMember(app, owner, { name: 'Bia Souza' });
    await app.as(owner).put(`/api/user/conversations/${uuid}/assignee`).send({ member_id: id }).expect(200);
    for (const scheme of ['light', 'dark'] as const) {
      for (const path of ['/inbox', `/inbox?id=${uuid}`]) {
        const page = await openAt(path, { locale, width, scheme });
        const shown = path === '/inbox' ? row(page, 'Maria') : page.getByRole('log').getByText('Olá').first();
        await shown.waitFor();
        expect(await accessibilityFindings(page)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      }
    }
  });
});
