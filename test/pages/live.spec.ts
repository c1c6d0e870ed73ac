import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { Database } from '../../src/database/database.js';
import { CallEventsPublisher } from '../../src/modules/calls/call-events-publisher.js';
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
import { addRun } from '../support/call-rows.js';
import { addPhoneNumber, createOutboundAssistant } from '../support/campaign-builders.js';
import { until } from '../support/until.js';

const PASSWORD = 'correto-cavalo-bateria';
/** Another process has the call, for longer than the test takes. */
const HELD = "stage = 'open', lease_until = now() + interval '1 hour'";

interface SeededCall {
  readonly number: string;
  /** Since when the customer is on the line. */
  readonly seconds: number;
  readonly name?: string;
  /** Waits in the queue of the number since then. */
  readonly isWaiting?: boolean;
  readonly isTransferred?: boolean;
}

describeInBrowser('Live calls in the console', () => {
  let app: TestApp;
  let browser: TestBrowser;
  let owner: TestAccount;
  let dataDir: string;

  beforeAll(async () => {
    await buildPages();
    dataDir = await mkdtemp(join(tmpdir(), 'prosa-pages-'));
    [app, browser] = await Promise.all([
      TestApp.start({ PROSA_ROLES: 'api,worker', SANDBOX_SPEED: '1', DATA_DIR: dataDir }),
      TestBrowser.start(),
    ]);
    owner = await app.account({ balanceUsd: 25, password: PASSWORD });
  }, 240_000);
  afterEach(async () => {
    await browser.closeWindows();
    await app.query("UPDATE calls SET status = 'completed' WHERE user_id = $1", [owner.userId]);
    await app.query('DELETE FROM active_calls WHERE user_id = $1', [owner.userId]);
  });
  afterAll(async () => {
    await browser.stop();
    await app.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function openLive(look: Look = {}, email = owner.email): Promise<Page> {
    return browser.openConsole(app.origin, { email, password: PASSWORD }, '/live', look);
  }

  async function seed({ number, seconds, name, isWaiting, isTransferred }: SeededCall): Promise<number> {
    const [row] = await app.query<{ id: number }>(
      `INSERT INTO calls (user_id, assistant_name, type, status, client_phone_number, assistant_phone_number,
         variables, started_at, answered_at)
       VALUES ($1, $2, 'inbound', 'in-progress', $3, '+551130000001', $4, now(), now() - make_interval(secs => $5))
       RETURNING id`,
      [owner.userId, isWaiting ? '' : 'Recepção', number, JSON.stringify(name ? { name } : {}), seconds],
    );
    const queued = `phone_number_id = 7, queued_at = now() - interval '${seconds} s'`;
    const parts = [
      HELD,
      ...(isWaiting ? [queued] : []),
      ...(isTransferred ? ['second_leg_number_id = 1'] : []),
    ];
    await addRun(app.app.get(Database), row!.id, owner.userId, parts.join(', '));
    return row!.id;
  }

  /** As the process that has the call does after a change of its state. */
  const publish = (id: number) => app.app.get(CallEventsPublisher).changed({ userId: owner.userId, id });

  const itemsOf = (page: Page) => page.getByRole('list', { name: 'Ligações ao vivo' }).getByRole('listitem');
  const linksOf = async (page: Page) => itemsOf(page).getByRole('link').allInnerTexts();
  const isFocused = (target: Locator) => target.evaluate((element) => element.matches(':focus'));

  it('shows calls as they begin and go on, callers who wait first, without a reload', async () => {
    const page = await openLive();
    await page.getByRole('heading', { name: 'Nenhuma ligação em andamento' }).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);

    const assistant = await createOutboundAssistant(app, owner, {
      name: 'Vendas',
      phone_number_id: await addPhoneNumber(app, owner),
    });
    const body = { phone_number: '+5511987650011', assistant_id: assistant };
    await app.as(owner).post('/api/user/make_call').send(body).expect(200);
    const placed = itemsOf(page).filter({ hasText: '+5511987650011' });
    await placed.getByText('Com o assistente').waitFor();
    await placed.getByText('Vendas').waitFor();
    // The sandbox talks: what is said comes without hints.
    await placed.getByText(/^(Cliente|Assistente): ./).waitFor();

    await seed({ number: '+5511987650012', seconds: 3_661, isTransferred: true });
    const newer = await seed({ number: '+5511987650013', seconds: 30, isWaiting: true });
    publish(newer);
    const news = page.getByRole('status').filter({ hasText: 'na fila' });
    await news.getByText('+5511987650013 entrou na fila. 1 cliente na fila.').waitFor();
    publish(await seed({ number: '+5511987650014', seconds: 90, name: 'Lia Souza', isWaiting: true }));
    await news.getByText('Lia Souza entrou na fila. 2 clientes na fila.').waitFor();
    expect(await linksOf(page)).toEqual(['Lia Souza', '+5511987650013', '+5511987650012', '+5511987650011']);
    await page.getByText('2 na fila', { exact: true }).waitFor();
    await page.getByText('2 em andamento', { exact: true }).waitFor();
    const first = itemsOf(page).first();
    expect(await first.innerText()).toContain('+5511987650014');
    await first.getByText('1º na fila').waitFor();
    await itemsOf(page).nth(1).getByText('2º na fila').waitFor();
    await itemsOf(page).nth(2).getByText('Em transferência').waitFor();
    await itemsOf(page)
      .nth(2)
      .getByText(/1:01:\d\d/)
      .waitFor();
    const wait = first.getByText(/^Espera: 1:\d\d$/);
    const before = await wait.innerText();
    await until(async () => (await wait.innerText()) !== before);
    expect(await accessibilityFindings(page)).toEqual([]);

    await app.query("UPDATE calls SET status = 'completed' WHERE id = $1", [newer]);
    publish(newer);
    await itemsOf(page).filter({ hasText: '+5511987650013' }).waitFor({ state: 'detached' });
    expect(problemsOf(page)).toEqual([]);
  }, 120_000);

  it('shows what was said last and calls that begin while no event stream can be opened', async () => {
    const id = await seed({ number: '+5511987650021', seconds: 5 });
    const page = await openLive();
    await page.route('**/api/user/events', (route) => route.abort());
    await page.reload();
    await itemsOf(page).filter({ hasText: '+5511987650021' }).waitFor();
    await app.query(
      `INSERT INTO call_turns (call_id, user_id, position, role, text, start_ms, end_ms, interrupted)
       VALUES ($1, $2, 0, 'customer', 'Quero dois pães.', 1000, 2000, false)`,
      [id, owner.userId],
    );
    await seed({ number: '+5511987650022', seconds: 1 });
    await itemsOf(page).getByText('Cliente: Quero dois pães.').waitFor();
    await itemsOf(page).filter({ hasText: '+5511987650022' }).waitFor();
  }, 60_000);

  it('opens the details of a call and hangs it up by keyboard alone, and keeps the focus', async () => {
    const id = await seed({ number: '+5511987650031', seconds: 60 });
    await seed({ number: '+5511987650032', seconds: 30 });
    const page = await openLive();
    const link = page.getByRole('link', { name: '+5511987650031' });
    await link.waitFor();
    await page.getByRole('main').focus();
    const hangUp = page.getByRole('button', { name: 'Desligar a ligação de +5511987650031' });
    // The notice of the demo model comes first, and the actions of the page.
    for (let stop = 0; stop < 5 && !(await isFocused(link)); stop++) await page.keyboard.press('Tab');
    expect(await isFocused(link)).toBe(true);
    await page.keyboard.press('Tab');
    expect(await isFocused(page.getByRole('button', { name: 'Ouvir a ligação de +5511987650031' }))).toBe(
      true,
    );
    await page.keyboard.press('Tab');
    expect(await isFocused(hangUp)).toBe(true);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Desligar' });
    await dialog.getByText('Desligar agora a ligação de +5511987650031?').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await until(() => isFocused(dialog.getByRole('button', { name: 'Cancelar' })));
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await until(() => isFocused(hangUp));

    await page.keyboard.press('Enter');
    await until(() => isFocused(dialog.getByRole('button', { name: 'Cancelar' })));
    await page.keyboard.press('Tab');
    const [request] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith(`/calls/${id}/hangup`)),
      page.keyboard.press('Enter'),
    ]);
    expect(request.status()).toBe(200);
    await dialog.waitFor({ state: 'hidden' });
    await until(() => isFocused(hangUp));
    // The process that has the call ends it.
    await app.query("UPDATE calls SET status = 'ended' WHERE id = $1", [id]);
    publish(id);
    await link.waitFor({ state: 'detached' });
    await page.getByRole('main').locator(':focus').waitFor({ state: 'attached' });
    await page.keyboard.press('Tab');
    expect(await isFocused(page.getByRole('link', { name: '+5511987650032' }))).toBe(true);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/app\/calls\/\d+$/);
    await page.getByRole('heading', { level: 1, name: /\+5511987650032/ }).waitFor();
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);

  it('closes the question whether to hang up when the call ends', async () => {
    const id = await seed({ number: '+5511987650041', seconds: 60 });
    const page = await openLive();
    await page.getByRole('button', { name: 'Desligar a ligação de +5511987650041' }).click();
    const dialog = page.getByRole('dialog', { name: 'Desligar' });
    await dialog.waitFor();
    await app.query("UPDATE calls SET status = 'ended' WHERE id = $1", [id]);
    publish(id);
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('heading', { name: 'Nenhuma ligação em andamento' }).waitFor();
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);

  it('fits a telephone, light and dark, and offers no hang-up to viewers', async () => {
    const { email } = await addMember(app, owner, { role: 'viewer', password: PASSWORD });
    const id = await seed({ number: '+5511987650051', seconds: 600, name: `Maria ${'Aparecida'.repeat(8)}` });
    await app.query(
      `INSERT INTO call_turns (call_id, user_id, position, role, text, start_ms, end_ms, interrupted)
       VALUES ($1, $2, 0, 'assistant', $3, 1000, 2000, false)`,
      [id, owner.userId, 'palavra'.repeat(80)],
    );
    await seed({ number: '+5511987650052', seconds: 20, isWaiting: true });
    const page = await openLive({ width: 390, locale: 'en-US' }, email);
    await page.getByText('No. 1 in queue').waitFor();
    await page.getByText('1 in progress').waitFor();
    for (const scheme of ['light', 'dark'] as const) {
      await setScheme(page, scheme);
      expect([scheme, await overflowOf(page), await accessibilityFindings(page)]).toEqual([scheme, 0, []]);
    }
    expect(await page.getByRole('button', { name: /^Hang up/ }).count()).toBe(0);
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);
});
