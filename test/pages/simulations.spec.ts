import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
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
import { addMember, createAssistant } from '../support/builders.js';
import { until } from '../support/until.js';

const PASSWORD = 'correto-cavalo-bateria';

describeInBrowser('Simulations in the console', () => {
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

  const addAssistant = async (name: string): Promise<number> =>
    (await createAssistant(app, owner, { name, system_prompt: 'A padaria abre às 6 horas.' })).id;
  /** One that is over. */
  async function play(assistant: number, name: string, says: string): Promise<number> {
    const scenario = {
      name,
      customer: { type: 'script', lines: ['Bom dia'] },
      checks: [{ type: 'says', text: says }],
    };
    const path = `/api/user/assistant/${assistant}/simulations`;
    const { id } = (await app.as(owner).post(path).send(scenario).expect(202)).body.data;
    await until(async () => {
      const { body } = await app.as(owner).get(`/api/user/simulations/${id}`).expect(200);
      return body.status === 'completed';
    });
    return id;
  }

  it('are begun by keyboard, followed to their end, read and deleted', async () => {
    await addAssistant('Padaria');
    const page = await openAt('/');
    await page.getByRole('link', { name: 'Simulações' }).click();
    await page.getByText('Nenhuma simulação deste assistente').waitFor();
    await page.getByRole('button', { name: 'Nova simulação' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Nova simulação' });
    const name = dialog.getByLabel('Nome');
    await until(() => name.evaluate((field) => field === field.ownerDocument.activeElement));
    await page.keyboard.type('Saudação');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Bom dia\nQuando abre?');
    await dialog.getByRole('button', { name: 'Simular' }).press('Enter');
    await dialog.getByText('Preencha pelo menos uma das verificações.').waitFor();
    await dialog.getByLabel('O assistente diz').fill('Olá');
    await dialog.getByLabel('O assistente nunca diz').fill('palavrão');
    await dialog.getByLabel('Repetições').selectOption('3');
    await dialog.getByRole('button', { name: 'Simular' }).press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    const row = page.getByRole('row', { name: /Saudação/ });
    await row.getByText('3 de 3 aprovadas').waitFor();
    await row.getByRole('link', { name: 'Saudação' }).press('Enter');
    const drawer = page.getByRole('dialog', { name: 'Saudação' });
    const last = drawer.getByRole('region', { name: 'Conversa 3' });
    await last.getByText('Aprovada').waitFor();
    await last.getByText('Cliente: Quando abre?').waitFor();
    expect(await last.getByText(/^Atendido:/).count()).toBe(2);
    expect(new URL(page.url()).search).toMatch(/^\?simulation=\d+$/);
    await drawer.getByRole('button', { name: 'Excluir' }).press('Enter');
    const question = page.getByRole('dialog', { name: 'Excluir simulação' });
    await question.getByRole('button', { name: 'Excluir' }).press('Enter');
    await page.getByText('Nenhuma simulação deste assistente').waitFor();
    expect(problemsOf(page)).toEqual([]);
  }, 90_000);

  it('are those of the chosen assistant, kept in the URL', async () => {
    const [first, second] = [await addAssistant('Primeira'), await addAssistant('Segunda')];
    await play(first, 'Da primeira', 'isto ninguém diz');
    await play(second, 'Da segunda', 'Olá');
    const page = await openAt('/simulations');
    const choice = page.getByRole('combobox', { name: 'Assistente' });
    await choice.selectOption('Primeira');
    await page
      .getByRole('row', { name: /Da primeira/ })
      .getByText('0 de 1 aprovadas')
      .waitFor();
    expect(await page.getByText('Da segunda').count()).toBe(0);
    await choice.selectOption('Segunda');
    await page.getByRole('link', { name: 'Da segunda' }).waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'Da segunda' }).waitFor();
    expect(new URL(page.url()).search).toBe(`?assistant=${second}`);
    expect(problemsOf(page)).toEqual([]);
  }, 90_000);

  it('are read, not begun, without the right to it', async () => {
    await play(await addAssistant('Padaria'), 'Saudação', 'Olá');
    const { email } = await addMember(app, owner, { role: 'viewer', password: PASSWORD });
    const page = await openAt('/simulations', {}, email);
    await page.getByRole('link', { name: 'Saudação' }).click();
    await page.getByRole('dialog').getByText('Aprovada').waitFor();
    expect(await page.getByRole('button', { name: /Excluir|Nova simulação/ }).count()).toBe(0);
    expect(problemsOf(page)).toEqual([]);
  }, 90_000);

  it.each([
    ['pt-BR', 1280, 'Nova simulação', 'Fechar'],
    ['en-US', 390, 'New simulation', 'Close'],
  ] as const)(
    'has no barrier that axe knows, light and dark, %s, %i wide',
    async (locale, width, begin, close) => {
      const assistant = await addAssistant('Padaria');
      const id = await play(assistant, 'Saudação', 'isto ninguém diz');
      const page = await openAt(`/simulations?simulation=${id}`, { locale, width });
      const findings: string[] = [];
      const look = async () => {
        findings.push(...(await accessibilityFindings(page)));
        await setScheme(page, 'dark');
        findings.push(...(await accessibilityFindings(page, ['color-contrast'])));
        await setScheme(page, 'light');
        expect(await overflowOf(page)).toBe(0);
      };
      await page.getByRole('dialog').getByRole('region').first().waitFor();
      await look();
      await page.getByRole('dialog').getByRole('button', { name: close }).click();
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      await look();
      await page.getByRole('button', { name: begin }).click();
      await page.getByRole('dialog').getByRole('textbox').first().waitFor();
      await look();
      expect(findings).toEqual([]);
      expect(problemsOf(page)).toEqual([]);
    },
    90_000,
  );
});
