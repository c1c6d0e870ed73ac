import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { type TestAccount, TestApp } from '../support/app.js';
import { buildPages, describeInBrowser, problemsOf, TestBrowser } from '../support/browser.js';
import { createAssistant, openConversation } from '../support/builders.js';

const PASSWORD = 'correto-cavalo-bateria';
/** More stops than any screen has before what is looked for. */
const MOST_STOPS = 90;
/** In a page: whether one sees where the focus is. */
const SHOWS_FOCUS = `(() => {
  // After the last stop it is the browser's turn.
  if (document.activeElement === document.body) return true;
  for (let at = document.activeElement; at && at !== document.body; at = at.parentElement) {
    const { outlineStyle, outlineWidth, boxShadow, borderColor } = getComputedStyle(at);
    if (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) return true;
    if (at === document.activeElement && (boxShadow !== 'none' || (at.matches('input, textarea') && borderColor))) return true;
    if (at.matches('form, section, main, nav')) return false;
  }
  return false;
})()`;

/** Nobody touches a mouse here: all is reached by Tab, and done by Enter, space and letters. */
describeInBrowser('By keyboard alone', () => {
  let app: TestApp;
  let browser: TestBrowser;
  let owner: TestAccount;

  beforeAll(async () => {
    await buildPages();
    [app, browser] = await Promise.all([TestApp.start(), TestBrowser.start()]);
    owner = await app.account({ balanceUsd: 25, password: PASSWORD });
  }, 240_000);
  afterEach(() => browser.closeWindows());
  afterAll(async () => {
    await browser.stop();
    await app.stop();
  });

  /** Goes on by Tab until an element has the focus, which is to be seen at each stop. */
  async function reach(page: Page, target: Locator): Promise<void> {
    await target.waitFor();
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
    expect(await isFocused(add)).toBe(true);

    await page.keyboard.press('Enter');
    await reach(page, page.getByLabel('Nome', { exact: true }));
    await page.keyboard.type('Padaria');
    await press(page, button(page, 'Criar e conversar'));
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
    const page = await browser.open(app.origin);
    const data = { email: owner.email, password: PASSWORD };
    await page.request.post('/api/auth/session', { data, headers: { Origin: app.origin } });
    await page.goto('/app/inbox');
    await press(page, page.getByRole('link', { name: /Maria/ }));
    await press(page, button(page, 'Assumir'));
    await page.getByText('Uma pessoa atende desde').waitFor();
    await reach(page, page.getByLabel('Sua resposta'));
    await page.keyboard.type('Aqui é a Marta.');
    await page.keyboard.press('Enter');
    await page.getByRole('log').getByText('Aqui é a Marta.').waitFor();
    await press(page, button(page, 'Devolver à IA'));
    await page.getByText('A IA responde esta conversa.').waitFor();
    expect(problemsOf(page)).toEqual([]);
  }, 180_000);
});
