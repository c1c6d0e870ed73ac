import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { type TestAccount, TestApp } from '../support/app.js';
import { buildPages, describeInBrowser, problemsOf, TestBrowser } from '../support/browser.js';
import {
  addPhoneNumber,
  createOutboundAssistant,
  createStartableCampaign,
  phoneNumber,
} from '../support/campaign-builders.js';
import { until } from '../support/until.js';

const PASSWORD = 'correto-cavalo-bateria';
const LEADS = 50;
const HOSTILE = '=cmd|"/C calc"!A1 <img src=x onerror=alert(1)>';

describeInBrowser('Campaigns in the console', () => {
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
    await app.query('UPDATE plans SET max_calls_in_parallel = 50');
    owner = await app.account({ balanceUsd: 500, password: PASSWORD });
    const assistant = await createOutboundAssistant(app, owner, {
      name: 'Vendas',
      phone_number_id: await addPhoneNumber(app, owner),
    });
    await app.as(owner).put(`/api/user/assistant/${assistant}`).send({ status: 'active' }).expect(200);
  }, 240_000);
  afterEach(() => browser.closeWindows());
  afterAll(async () => {
    await browser.stop();
    await app.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function openAt(path: string): Promise<Page> {
    return browser.openConsole(app.origin, { email: owner.email, password: PASSWORD }, path);
  }

  /** A campaign that runs, and makes no call before tomorrow. */
  async function waitingCampaign(): Promise<number> {
    const id = await createStartableCampaign(app, owner);
    const tomorrow = new Date(Date.now() + 24 * 3_600_000);
    const day = tomorrow.toLocaleDateString('en-US', { weekday: 'long', timeZone: 'UTC' }).toLowerCase();
    await app.query(
      "UPDATE campaigns SET status = 'in-progress', timezone = 'UTC', allowed_days = ARRAY[$2] WHERE id = $1",
      [id, day],
    );
    return id;
  }

  /** Counts the streams of progress that a page asks for. @param answer of one; by default that of the server */
  async function countStreams(page: Page, answer: (route: Route, number: number) => Promise<void>) {
    const streams = { count: 0 };
    await page.route('**/api/user/campaigns/*/progress', (route) => {
      if (route.request().headers().accept !== 'text/event-stream') return route.continue();
      streams.count += 1;
      return answer(route, streams.count);
    });
    return streams;
  }

  function csvOf(leads: number): Buffer {
    const rows = Array.from(
      { length: leads },
      (_, n) => `${phoneNumber(n)};Pessoa ${n};"${HOSTILE.replaceAll('"', '""')}"`,
    );
    return Buffer.from(`\uFEFFCelular;Nome do cliente;Obs\n${rows.join('\n')}\n`);
  }

  it('makes a campaign by steps, maps the columns of a CSV file, and watches 50 leads until it is completed', async () => {
    const page = await openAt('/campaigns/new');
    await page.getByLabel('Nome', { exact: true }).fill('Renovações');
    await page.getByRole('combobox', { name: 'Assistente' }).click();
    await page.getByRole('option', { name: 'Vendas' }).click();
    await page.getByLabel('Ligações simultâneas').fill('25');
    await page.getByRole('button', { name: 'Continuar' }).click();
    // At any hour, so that the test runs at any.
    await page.getByText('Sáb', { exact: true }).click();
    await page.getByText('Dom', { exact: true }).click();
    await page.getByLabel('Das', { exact: true }).fill('00:00');
    await page.getByLabel('Até', { exact: true }).fill('23:59');
    await page.getByRole('button', { name: 'Criar campanha' }).click();

    const file = { name: 'contatos.csv', mimeType: 'text/csv', buffer: csvOf(LEADS) };
    await page.locator('input[type=file]').setInputFiles(file);
    expect(await page.getByRole('combobox', { name: 'Usar como: Celular' }).inputValue()).toBe('Telefone');
    await page.getByLabel('Nome da variável: Nome do cliente').fill('nome');
    await page.getByRole('button', { name: 'Importar' }).click();
    await page.getByText('50 contatos importados').waitFor();
    await page.getByRole('button', { name: 'Abrir a campanha' }).click();

    await page.getByText(phoneNumber(49)).waitFor();
    await page.getByRole('button', { name: 'Iniciar' }).click();
    await page.getByText('Em andamento', { exact: true }).waitFor();
    // The stream brings it without a reload. Leads that are busy or do not answer wait for a retry.
    const done = page.getByRole('img', { name: /^Progresso de Renovações \(Concluídos: ([3-5]\d)/ });
    await done.waitFor({ timeout: 90_000 });
    await app.query(`UPDATE leads SET status = 'reached-max-retries' WHERE status = 'created'`);
    await page.getByText('Concluída', { exact: true }).waitFor({ timeout: 60_000 });

    await page.getByText(phoneNumber(49)).click();
    const drawer = page.getByRole('dialog', { name: 'Contato' });
    await drawer.getByText(HOSTILE).waitFor();
    await drawer.getByText('Pessoa 49', { exact: true }).waitFor();
    await drawer.getByRole('article').first().waitFor();
    expect(problemsOf(page)).toEqual([]);
  }, 240_000);

  it('follows a campaign that runs for longer than the half hour of a stream', async () => {
    const id = await waitingCampaign();
    const page = await browser.signIn(app.origin, { email: owner.email, password: PASSWORD });
    const streams = await countStreams(page, async (route, number) => {
      if (number > 1) return route.continue();
      const { body } = await app.as(owner).get(`/api/user/campaigns/${id}/progress`).expect(200);
      const events = `event: progress\ndata: ${JSON.stringify(body)}\n\nevent: end\ndata: {}\n\n`;
      return route.fulfill({ contentType: 'text/event-stream', body: events });
    });
    await page.goto(`/app/campaigns/${id}`);
    await page.getByRole('img', { name: /^Progresso de Renovação \(Concluídos: 0/ }).waitFor();
    await until(() => streams.count === 2);
    await app.query(`UPDATE leads SET status = 'completed' WHERE campaign_id = $1`, [id]);
    await page.getByRole('img', { name: /^Progresso de Renovação \(Concluídos: 1/ }).waitFor();
  }, 120_000);

  it('asks for no progress while the session has expired, and goes on once the person has signed in again', async () => {
    const id = await waitingCampaign();
    const page = await browser.signIn(app.origin, { email: owner.email, password: PASSWORD });
    await page.clock.install();
    const streams = await countStreams(page, (route) => route.continue());
    await page.goto(`/app/campaigns/${id}`);
    await until(() => streams.count === 1);
    await app.query('DELETE FROM sessions WHERE user_id = $1', [owner.userId]);
    app.server.closeAllConnections();
    const dialog = page.getByRole('dialog', { name: 'Sua sessão expirou' });
    await dialog.waitFor();

    const asked = streams.count;
    for (let times = 0; times < 4; times++) {
      await page.clock.runFor(4_000);
      // The next try is timed once the browser has the answer to this one.
      await page.evaluate("fetch('/api/auth/session').then((answer) => answer.text())");
    }
    expect(streams.count).toBe(asked);
    await dialog.getByLabel('Senha', { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Entrar', exact: true }).click();
    await until(() => streams.count > asked);
    await page.getByText('Reconectando…').first().waitFor({ state: 'hidden' });
  }, 120_000);
});
