import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type TestAccount, TestApp } from '../support/app.js';
import { buildPages, describeInBrowser, problemsOf, TestBrowser } from '../support/browser.js';
import { createAssistant } from '../support/builders.js';
import { addMeasuredCalls } from '../support/console-rows.js';

const PASSWORD = 'correto-cavalo-bateria';
/** On seven days: 1 + 2 + … + 7. */
const CALLS = 28;

describeInBrowser('Figures in the console', () => {
  let app: TestApp;
  let browser: TestBrowser;
  let owner: TestAccount;

  beforeAll(async () => {
    await buildPages();
    [app, browser] = await Promise.all([TestApp.start(), TestBrowser.start()]);
    owner = await app.account({ balanceUsd: 25, password: PASSWORD });
    await addMeasuredCalls(app, owner, (await createAssistant(app, owner, { name: 'Recepção' })).id);
  }, 240_000);
  afterEach(() => browser.closeWindows());
  afterAll(async () => {
    await browser.stop();
    await app.stop();
  });

  async function openAt(path: string, { email }: TestAccount): Promise<Page> {
    const page = await browser.open(app.origin);
    const data = { email, password: PASSWORD };
    await page.request.post('/api/auth/session', { data, headers: { Origin: app.origin } });
    await page.goto(`/app${path}`);
    return page;
  }

  it('tell what the API tells, by day and by assistant, and keep the choice in the address', async () => {
    const page = await openAt('/', owner);
    await page.getByRole('link', { name: 'Relatórios' }).click();
    const { body } = await app.as(owner).get('/api/user/analytics?group_by=assistant').expect(200);
    expect(body.totals.calls.count).toBe(CALLS);
    const total = (name: string) => page.getByRole('main').locator('dl > div').filter({ hasText: name });
    await total('Ligações').getByText('28', { exact: true }).waitFor();
    await total('Ligações')
      .getByText(/min falados/)
      .waitFor();
    await total('Custo').getByText('US$ 3,36').waitFor();
    await total('Tempo de resposta').getByText('640 ms', { exact: true }).waitFor();
    await total('Tokens de entrada').getByText('25.200').waitFor();

    const days = page.getByRole('table', { name: 'Ligações' });
    expect(await days.getByRole('row').count()).toBe(31);
    await page.getByRole('radio', { name: '7 dias' }).check({ force: true });
    await page.waitForURL('**/analytics?days=7');
    expect(await days.getByRole('row').last().getByRole('cell').innerText()).toBe('7');
    await page.getByRole('radio', { name: 'Custo' }).check({ force: true });
    const costs = page.getByRole('table', { name: 'Custo' });
    expect(await costs.getByRole('row').last().getByRole('cell').innerText()).toBe('US$\u00a00,84');

    await page
      .getByRole('img', { name: /^Resultado das ligações \(Atendidas: \d+, Em andamento: 0/ })
      .waitFor();
    const row = page.getByRole('row', { name: /Recepção/ });
    await row.getByText('28', { exact: true }).waitFor();
    await page.getByRole('radio', { name: 'Por campanha' }).check({ force: true });
    await page.getByRole('row', { name: /Sem campanha/ }).waitFor();
    await page.reload();
    await page.getByRole('row', { name: /Sem campanha/ }).waitFor();
    expect(new URL(page.url()).searchParams.get('days')).toBe('7');
    expect(problemsOf(page)).toEqual([]);
  }, 120_000);

  it('say where there is nothing to tell', async () => {
    const page = await openAt('/analytics?days=1&by=nothing', await app.account({ password: PASSWORD }));
    await page.getByText('Nenhuma atividade no período.').first().waitFor();
    expect(await page.getByRole('radio', { name: '30 dias' }).isChecked()).toBe(true);
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);
});
