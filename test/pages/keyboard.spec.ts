import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { type TestAccount, TestApp } from '../support/app.js';
import { buildPages, describeInBrowser, problemsOf, TestBrowser } from '../support/browser.js';
import { createAssistant, openConversation } from '../support/builders.js';
import { addPhoneNumber, createOutboundAssistant, phoneNumber } from '../support/campaign-builders.js';
import { until } from '../support/until.js';

const PASSWORD = 'correto-cavalo-bateria';
/** More stops than any screen has before what is looked for. */
const MOST_STOPS = 90;
/** In a page: whether one sees where the focus is. */
const SHOWS_FOCUS = `(() => {
  // After the last stop it is the browser's turn.
  if (document.activeElement === document.body) return true;
  const shows = (element, part) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element, part);
    return outlineStyle !== 'none' && parseFloat(outlineWidth) > 0;
  };
  if ([...(document.activeElement.labels ?? [])].some((label) => shows(label))) return true;
  // A link that is a whole row has its frame around the row.
  if (shows(document.activeElement, '::after')) return true;
  for (let at = document.activeElement; at && at !== document.body; at = at.parentElement) {
    const { outlineStyle, outlineWidth, boxShadow, borderColor } = getComputedStyle(at);
    if (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) return true;
    if (at === document.activeElement && (boxShadow !== 'none' || (at.matches('input, textarea') && borderColor))) return true;
    if (at.matches('form, section, main, nav')) return false;
  }
  return false;
})()`;

