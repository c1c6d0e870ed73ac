import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type TestAccount, TestApp } from '../support/app.js';
import {
  accessibilityFindings,
  buildPages,
  choose,
  describeInBrowser,
  overflowOf,
  problemsOf,
  TestBrowser,
} from '../support/browser.js';
import { createAssistant } from '../support/builders.js';
import { addMeasuredCalls } from '../support/console-rows.js';
import { until } from '../support/until.js';

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
    return browser.openConsole(app.origin, { email, password: PASSWORD }, path);
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
    await choose(page.getByRole('radio', { name: '7 dias' }));
    await page.waitForURL('**/analytics?days=7');
    await until(async () => (await days.getByRole('row').count()) === 8);
    expect(await days.getByRole('row').last().getByRole('cell').innerText()).toBe('7');
    await choose(page.getByRole('radio', { name: 'Custo' }));
    const costs = page.getByRole('table', { name: 'Custo' });
    expect(await costs.getByRole('row').last().getByRole('cell').innerText()).toBe('US$\u00a00,84');

    await page
      .getByRole('img', { name: /^Resultado das ligações \(Atendidas: \d+, Em andamento: 0/ })
      .waitFor();
    const row = page.getByRole('row', { name: /Recepção/ });
    await row.getByRole('cell', { name: '28', exact: true }).waitFor();
    await choose(page.getByRole('radio', { name: 'Por campanha' }));
    await page.getByRole('row', { name: /Sem campanha/ }).waitFor();
    await page.reload();
    await page.getByRole('row', { name: /Sem campanha/ }).waitFor();
    expect(new URL(page.url()).searchParams.get('days')).toBe('7');
    expect(problemsOf(page)).toEqual([]);
  }, 120_000);

  it('tell which inbound calls were missed, by number and by hour, and why', async () => {
    const shopkeeper = await app.account({ password: PASSWORD });
    const routings = [
      ['+551130000001', '2 days', 'unavailable', 'busy', 'account_full'],
      ['+551130000001', '2 days', 'unavailable', 'busy', 'account_full'],
      ['+551130000001', '2 days', 'open', 'assistant', null],
      ['+551130000002', '20 days', 'closed', 'message', 'hours'],
      ['+551130000002', '20 days', 'lookup', 'reject', 'lookup'],
    ];
    // At 9 o'clock of the account's time zone.
    await app.query(
      `INSERT INTO calls (user_id, assistant_name, type, status, client_phone_number, assistant_phone_number, created_at, routing)
       SELECT $1, '', 'inbound', CASE WHEN each->>3 IN ('busy', 'reject') THEN 'busy' ELSE 'completed' END, '+5511987654321', each->>0,
         (date_trunc('day', now() AT TIME ZONE 'America/Sao_Paulo') - (each->>1)::interval + interval '9 hours')
           AT TIME ZONE 'America/Sao_Paulo',
         jsonb_build_object('branch', each->2, 'action', each->3, 'reason', each->4)
       FROM jsonb_array_elements($2) AS each`,
      [shopkeeper.userId, JSON.stringify(routings)],
    );
    const page = await openAt('/analytics', shopkeeper);
    const panel = page.locator('section').filter({
      has: page.getByRole('heading', { level: 2, name: 'Ligações recebidas' }),
    });
    await panel.getByText('5 ligações, 3 perdidas').waitFor();
    await panel.getByRole('row', { name: '+551130000001 3 2' }).waitFor();
    await panel.getByRole('row', { name: '+551130000002 2 1' }).waitFor();
    const hours = page.getByRole('table', { name: 'Chamadas perdidas' });
    expect(await hours.getByRole('row').count()).toBe(25);
    await hours.getByRole('row', { name: '9h 3', exact: true }).waitFor({ state: 'attached' });
    const reasons = panel.getByRole('list', { name: 'Motivos' }).getByRole('listitem');
    expect(await reasons.allInnerTexts()).toEqual([
      'Todas as linhas do plano em uso\n2',
      expect.stringMatching(/^(Fora do horário|Decisão da consulta do cliente)\n1$/),
      expect.stringMatching(/^(Fora do horário|Decisão da consulta do cliente)\n1$/),
    ]);
    expect(await accessibilityFindings(page)).toEqual([]);

    await choose(page.getByRole('radio', { name: '7 dias' }));
    await panel.getByText('3 ligações, 2 perdidas').waitFor();
    expect(await panel.getByRole('row', { name: /\+551130000002/ }).count()).toBe(0);
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await overflowOf(page)).toBe(0);
    await panel.getByRole('link', { name: 'Ver chamadas perdidas' }).click();
    await page.waitForURL(/\/calls\?/);
    const { searchParams } = new URL(page.url());
    expect(Object.fromEntries(searchParams)).toMatchObject({ type: 'inbound', status: 'busy' });
    await page
      .getByRole('row', { name: /\+5511987654321/ })
      .first()
      .waitFor();
    expect(await page.getByRole('row', { name: /\+5511987654321/ }).count()).toBe(2);
    await page.getByRole('button', { name: 'Chamadas perdidas', pressed: true }).waitFor();
    expect(problemsOf(page)).toEqual([]);
  }, 120_000);

  it('tell how long inbound callers waited for a line, and how many gave up', async () => {
    const shopkeeper = await app.account({ password: PASSWORD });
    const calls = [
      ['+551130000001', 'Recepção', 12_000],
      ['+551130000001', 'Recepção', 31_000],
      ['+551130000001', '', 95_000],
      ['+551130000002', 'Recepção', null],
    ];
    await app.query(
      `INSERT INTO calls (user_id, assistant_name, type, status, assistant_phone_number, routing)
       SELECT $1, each->>1, 'inbound', 'completed', each->>0, jsonb_strip_nulls(jsonb_build_object(
         'branch', 'open', 'action', 'assistant', 'waitedMs', each->2)) || '{"reason": null}'
       FROM jsonb_array_elements($2) AS each`,
      [shopkeeper.userId, JSON.stringify(calls)],
    );
    const page = await openAt('/analytics', shopkeeper);
    const waits = page.getByRole('list', { name: 'Fila de espera' }).getByRole('listitem');
    await waits.first().waitFor();
    expect(await waits.allInnerTexts()).toEqual([
      'Aguardaram na fila\n3',
      'Espera mediana\n0:31',
      'Espera (p95)\n1:35',
      'Desistiram\n1 (33%)',
    ]);
    await page.getByRole('row', { name: '+551130000001 3 0 0:31 1 (33%)', exact: true }).waitFor();
    await page.getByRole('row', { name: '+551130000002 1 0 – –', exact: true }).waitFor();
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await overflowOf(page)).toBe(0);
    expect(await accessibilityFindings(page)).toEqual([]);
    expect(problemsOf(page)).toEqual([]);
  }, 120_000);

  it.each([
    ['/analytics', 'Custo'],
    ['/billing', 'Saldo após'],
    ['/keys', 'Criada'],
  ])('show rows as cards on a telephone, with the names of their values: %s', async (path, label) => {
    const shopkeeper = await app.account({ balanceUsd: 25, password: PASSWORD });
    await addMeasuredCalls(app, shopkeeper, (await createAssistant(app, shopkeeper)).id);
    const page = await openAt(path, shopkeeper);
    await page.setViewportSize({ width: 390, height: 800 });
    const table = page.locator('table[data-cards]').last();
    await table.waitFor();
    const row = table.locator('tbody tr').first();
    await row.getByText(label).first().waitFor();
    const scroll = table.locator('xpath=..');
    expect(await scroll.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    expect(await overflowOf(page)).toBe(0);
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 800 });
    await row.getByText(label).first().waitFor({ state: 'hidden' });
  });

  it('say where there is nothing to tell', async () => {
    const page = await openAt('/analytics?days=1&by=nothing', await app.account({ password: PASSWORD }));
    await page.getByText('Nenhuma atividade no período.').first().waitFor();
    expect(await page.getByRole('radio', { name: '30 dias' }).isChecked()).toBe(true);
    expect(await page.getByText('Ligações recebidas').count()).toBe(0);
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);
});
