import { readFile } from 'node:fs/promises';
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
  TestBrowser,
} from '../support/browser.js';
import { addMember, createAssistant } from '../support/builders.js';
import { createCampaign, createLead, phoneNumber } from '../support/campaign-builders.js';
import { until } from '../support/until.js';

const PASSWORD = 'correto-cavalo-bateria';
const NARROW = { width: 390, height: 800 };

describeInBrowser('Tables of the console', () => {
  let app: TestApp;
  let browser: TestBrowser;
  let owner: TestAccount;

  beforeAll(async () => {
    await buildPages();
    [app, browser] = await Promise.all([TestApp.start({ PROSA_ROLES: 'api,worker' }), TestBrowser.start()]);
  }, 240_000);
  beforeEach(async () => {
    owner = await app.account({ balanceUsd: 25, password: PASSWORD });
  });
  afterEach(() => browser.closeWindows());
  afterAll(async () => {
    await browser.stop();
    await app.stop();
  });

  const openAt = (path: string, look: Look = {}, email = owner.email) =>
    browser.openConsole(app.origin, { email, password: PASSWORD }, path, look);
  const firstCells = (page: Page) => page.locator('tbody tr td:first-child').allInnerTexts();
  const head = (page: Page, name: string) => page.getByRole('columnheader', { name, exact: true });
  const sortBy = (page: Page, name: string) => head(page, name).getByRole('button').click();
  const isInOrder = (page: Page, names: readonly string[]) =>
    until(async () => {
      const cells = await firstCells(page);
      return cells.length === names.length && cells.every((cell, at) => cell.startsWith(names[at] ?? ''));
    });

  /** Calls an hour apart, the newest with the highest number. */
  async function addCalls(count: number): Promise<number[]> {
    const rows = await app.query<{ id: number }>(
      `INSERT INTO calls (user_id, assistant_name, type, status, client_phone_number, duration_seconds, started_at, ended_at, created_at)
       SELECT $1, 'Vendas', 'outbound', 'completed', '+55119876500' || lpad(n::text, 2, '0'), 60, now(), now(),
         now() - ($2 - n) * interval '1 hour' FROM generate_series(1, $2::int) AS n RETURNING id`,
      [owner.userId, count],
    );
    return rows.map(({ id }) => id);
  }

  it('sorts a list by a click on its heads, in the address, with the back button', async () => {
    for (const name of ['Beatriz 10', 'ana', 'Beatriz 2']) await createAssistant(app, owner, { name });
    const page = await openAt('/assistants');
    await page.getByRole('link', { name: 'ana' }).waitFor();
    const listed = await firstCells(page);
    expect(await head(page, 'Nome').getAttribute('aria-sort')).toBeNull();
    await sortBy(page, 'Nome');
    await isInOrder(page, ['ana', 'Beatriz 2', 'Beatriz 10']);
    expect(await head(page, 'Nome').getAttribute('aria-sort')).toBe('ascending');
    expect(new URL(page.url()).search).toBe('?sort=name');
    const button = head(page, 'Nome').getByRole('button');
    expect(await button.evaluate((element) => element.matches(':focus'))).toBe(true);
    await page.keyboard.press('Enter');
    await isInOrder(page, ['Beatriz 10', 'Beatriz 2', 'ana']);
    expect(await head(page, 'Nome').getAttribute('aria-sort')).toBe('descending');
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.reload();
    await isInOrder(page, ['Beatriz 10', 'Beatriz 2', 'ana']);
    await page.getByRole('textbox', { name: 'Buscar' }).fill('beatriz');
    await isInOrder(page, ['Beatriz 10', 'Beatriz 2']);
    await page.getByRole('textbox', { name: 'Buscar' }).fill('');
    await page.waitForURL(({ searchParams }) => !searchParams.has('q'));
    await page.goBack();
    await isInOrder(page, ['ana', 'Beatriz 2', 'Beatriz 10']);
    await page.goBack();
    await until(async () => (await firstCells(page)).join() === listed.join());
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);

  it('keeps the caret and each letter of a search that is corrected in its middle', async () => {
    await createAssistant(app, owner);
    const campaign = await createCampaign(app, owner);
    const page = await openAt('/');
    for (const path of ['/assistants', '/campaigns', `/campaigns/${campaign}`]) {
      await page.goto(`/app${path}`);
      const search = page.getByRole('textbox', { name: /^Buscar (assistente|campanha|por número)$/ });
      await search.click();
      await page.keyboard.type('1190');
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.type('98');
      await page.waitForURL(/=[^&]*119890/);
      expect([path, await search.inputValue()]).toEqual([path, '119890']);
    }
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);

  it('sorts calls on the server, over all pages', async () => {
    await addCalls(30);
    const page = await openAt('/calls');
    const row = (n: number) =>
      page.getByRole('row', { name: new RegExp(`\\+55119876500${String(n).padStart(2, '0')}`) });
    await row(30).waitFor();
    expect(await head(page, 'Quando').getAttribute('aria-sort')).toBe('descending');
    expect(await head(page, 'Duração').getByRole('button').count()).toBe(0);
    await page.getByRole('button', { name: 'Próxima página' }).click();
    await row(1).waitFor();
    await sortBy(page, 'Quando');
    const first = page.locator('tbody tr').first();
    await until(async () => (await first.innerText()).includes('+5511987650001'));
    expect(await head(page, 'Quando').getAttribute('aria-sort')).toBe('ascending');
    // From the first page on.
    expect(new URL(page.url()).search).toBe('?sort=oldest');
    await page.getByRole('button', { name: 'Próxima página' }).click();
    await row(30).waitFor();
    await page.goto(`${app.origin}/app/calls?sort=price`);
    await row(30).waitFor();
    expect(await head(page, 'Quando').getAttribute('aria-sort')).toBe('descending');
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);

  it('sorts numbers that are never called, and contacts of a campaign', async () => {
    for (const n of [2, 1, 3])
      await app
        .as(owner)
        .post('/api/user/do-not-call')
        .send({ phone_number: phoneNumber(n) })
        .expect(201);
    const numbers = await openAt('/do-not-call');
    await numbers.getByRole('cell', { name: phoneNumber(3), exact: true }).waitFor();
    await sortBy(numbers, 'Número');
    const cells = async (page: Page) =>
      (await page.locator('tbody tr').allInnerTexts()).map((text) => /\+\d+/.exec(text)?.[0]);
    await until(async () => (await cells(numbers)).join() === [1, 2, 3].map(phoneNumber).join());
    const campaign = await createCampaign(app, owner);
    for (const n of [5, 4]) await createLead(app, owner, campaign, { phone_number: phoneNumber(n) });
    const leads = await openAt(`/campaigns/${campaign}`);
    await leads.getByRole('cell', { name: phoneNumber(4), exact: true }).waitFor();
    expect(await cells(leads)).toEqual([4, 5].map(phoneNumber));
    await sortBy(leads, 'Adicionado');
    await until(async () => (await cells(leads)).join() === [5, 4].map(phoneNumber).join());
    expect(problemsOf(leads)).toEqual([]);
  }, 60_000);

  it('sorts cards by a choice, where there are no heads', async () => {
    for (const name of ['Beatriz', 'ana']) await createAssistant(app, owner, { name });
    const page = await openAt('/assistants', NARROW);
    const choice = page.getByRole('combobox', { name: 'Ordenar por' });
    await choice.selectOption({ label: 'Nome, decrescente' });
    await isInOrder(page, ['Beatriz', 'ana']);
    await choice.selectOption({ label: 'Nome, crescente' });
    await isInOrder(page, ['ana', 'Beatriz']);
    expect(new URL(page.url()).search).toBe('?sort=name');
    expect(await page.getByRole('button', { name: 'Nome' }).count()).toBe(0);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    expect(await accessibilityFindings(page)).toEqual([]);
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);

  const bar = (page: Page) => page.getByRole('region', { name: 'Itens selecionados' });
  const box = (page: Page, name: string) =>
    page.getByRole('checkbox', { name: new RegExp(`Selecionar .*${name}`) });
  const all = (page: Page) => page.getByRole('checkbox', { name: 'Selecionar todos desta página' });
  const tagsOf = async (id: number) =>
    (await app.as(owner).get(`/api/user/calls/${id}`).expect(200)).body.tags;

  it('selects rows by click, Shift and keyboard, tags them, and downloads them', async () => {
    const calls = await addCalls(6);
    await app
      .as(owner)
      .put(`/api/user/calls/${calls[0]}/tags`)
      .send({ tags: ['antiga'] })
      .expect(200);
    const page = await openAt('/calls');
    await box(page, '7650006').click();
    await box(page, '7650003').click({ modifiers: ['Shift'] });
    await bar(page).getByText('4 selecionados').waitFor();
    await box(page, '7650001').focus();
    await page.keyboard.press('Shift+Space');
    await bar(page).getByText('6 selecionados').waitFor();
    expect(await all(page).isChecked()).toBe(true);
    await box(page, '7650006').press('Space');
    await bar(page).getByText('5 selecionados').waitFor();
    expect(await all(page).evaluate((input) => input.matches(':indeterminate'))).toBe(true);
    expect(await accessibilityFindings(page)).toEqual([]);
    // The row is a link; its checkbox opens nothing.
    expect(await page.getByRole('dialog').count()).toBe(0);
    await bar(page).getByRole('button', { name: 'Adicionar tag' }).click();
    await page.getByLabel('Nova tag').fill('retorno');
    await page.keyboard.press('Enter');
    await page.getByText('5 itens alterados.').waitFor();
    await bar(page).waitFor({ state: 'detached' });
    expect(await tagsOf(calls[0]!)).toEqual(['antiga', 'retorno']);
    expect(await tagsOf(calls[4]!)).toEqual(['retorno']);
    expect(await tagsOf(calls[5]!)).toEqual([]);
    await box(page, '7650006').check();
    await box(page, '7650002').check();
    const download = page.waitForEvent('download');
    await bar(page).getByRole('button', { name: 'Exportar CSV' }).click();
    const file = await readFile(await (await download).path(), 'utf8');
    expect(file.match(/\+55119876500\d\d/g)).toEqual(['+5511987650006', '+5511987650002']);
    await bar(page).getByRole('button', { name: 'Limpar seleção' }).click();
    expect(await box(page, '7650006').isChecked()).toBe(false);
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);

  it('says what failed, and keeps that selected', async () => {
    const calls = await addCalls(3);
    const full = Array.from({ length: 10 }, (_, at) => `t${at}`);
    await app.as(owner).put(`/api/user/calls/${calls[1]}/tags`).send({ tags: full }).expect(200);
    const page = await openAt('/calls');
    await all(page).check();
    await bar(page).getByRole('button', { name: 'Adicionar tag' }).click();
    await page.getByLabel('Nova tag').fill('retorno');
    await page.keyboard.press('Enter');
    await bar(page).getByText('1 de 3 falhou e continua selecionado').waitFor();
    expect(await bar(page).getByRole('alert').isVisible()).toBe(true);
    expect(await box(page, '7650002').isChecked()).toBe(true);
    expect(await box(page, '7650001').isChecked()).toBe(false);
    expect(await tagsOf(calls[0]!)).toEqual(['retorno']);
    expect(await tagsOf(calls[1]!)).toEqual(full);
    expect(await accessibilityFindings(page)).toEqual([]);
    // The refused request is a failed one, as it should be.
    expect(problemsOf(page).filter((problem) => !problem.includes('422'))).toEqual([]);
  }, 60_000);

  it('removes numbers and contacts after a question, also on a telephone', async () => {
    for (const n of [1, 2, 3])
      await app
        .as(owner)
        .post('/api/user/do-not-call')
        .send({ phone_number: phoneNumber(n) })
        .expect(201);
    const page = await openAt('/do-not-call', NARROW);
    await all(page).check();
    await box(page, phoneNumber(2).slice(1)).uncheck();
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    expect(await accessibilityFindings(page)).toEqual([]);
    await bar(page).getByRole('button', { name: 'Remover' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remover' });
    await dialog.getByText('2 números poderão receber ligações novamente.').waitFor();
    await dialog.getByRole('button', { name: 'Cancelar' }).click();
    expect((await app.as(owner).get('/api/user/do-not-call').expect(200)).body.total).toBe(3);
    await bar(page).getByRole('button', { name: 'Remover' }).click();
    await dialog.getByRole('button', { name: 'Remover' }).click();
    await page.getByText('2 itens alterados.').waitFor();
    const { body } = await app.as(owner).get('/api/user/do-not-call').expect(200);
    expect(body.data).toMatchObject([{ phone_number: phoneNumber(2) }]);
    const campaign = await createCampaign(app, owner);
    for (const n of [4, 5]) await createLead(app, owner, campaign, { phone_number: phoneNumber(n) });
    const leads = await openAt(`/campaigns/${campaign}`);
    await all(leads).check();
    await bar(leads).getByRole('button', { name: 'Excluir contato' }).click();
    await leads.getByRole('dialog').getByRole('button', { name: 'Excluir contato' }).click();
    await leads.getByText('2 itens alterados.').waitFor();
    expect((await app.as(owner).get('/api/user/leads').query({ campaign_id: campaign })).body.total).toBe(0);
    expect(problemsOf(page)).toEqual([]);
    expect(problemsOf(leads)).toEqual([]);
  }, 90_000);

  it('offers a reader no actions that change anything', async () => {
    await addCalls(1);
    await app
      .as(owner)
      .post('/api/user/do-not-call')
      .send({ phone_number: phoneNumber(1) })
      .expect(201);
    const { email } = await addMember(app, owner, { role: 'viewer', password: PASSWORD });
    const numbers = await openAt('/do-not-call', {}, email);
    await numbers.getByRole('cell', { name: phoneNumber(1), exact: true }).waitFor();
    expect(await numbers.getByRole('checkbox').count()).toBe(0);
    const calls = await openAt('/calls', {}, email);
    await all(calls).check();
    await bar(calls).getByRole('button', { name: 'Exportar CSV' }).waitFor();
    expect(await bar(calls).getByRole('button', { name: 'Adicionar tag' }).count()).toBe(0);
  }, 60_000);

  it('saves, applies, renames, replaces and deletes filters, for one person', async () => {
    await addCalls(3);
    const page = await openAt('/calls?status=completed&tag=2026&page=1');
    const saved = () => page.getByRole('button', { name: 'Filtros salvos' });
    const manage = async () => {
      await saved().press('Enter');
      await page.getByRole('menuitem', { name: 'Salvar e gerenciar…' }).press('Enter');
      return page.getByRole('dialog', { name: 'Filtros salvos' });
    };
    let dialog = await manage();
    await dialog.getByLabel('Nome para os filtros atuais').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await dialog.getByLabel('Nome para os filtros atuais').fill('Deste ano');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Limpar filtros' }).first().click();
    await page.getByRole('row', { name: /7650003/ }).waitFor();
    await page.reload();
    await saved().click();
    await page.getByRole('menuitem', { name: 'Deste ano' }).click();
    await page.getByText('Nenhuma ligação corresponde aos filtros').waitFor();
    const { searchParams } = new URL(page.url());
    expect([...searchParams.keys()].toSorted()).toEqual(['status', 'tag']);
    expect(await page.getByRole('searchbox', { name: 'Tag' }).inputValue()).toBe('2026');
    await page.goBack();
    await page.getByRole('row', { name: /7650003/ }).waitFor();
    await page.goto(`${app.origin}/app/calls?type=outbound`);
    dialog = await manage();
    await dialog.getByRole('button', { name: 'Substituir Deste ano pelos filtros atuais' }).click();
    await dialog.getByRole('button', { name: 'Renomear Deste ano' }).click();
    await dialog.getByLabel('Novo nome para Deste ano').fill('Realizadas');
    await page.keyboard.press('Enter');
    await dialog.getByText('Realizadas', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.goto(`${app.origin}/app/calls`);
    await saved().click();
    await page.getByRole('menuitem', { name: 'Realizadas' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Deste ano' }).count()).toBe(0);
    await page.getByRole('menuitem', { name: 'Realizadas' }).click();
    await page.waitForURL('**/calls?type=outbound');
    dialog = await manage();
    await dialog.getByRole('button', { name: 'Excluir Realizadas' }).click();
    await dialog.getByText('Realizadas', { exact: true }).waitFor({ state: 'detached' });
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);

  it.each([
    ['/inbox', '/inbox?state=ended', 'Encerradas'],
    ['/campaigns', '/campaigns?q=natal&sort=-name', 'Natal'],
  ])(
    'saves filters of %s, also on a telephone',
    async (path, filtered, name) => {
      await createCampaign(app, owner, { name: 'Natal' });
      const page = await openAt(filtered, NARROW);
      await page.getByRole('button', { name: 'Filtros salvos' }).click();
      await page.getByRole('menuitem', { name: 'Salvar e gerenciar…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Filtros salvos' });
      await dialog.getByLabel('Nome para os filtros atuais').fill(name);
      await dialog.getByRole('button', { name: 'Salvar' }).click();
      await dialog.waitFor({ state: 'hidden' });
      await page.goto(`${app.origin}/app${path}`);
      await page.getByRole('button', { name: 'Filtros salvos' }).click();
      await page.getByRole('menuitem', { name }).click();
      await page.waitForURL(`**/app${filtered}`);
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      expect(await accessibilityFindings(page)).toEqual([]);
      expect(problemsOf(page)).toEqual([]);
    },
    60_000,
  );
});
