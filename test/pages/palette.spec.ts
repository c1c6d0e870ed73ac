import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
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
import { addMember, createAssistant, type CreatedAssistant, openConversation } from '../support/builders.js';
import { createCampaign } from '../support/campaign-builders.js';
import { until } from '../support/until.js';

const PASSWORD = 'correto-cavalo-bateria';
const PHONE = '+5511987650077';
const EMAIL = 'beatriz@example.com';

describeInBrowser('The search over everything', () => {
  let app: TestApp;
  let browser: TestBrowser;
  let owner: TestAccount;
  let assistant: CreatedAssistant;
  let campaign: number;
  let conversation: string;
  let dataDir: string;

  beforeAll(async () => {
    await buildPages();
    dataDir = await mkdtemp(join(tmpdir(), 'prosa-pages-'));
    [app, browser] = await Promise.all([
      TestApp.start({ PROSA_ROLES: 'api', DATA_DIR: dataDir }),
      TestBrowser.start(),
    ]);
    owner = await app.account({ balanceUsd: 25, password: PASSWORD });
    assistant = await createAssistant(app, owner, { name: 'Recepção da padaria' });
    campaign = await createCampaign(app, owner, { name: 'Padaria: renovação' });
    conversation = await openConversation(app, assistant, { variables: { name: 'Lia Padaria' } }, owner);
    await app.http
      .post(`/api/conversations/${conversation}/messages`)
      .send({ message: 'Bom dia' })
      .expect(200);
    const member = { role: 'viewer', name: 'Beatriz da Padaria', email: EMAIL, password: PASSWORD };
    await addMember(app, owner, member);
    await app.query(
      `INSERT INTO calls (user_id, assistant_name, type, status, client_phone_number, started_at, ended_at)
       SELECT $1, 'Recepção', 'inbound', 'completed', $2, now(), now() FROM generate_series(1, 7)`,
      [owner.userId, PHONE],
    );
  }, 240_000);
  afterEach(() => browser.closeWindows());
  afterAll(async () => {
    await browser.stop();
    await app.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function openAt(path: string, look: Look = {}, email = owner.email): Promise<Page> {
    const page = await browser.signIn(app.origin, { email, password: PASSWORD }, look);
    await page.goto(`/app${path}`);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    return page;
  }

  const fieldOf = (page: Page) => page.getByRole('combobox', { name: 'Buscar em tudo' });
  const optionsOf = (page: Page) => page.getByRole('dialog').getByRole('option');
  const optionOf = (page: Page, name: string) => page.getByRole('dialog').getByRole('option', { name });
  const groupOf = (page: Page, name: string) => page.getByRole('group', { name, exact: true });
  const isFocused = (target: Locator) => target.evaluate((element) => element.matches(':focus'));
  /** What the field says that Enter opens. */
  const activeOf = async (page: Page) => {
    const id = await fieldOf(page).getAttribute('aria-activedescendant');
    return page.locator(`[id="${id}"][role=option][aria-selected=true]`).innerText();
  };
  async function search(page: Page, words: string): Promise<void> {
    await page.keyboard.press('Control+k');
    await until(() => isFocused(fieldOf(page)));
    await page.keyboard.type(words);
  }

  it('opens pages, assistants, campaigns, people, calls and conversations by keyboard alone', async () => {
    const page = await openAt('/billing');
    await search(page, 'ligacoes');
    await until(async () => (await activeOf(page)) === 'Ligações');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/app/calls');
    await fieldOf(page).waitFor({ state: 'detached' });
    await until(() => isFocused(page.getByRole('heading', { level: 1 })));

    await search(page, 'padaria');
    const labels = ['Recepção da padaria', 'Padaria: renovação', 'Beatriz da Padaria', 'Lia Padaria'];
    for (const label of labels) await optionOf(page, label).waitFor();
    expect(await optionsOf(page).count()).toBe(labels.length);
    await page.getByRole('status').getByText('4 resultados').waitFor({ state: 'attached' });
    for (const label of [...labels, labels[0]!]) {
      expect((await activeOf(page)).startsWith(label)).toBe(true);
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    expect((await activeOf(page)).startsWith('Lia Padaria')).toBe(true);
    await page.keyboard.press('Enter');
    await page.waitForURL(({ searchParams }) => searchParams.get('id') === conversation);

    for (const [words, path] of [
      ['padaria recepcao', `/app/assistants/${assistant.id}`],
      ['padaria: renovacao', `/app/campaigns/${campaign}`],
      [EMAIL, '/app/members'],
    ] as const) {
      await search(page, words);
      await optionsOf(page).first().waitFor();
      await page.keyboard.press('Enter');
      await page.waitForURL(({ pathname }) => pathname === path);
    }

    await search(page, '(11) 98765-0077');
    const calls = groupOf(page, 'Ligações').getByRole('option');
    await calls.first().waitFor();
    expect(await calls.count()).toBe(5);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/app\/calls\/\d+$/);
    await page.getByRole('heading', { level: 1, name: `Ligação: ${PHONE}` }).waitFor();
    expect(problemsOf(page)).toEqual([]);
  }, 120_000);

  it('opens from a field, and leaves the focus and the text there when it is closed', async () => {
    const page = await openAt('/calls');
    const filter = page.getByLabel('Número do cliente');
    await filter.click();
    await page.keyboard.type('21');
    await page.keyboard.press('Control+k');
    await until(() => isFocused(fieldOf(page)));
    expect(await groupOf(page, 'Páginas').getByRole('option').count()).toBe(5);
    await page.keyboard.press('Escape');
    await fieldOf(page).waitFor({ state: 'detached' });
    await until(() => isFocused(filter));
    expect(await filter.inputValue()).toBe('21');

    const button = page.getByRole('complementary').getByRole('button', { name: 'Buscar em tudo' });
    await button.press('Enter');
    await until(() => isFocused(fieldOf(page)));
    await page.getByRole('dialog').getByRole('button', { name: 'Fechar' }).click();
    await fieldOf(page).waitFor({ state: 'detached' });
    await until(() => isFocused(button));
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);

  it('says what it does not find, and what could not be searched', async () => {
    const page = await openAt('/billing');
    await search(page, 'zzz');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Nada encontrado para “zzz”.').first().waitFor();
    expect(await fieldOf(page).getAttribute('aria-expanded')).toBe('false');
    expect(await fieldOf(page).getAttribute('aria-activedescendant')).toBeNull();
    await page.keyboard.press('Enter');
    expect(new URL(page.url()).pathname).toBe('/app/billing');

    await page.route('**/api/user/conversations?*q=*', (route) =>
      route.fulfill({ status: 422, json: { message: 'não', errors: {} } }),
    );
    await fieldOf(page).fill('padaria');
    await dialog.getByRole('alert').getByText('Não foi possível buscar em: Conversas.').waitFor();
    await optionOf(page, 'Recepção da padaria').waitFor();
  }, 60_000);

  it('offers viewers only what they may see, and does not open over a dialog', async () => {
    const page = await openAt('/calls', {}, EMAIL);
    await search(page, 'beatriz');
    await page.getByRole('dialog').getByText('Nada encontrado para “beatriz”.').first().waitFor();
    await fieldOf(page).fill('chaves');
    await page.getByRole('dialog').getByText('Nada encontrado para “chaves”.').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: PHONE }).first().click();
    const drawer = page.getByRole('dialog', { name: /^Ligação/ });
    await drawer.getByText('Sem transcrição.').waitFor();
    await page.keyboard.press('Control+k');
    await page.waitForTimeout(300);
    expect(await page.getByRole('dialog').count()).toBe(1);
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);

  it('fits a telephone, light and dark, and has no barrier that axe knows', async () => {
    const page = await openAt('/billing', { width: 390, locale: 'en-US' });
    await page.getByRole('button', { name: 'Search everything' }).click();
    const field = page.getByRole('combobox', { name: 'Search everything' });
    await field.fill('padaria');
    await optionOf(page, 'Lia Padaria').waitFor();
    for (const scheme of ['light', 'dark'] as const) {
      await setScheme(page, scheme);
      expect([scheme, await overflowOf(page), await accessibilityFindings(page)]).toEqual([scheme, 0, []]);
    }
    await optionOf(page, 'Lia Padaria').click();
    await page.waitForURL(({ searchParams }) => searchParams.get('id') === conversation);
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);
});