/** Without a mouse: all is reached by Tab, and done by Enter, space and letters. */
describeInBrowser('By keyboard alone', () => {
  let app: TestApp;
  let browser: TestBrowser;
  let owner: TestAccount;
  let dataDir: string;

  beforeAll(async () => {
    await buildPages();
    dataDir = await mkdtemp(join(tmpdir(), 'prosa-pages-'));
    [app, browser] = await Promise.all([
      TestApp.start({ PROSA_ROLES: 'api,worker', SANDBOX_SPEED: '200', DATA_DIR: dataDir }),
      TestBrowser.start(),
    ]);
    owner = await app.account({ balanceUsd: 25, password: PASSWORD });
  }, 240_000);
  afterEach(() => browser.closeWindows());
  afterAll(async () => {
    await browser.stop();
    await app.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Goes on by Tab until an element has the focus, which is to be seen at each stop. */
  async function reach(page: Page, target: Locator): Promise<void> {
    // Boxes that are drawn by their labels are not visible themselves.
    await target.waitFor({ state: 'attached' });
    for (let stop = 0; stop < MOST_STOPS; stop++) {
      if (await target.evaluate((element) => element.matches(':focus'))) return;
      await page.keyboard.press('Tab');
      const at = await page.evaluate('document.activeElement.outerHTML.slice(0, 160)');
      expect({ at, isShown: await page.evaluate(SHOWS_FOCUS) }).toEqual({ at, isShown: true });
    }
    throw new Error('not reached by Tab');
  }
  const press = async (page: Page, target: Locator, key = 'Enter') => {
    await reach(page, target);
    await page.keyboard.press(key);
  };
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first();
  /** A time, however the browser asks for it. */
  const typeTime = async (page: Page, target: Locator, value: string, onTwelveHours: string) => {
    await reach(page, target);
    await page.keyboard.type(onTwelveHours);
    if ((await target.inputValue()) === value) return;
    await page.keyboard.press('Shift+Tab');
    await reach(page, target);
    await page.keyboard.type(value.replace(':', ''));
    expect(await target.inputValue()).toBe(value);
  };
  const isFocused = (target: Locator) => target.evaluate((element) => element.matches(':focus'));

  it('one signs in, makes an assistant and chats with it; dialogs hold the focus, and give it back', async () => {
    const page = await browser.open(app.origin);
    await page.goto('/app/assistants');
    await page.getByLabel('E-mail').waitFor();
    await page.keyboard.type(owner.email);
    await reach(page, page.getByLabel('Senha', { exact: true }));
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    const add = button(page, 'Novo assistente');
    await press(page, add);
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    for (let stop = 0; stop < 25; stop++) {
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.closest("[role=dialog]") !== null')).toBe(true);
    }
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await until(() => isFocused(add));

    await page.keyboard.press('Enter');
    await reach(page, page.getByLabel('Nome', { exact: true }));
    await page.keyboard.type('Padaria');
    await press(page, button(page, 'Criar e testar'));
    await page.getByRole('heading', { level: 1, name: 'Padaria' }).waitFor();
    await page.getByRole('log').getByText('Olá!').first().waitFor();
    await reach(page, page.getByLabel('Mensagem', { exact: true }));
    await page.keyboard.type('Tem pão?');
    await page.keyboard.press('Enter');
    await page.getByRole('log').getByText('Tem pão?').waitFor();
    expect(problemsOf(page)).toEqual([]);
  }, 180_000);

  it('one takes a conversation over, answers it and hands it back', async () => {
    const assistant = await createAssistant(app, owner);
    const uuid = await openConversation(app, assistant, { variables: { name: 'Maria' } }, owner);
    await app.http.post(`/api/conversations/${uuid}/messages`).send({ message: 'Olá' }).expect(200);
    const page = await browser.signIn(app.origin, { email: owner.email, password: PASSWORD });
    await page.goto('/app/inbox');
    await press(page, page.getByRole('link', { name: /Maria/ }));
    await press(page, button(page, 'Assumir'));
    await page.getByText('Em atendimento humano desde').waitFor();
    await reach(page, page.getByLabel('Sua resposta'));
    await page.keyboard.type('Aqui é a Marta.');
    await page.keyboard.press('Enter');
    await page.getByRole('log').getByText('Aqui é a Marta.').waitFor();
    await press(page, button(page, 'Devolver à IA'));
    await page.getByText('A IA está respondendo.').waitFor();
    expect(problemsOf(page)).toEqual([]);
  }, 180_000);

  it('one makes a campaign by steps, maps the columns of a file, starts it and watches it to its end', async () => {
    const assistant = await createOutboundAssistant(app, owner, {
      name: 'Vendas',
      phone_number_id: await addPhoneNumber(app, owner),
    });
    await app.as(owner).put(`/api/user/assistant/${assistant}`).send({ status: 'active' }).expect(200);
    const page = await browser.signIn(app.origin, { email: owner.email, password: PASSWORD });
    await page.goto('/app/campaigns');
    await press(page, page.getByRole('link', { name: 'Nova campanha' }).first());
    await reach(page, page.getByLabel('Nome', { exact: true }));
    await page.keyboard.type('Renovações');
    await press(page, page.getByRole('combobox', { name: 'Assistente' }), 'ArrowDown');
    await page.getByRole('option', { name: 'Vendas' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('combobox', { name: 'Assistente' }).inputValue()).toBe('Vendas');
    await press(page, button(page, 'Continuar'));

    // At any hour, so that the test runs at any.
    await press(page, page.getByLabel('Sáb'), 'Space');
    await press(page, page.getByLabel('Dom'), 'Space');
    await typeTime(page, page.getByLabel('Das', { exact: true }), '00:00', '1200A');
    await typeTime(page, page.getByLabel('Até', { exact: true }), '23:59', '1159P');
    await press(page, button(page, 'Criar campanha'));

    const choose = button(page, 'Escolher arquivo');
    await reach(page, choose);
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Enter')]);
    // Numbers that the sandbox answers at once, whatever their order.
    const lines = [11, 12, 13].map((n) => `${phoneNumber(n)};Pessoa ${n}`);
    const buffer = Buffer.from(`Celular;Cliente\n${lines.join('\n')}\n`);
    await chooser.setFiles({ name: 'contatos.csv', mimeType: 'text/csv', buffer });
    const variable = page.getByLabel('Nome da variável: Cliente');
    await reach(page, variable);
    await page.keyboard.press('Control+A');
    await page.keyboard.type('nome');
    await press(page, button(page, 'Importar'));
    await page.getByText('3 contatos importados').waitFor();
    await press(page, button(page, 'Abrir a campanha'));

    await page.getByRole('heading', { level: 1, name: 'Renovações' }).waitFor();
    await press(page, button(page, 'Iniciar'));
    await page.getByText('Concluída', { exact: true }).waitFor({ timeout: 90_000 });
    const lead = page.getByRole('link', { name: phoneNumber(13) }).or(button(page, phoneNumber(13)));
    await press(page, lead.first());
    const drawer = page.getByRole('dialog', { name: 'Contato' });
    await drawer.getByText('Pessoa 13', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    expect(problemsOf(page)).toEqual([]);
  }, 240_000);
});
