import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
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
import { until } from '../support/until.js';

const PASSWORD = 'correto-cavalo-bateria';
const API = '/api/user/do-not-call';

describeInBrowser('The do-not-call list in the console', () => {
  let app: TestApp;
  let browser: TestBrowser;
  let owner: TestAccount;
  let dataDir: string;

  beforeAll(async () => {
    await buildPages();
    dataDir = await mkdtemp(join(tmpdir(), 'prosa-pages-'));
    [app, browser] = await Promise.all([
      TestApp.start({ PROSA_ROLES: 'api,worker', DATA_DIR: dataDir }),
      TestBrowser.start(),
    ]);
  }, 240_000);
  beforeEach(async () => {
    owner = await app.account({ password: PASSWORD });
  });
  afterEach(() => browser.closeWindows());
  afterAll(async () => {
    await browser.stop();
    await app.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function openAt(path: string, look: Look = {}, email = owner.email): Promise<Page> {
    return browser.openConsole(app.origin, { email, password: PASSWORD }, path, look);
  }

  const listed = async (): Promise<string[]> => {
    const { body } = await app.as(owner).get(API).expect(200);
    return body.data.map(({ phone_number }: { phone_number: string }) => phone_number);
  };
  const add = (phone: string, reason?: string) =>
    app.as(owner).post(API).send({ phone_number: phone, reason }).expect(201);

  it('is opened from the navigation, and takes numbers, one a line, by keyboard', async () => {
    const page = await openAt('/');
    await page.getByRole('link', { name: 'Não ligar' }).click();
    await page.getByText('Nenhum número na lista').waitFor();
    const open = page.getByRole('button', { name: 'Adicionar números' });
    await open.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Adicionar números' });
    await dialog.waitFor();
    const numbers = dialog.getByLabel('Números', { exact: true });
    await until(() => numbers.evaluate((field) => field === field.ownerDocument.activeElement));
    await page.keyboard.type('(11) 98765-4321\nabc\n+55 11 98765-4322\n+55 11 98765-4322\n\n');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Pediu por e-mail');
    await page.keyboard.press('Enter');
    await dialog.getByText('Um número não foi adicionado. Corrija e tente de novo.').waitFor();
    expect(await numbers.inputValue()).toBe('abc');
    await page.getByText('2 números adicionados').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await numbers.fill('11 98765-4323');
    await dialog.getByRole('button', { name: 'Adicionar', exact: true }).press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    expect((await listed()).toSorted()).toEqual(['+5511987654321', '+5511987654322', '+5511987654323']);
    await page
      .getByRole('row', { name: /\+5511987654321/ })
      .getByRole('cell', { name: 'Pediu por e-mail' })
      .waitFor();
    // The refused number is a failed request, as it should be.
    expect(problemsOf(page).filter((problem) => !problem.includes('422'))).toEqual([]);
  }, 60_000);

  it('refuses more numbers than it sends at once', async () => {
    const page = await openAt('/do-not-call');
    await page.getByRole('button', { name: 'Adicionar números' }).click();
    const dialog = page.getByRole('dialog');
    const many = Array.from({ length: 51 }, (_, n) => `+55119876500${String(n).padStart(2, '0')}`);
    await dialog.getByLabel('Números', { exact: true }).fill(many.join('\n'));
    await dialog.getByText('No máximo 50 números por vez.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Adicionar', exact: true }).isDisabled()).toBe(true);
    expect(await listed()).toEqual([]);
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);

  it('finds a number, however it is written, and keeps it in the URL', async () => {
    await add('+5511987654321');
    await add('+5511987654322');
    const page = await openAt('/do-not-call');
    const rows = page.locator('tbody tr');
    await until(async () => (await rows.count()) === 2);
    const search = page.getByRole('textbox', { name: 'Buscar número' });
    await search.fill('11 98765-4322');
    await until(async () => (await rows.count()) === 1);
    await page.reload();
    await page.getByRole('cell', { name: '+5511987654322', exact: true }).waitFor();
    expect(await rows.count()).toBe(1);
    expect(await search.inputValue()).toBe('11 98765-4322');
    await search.fill('11 98765-4399');
    await page.getByText('Este número não está na lista').waitFor();
    await page.getByRole('button', { name: 'Limpar busca' }).click();
    await until(async () => (await rows.count()) === 2);
    expect(await search.inputValue()).toBe('');
    expect(new URL(page.url()).search).toBe('');
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);

  it('removes a number after a question, which can be answered with no', async () => {
    await add('+5511987654321');
    const page = await openAt('/do-not-call');
    const remove = page.getByRole('button', { name: 'Remover +5511987654321' });
    const dialog = page.getByRole('dialog', { name: 'Remover número' });
    await remove.press('Enter');
    await dialog.getByText('+5511987654321 poderá receber ligações novamente.').waitFor();
    await dialog.getByRole('button', { name: 'Cancelar' }).press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    expect(await listed()).toHaveLength(1);
    await remove.press('Enter');
    await dialog.getByRole('button', { name: 'Remover', exact: true }).press('Enter');
    await page.getByText('Nenhum número na lista').waitFor();
    expect(await listed()).toEqual([]);
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);

  it('pages through a long list', async () => {
    await app.query(
      `INSERT INTO do_not_call_entries (user_id, phone_number)
       SELECT $1, '+55119876' || 50000 + n FROM generate_series(1, 26) n`,
      [owner.userId],
    );
    const page = await openAt('/do-not-call');
    await page.getByText('1–25 de 26').waitFor();
    await page.getByRole('button', { name: 'Próxima página' }).click();
    await page.getByText('26–26 de 26').waitFor();
    expect(new URL(page.url()).search).toBe('?page=2');
    await page.getByRole('button', { name: 'Remover +5511987650001' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remover', exact: true }).click();
    await page.getByRole('cell', { name: '+5511987650002', exact: true }).waitFor();
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);

  it('is shown, not changed, without the right to it', async () => {
    await add('+5511987654321');
    const { email } = await addMember(app, owner, { role: 'viewer', password: PASSWORD });
    const page = await openAt('/do-not-call', {}, email);
    await page.getByRole('cell', { name: '+5511987654321', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: /Remover|Adicionar/ }).count()).toBe(0);
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);

  it.each([
    ['pt-BR', 1280, 'Adicionar números'],
    ['en-US', 390, 'Add numbers'],
  ] as const)(
    'has no barrier that axe knows, light and dark, %s, %i wide',
    async (locale, width, addNumbers) => {
      await add(
        '+5511987654321',
        'Pediu por telefone, e de novo por escrito, para não receber mais ligações',
      );
      const page = await openAt('/do-not-call', { locale, width });
      await page.getByRole('cell', { name: '+5511987654321', exact: true }).waitFor();
      const findings = await accessibilityFindings(page);
      await setScheme(page, 'dark');
      findings.push(...(await accessibilityFindings(page, ['color-contrast'])));
      await setScheme(page, 'light');
      expect(await overflowOf(page)).toBe(0);
      await page.getByRole('button', { name: addNumbers }).click();
      await page.getByRole('dialog').getByRole('textbox').first().waitFor();
      findings.push(...(await accessibilityFindings(page)));
      expect(await overflowOf(page)).toBe(0);
      expect(findings).toEqual([]);
      expect(problemsOf(page)).toEqual([]);
    },
    60_000,
  );
});
