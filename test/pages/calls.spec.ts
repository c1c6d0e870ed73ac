import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type TestAccount, TestApp } from '../support/app.js';
import { addMember } from '../support/builders.js';
import {
  accessibilityFindings,
  buildPages,
  describeInBrowser,
  overflowOf,
  problemsOf,
  TestBrowser,
} from '../support/browser.js';
import { addRecording, addTurns } from '../support/recorded-calls.js';
import { until } from '../support/until.js';
import { tone } from '@prosa/testing';
import { addPhoneNumber, createOutboundAssistant } from '../support/campaign-builders.js';

const PASSWORD = 'correto-cavalo-bateria';
const RATE_HZ = 8_000;
const RECORDING_SECONDS = 12;
/** Where the second turn begins. */
const TURN_MS = 7_000;

/** A property of the player, as a number. */
function ofPlayer(page: Page, property: string): Promise<number> {
  return page.evaluate(`Number(document.querySelector('audio').${property})`);
}

describeInBrowser('Calls in the console', () => {
  let app: TestApp;
  let browser: TestBrowser;
  let owner: TestAccount;
  let assistant: number;
  let dataDir: string;

  beforeAll(async () => {
    await buildPages();
    dataDir = await mkdtemp(join(tmpdir(), 'prosa-pages-'));
    [app, browser] = await Promise.all([
      TestApp.start({ PROSA_ROLES: 'api,worker', SANDBOX_SPEED: '1', DATA_DIR: dataDir }),
      TestBrowser.start(),
    ]);
    owner = await app.account({ balanceUsd: 25, password: PASSWORD });
    assistant = await createOutboundAssistant(app, owner, {
      name: 'Vendas',
      phone_number_id: await addPhoneNumber(app, owner),
    });
  }, 240_000);
  afterEach(() => browser.closeWindows());
  afterAll(async () => {
    await browser.stop();
    await app.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function openAt(path: string, email = owner.email): Promise<Page> {
    return browser.openConsole(app.origin, { email, password: PASSWORD }, path);
  }

  async function callTo(number: string): Promise<number> {
    const body = { phone_number: number, assistant_id: assistant };
    return (await app.as(owner).post('/api/user/make_call').send(body).expect(200)).body.call_id;
  }

  /** A call that is over, with two turns and a recording that can be played. */
  async function recordedCall(number: string): Promise<number> {
    const [row] = await app.query<{ id: number }>(
      `INSERT INTO calls (user_id, assistant_id, assistant_name, type, status, client_phone_number, duration_seconds,
         started_at, ended_at, recording_enabled)
       VALUES ($1, $2, '=HYPERLINK("https://evil.example")', 'inbound', 'completed', $3, $4, now() - interval '1 minute', now(), true)
       RETURNING id`,
      [owner.userId, assistant, number, RECORDING_SECONDS],
    );
    const id = row!.id;
    const call = { id, userId: owner.userId };
    await addTurns(app, call, [
      { role: 'assistant', text: 'Padaria Central, bom dia!', startMs: 500, endMs: 3_000 },
      { role: 'customer', text: 'Quero dois pães.', startMs: TURN_MS, endMs: 9_000 },
    ]);
    await addRecording(app, call, tone(440, RATE_HZ, RECORDING_SECONDS * 2_000));
    return id;
  }

  it('shows a call as it goes on, without a reload, and hangs it up', async () => {
    const page = await openAt('/calls');
    await page.getByText('Nenhuma ligação ainda').waitFor();
    const id = await callTo('+5511987650011');
    const row = page.getByRole('row', { name: /\+5511987650011/ });
    await row.getByText('Em andamento', { exact: true }).waitFor();
    await row.getByRole('link').click();
    const drawer = page.getByRole('dialog', { name: `Ligação ${id}` });
    await drawer.getByRole('listitem').first().waitFor();
    await drawer.getByRole('button', { name: 'Desligar' }).click();
    await page.getByRole('dialog', { name: 'Desligar' }).getByRole('button', { name: 'Desligar' }).click();
    await drawer.getByRole('button', { name: 'Excluir' }).waitFor();
    await row.getByText('Em andamento', { exact: true }).waitFor({ state: 'detached' });
    const { body } = await app.as(owner).get(`/api/user/calls/${id}`).expect(200);
    expect(['ended', 'completed']).toContain(body.status);
    expect(await accessibilityFindings(page)).toEqual([]);
    expect(problemsOf(page)).toEqual([]);
  }, 120_000);

  it('closes the question whether to hang up when the call has ended, and opens no other one', async () => {
    const id = await callTo('+5511987650012');
    const page = await openAt(`/calls?call=${id}`);
    const drawer = page.getByRole('dialog', { name: `Ligação ${id}` });
    await drawer.getByRole('button', { name: 'Desligar' }).click();
    await page.getByRole('dialog', { name: 'Desligar' }).waitFor();
    await app.as(owner).post(`/api/user/calls/${id}/hangup`).expect(200);
    await page.getByRole('dialog', { name: 'Desligar' }).waitFor({ state: 'hidden' });
    await drawer.getByRole('button', { name: 'Excluir' }).waitFor();
    expect(await page.getByRole('dialog', { name: 'Excluir' }).count()).toBe(0);
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);

  it('plays the recording from the line that is clicked', async () => {
    const id = await recordedCall('+5511987650022');
    const page = await openAt(`/calls?call=${id}`);
    const drawer = page.getByRole('dialog', { name: `Ligação ${id}` });
    const player = drawer.getByLabel('Gravação');
    await player.waitFor();
    await until(async () => (await ofPlayer(page, 'readyState')) >= 1);
    expect(await ofPlayer(page, 'duration')).toBeCloseTo(RECORDING_SECONDS, 0);
    await drawer.getByRole('listitem').filter({ hasText: 'Quero dois pães.' }).getByRole('button').click();
    await until(async () => (await ofPlayer(page, 'currentTime')) > TURN_MS / 1_000);
    expect(await ofPlayer(page, 'paused')).toBe(0);
    expect(await accessibilityFindings(page)).toEqual([]);
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);

  it('keeps the filters in the address, and exports the same calls as a file without formulas', async () => {
    await recordedCall('+5521987650033');
    const page = await openAt('/calls');
    await page.getByLabel('Número do cliente').fill('21987650033');
    await page.getByLabel('Tipo', { exact: true }).selectOption('Recebida');
    await page.waitForURL(/phone=.*type=inbound|type=inbound.*phone=/);
    await page.getByRole('row', { name: /\+5521987650033/ }).waitFor();
    await page.getByRole('row', { name: /\+5511987650011/ }).waitFor({ state: 'detached' });
    await page.reload();
    expect(await page.getByLabel('Número do cliente').inputValue()).toBe('21987650033');
    expect(await page.getByLabel('Tipo', { exact: true }).inputValue()).toBe('inbound');
    await page.getByRole('row', { name: /\+5521987650033/ }).waitFor();

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Exportar' }).click(),
    ]);
    const csv = await readFile(await download.path(), 'utf8');
    expect(csv).toContain('5521987650033');
    expect(csv).not.toContain('5511987650011');
    expect(csv).not.toMatch(/(^|[,;\n])"?=HYPERLINK/);

    await page.getByLabel('Status', { exact: true }).selectOption('Falhou');
    await page.getByText('Nenhuma ligação corresponde aos filtros').waitFor();
    await page
      .getByRole('link', { name: 'Limpar filtros' })
      .or(page.getByRole('button', { name: 'Limpar filtros' }))
      .first()
      .click();
    await page.getByRole('row', { name: /\+5521987650033/ }).waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);

  it('narrows calls down by their routing, and to callers who were turned away', async () => {
    const routings = [
      {
        number: '+5541987650001',
        type: 'inbound',
        status: 'busy',
        branch: 'unavailable',
        reason: 'account_full',
      },
      { number: '+5541987650002', type: 'inbound', status: 'completed', branch: 'closed', reason: 'hours' },
      { number: '+5541987650003', type: 'outbound', status: 'busy', branch: null, reason: null },
    ];
    await app.query(
      `INSERT INTO calls (user_id, assistant_name, type, status, client_phone_number, started_at, ended_at, routing)
       SELECT $1, '', type, status, number, now(), now(),
         CASE WHEN branch IS NOT NULL THEN jsonb_build_object('branch', branch, 'reason', reason, 'action', 'busy') END
       FROM jsonb_to_recordset($2) AS each (number text, type text, status text, branch text, reason text)`,
      [owner.userId, JSON.stringify(routings)],
    );
    const page = await openAt('/calls');
    const row = (last: number) => page.getByRole('row', { name: new RegExp(`\\+554198765000${last}`) });
    const shows = async (expected: readonly number[]) => {
      for (const last of [1, 2, 3])
        await row(last).waitFor({ state: expected.includes(last) ? 'visible' : 'detached' });
    };
    const choice = (name: string) => page.getByRole('combobox', { name });
    await shows([1, 2, 3]);
    await choice('Atendimento').selectOption('Fechado');
    await shows([2]);
    await choice('Atendimento').selectOption('Todos');
    await choice('Motivo').selectOption('Todas as linhas do plano em uso');
    await shows([1]);
    await page.reload();
    await shows([1]);
    expect(new URL(page.url()).search).toBe('?reason=account_full');
    expect(await choice('Motivo').inputValue()).toBe('account_full');
    await choice('Motivo').selectOption('Todos');
    await shows([1, 2, 3]);

    const missed = page.getByRole('button', { name: 'Chamadas perdidas' });
    expect(await missed.getAttribute('aria-pressed')).toBe('false');
    await missed.click();
    await shows([1]);
    expect(await missed.getAttribute('aria-pressed')).toBe('true');
    expect(await page.getByLabel('Tipo', { exact: true }).inputValue()).toBe('inbound');
    expect(await page.getByLabel('Status', { exact: true }).inputValue()).toBe('busy');
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await overflowOf(page)).toBe(0);
    expect(await accessibilityFindings(page)).toEqual([]);
    await missed.click();
    await shows([1, 2, 3]);
    expect(new URL(page.url()).search).toBe('');
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);

  it('finds calls by part of a number and by words of the transcript, kept in the URL and in the export', async () => {
    const account = await app.account({ password: PASSWORD });
    await app.query(
      `INSERT INTO calls (user_id, assistant_name, type, status, client_phone_number, transcript)
       VALUES ($1, 'Vendas', 'outbound', 'completed', '+5511987651101', 'Cliente: quero três pães'),
              ($1, 'Vendas', 'outbound', 'completed', '+5521912342202', 'Cliente: quero um bolo')`,
      [account.userId],
    );
    const page = await openAt('/calls', account.email);
    const rows = page.locator('tbody tr');
    const search = page.getByRole('searchbox', { name: 'Buscar' });
    const shows = async (query: string, numbers: readonly RegExp[]) => {
      await search.fill(query);
      await until(async () => (await rows.count()) === numbers.length);
      for (const number of numbers) await page.getByRole('row', { name: number }).waitFor();
    };
    await shows('8765-11', [/\+5511987651101/]);
    await shows('quero', [/\+5511987651101/, /\+5521912342202/]);
    await shows('PAES quer', [/\+5511987651101/]);
    await shows('2202 bolo', [/\+5521912342202/]);
    await page.reload();
    await page.getByRole('row', { name: /\+5521912342202/ }).waitFor();
    expect(await rows.count()).toBe(1);
    expect(await search.inputValue()).toBe('2202 bolo');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Exportar CSV' }).click();
    const text = await readFile(await (await download).path(), 'utf8');
    expect(text).toContain('+5521912342202');
    expect(text).not.toContain('+5511987651101');
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await overflowOf(page)).toBe(0);
    expect(await accessibilityFindings(page)).toEqual([]);
    await search.fill('nada disso');
    await page.getByText('Nenhuma ligação corresponde aos filtros').waitFor();
    await page.getByRole('link', { name: 'Limpar filtros' }).click();
    await until(async () => (await rows.count()) === 2);
    expect(await search.inputValue()).toBe('');
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);

  /** Inbound calls of an account: turned away, left the queue, answered after a wait, forwarded after a wait, withheld number. */
  async function missedCalls(account: TestAccount, numbers: readonly string[]): Promise<void> {
    const [turnedAway, abandoned, answered, forwarded, withheld] = numbers;
    const waited = { branch: 'open', reason: 'account_full', action: 'assistant', waitedMs: 42_000 };
    const calls = [
      {
        number: turnedAway,
        status: 'busy',
        name: '',
        routing: { ...waited, action: 'busy', waitedMs: null },
      },
      { number: withheld, status: 'busy', name: '', routing: { ...waited, action: 'busy', waitedMs: null } },
      { number: abandoned, status: 'completed', name: '', routing: waited },
      { number: answered, status: 'completed', name: 'Vendas', routing: waited },
      { number: forwarded, status: 'completed', name: '', routing: { ...waited, action: 'forward' } },
    ];
    await app.query(
      `INSERT INTO calls (user_id, assistant_name, type, status, client_phone_number, started_at, ended_at, routing)
       SELECT $1, name, 'inbound', status, number, now(), now(), routing
       FROM jsonb_to_recordset($2) AS each (number text, status text, name text, routing jsonb)
       WHERE number IS NOT NULL`,
      [account.userId, JSON.stringify(calls)],
    );
  }

  it('calls back customers whose calls were missed, with the assistant chosen last', async () => {
    const numbers = [...[1, 2, 3, 4].map((last) => `+5551987650${last}00`), 'anonymous'];
    await missedCalls(owner, numbers);
    const [refused = '', called = ''] = numbers;
    await createOutboundAssistant(app, owner, { name: 'Retorno' });
    await createOutboundAssistant(app, owner, { name: 'Recepção', type: 'inbound' });
    await app.as(owner).post('/api/user/do-not-call').send({ phone_number: refused }).expect(201);
    const page = await openAt('/calls?branch=open');
    const action = (number: string) => page.getByRole('button', { name: `Ligar de volta para ${number}` });
    await page.getByRole('row', { name: /anonymous/ }).waitFor();
    await action(refused).waitFor();
    expect(await page.getByRole('button', { name: /^Ligar de volta/ }).count()).toBe(2);
    await page.setViewportSize({ width: 390, height: 800 });
    const box = await action(refused).boundingBox();
    expect((box?.x ?? 390) + (box?.width ?? 0)).toBeLessThan(390);

    const dialog = page.getByRole('dialog', { name: 'Ligar de volta' });
    const choice = dialog.getByLabel('Assistente');
    await action(refused).press('Enter');
    await dialog.getByText(`Um assistente vai ligar agora para ${refused}.`).waitFor();
    expect(await choice.locator('option').allInnerTexts()).toEqual(
      expect.arrayContaining(['Vendas', 'Retorno']),
    );
    expect(await choice.locator('option').count()).toBe(2);
    expect(await overflowOf(page)).toBe(0);
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await until(() => action(refused).evaluate((button) => button === button.ownerDocument.activeElement));

    await action(refused).press('Enter');
    await dialog.getByRole('button', { name: 'Ligar', exact: true }).click();
    await dialog.getByRole('alert').getByText('O número está na lista “não ligar”').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });

    await action(called).click();
    await choice.selectOption('Retorno');
    await choice.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await dialog.getByText(`Ligando para ${called}.`).waitFor();
    const { body } = await app
      .as(owner)
      .get('/api/user/calls?type=outbound&phone_number=' + encodeURIComponent(called))
      .expect(200);
    expect(body.data).toMatchObject([{ client_phone_number: called, assistant_name: 'Retorno' }]);
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`call=${body.data[0].id}`));
    await page
      .getByRole('dialog', { name: `Ligação ${body.data[0].id}` })
      .getByText(called)
      .waitFor();
    expect(new URL(page.url()).searchParams.get('branch')).toBe('open');

    const { body: inbound } = await app
      .as(owner)
      .get('/api/user/calls?type=inbound&phone_number=' + encodeURIComponent(called))
      .expect(200);
    await page.goto(`/app/calls?call=${inbound.data[0].id}`);
    const inDetails = page
      .getByRole('dialog', { name: `Ligação ${inbound.data[0].id}` })
      .getByRole('button', { name: `Ligar de volta para ${called}` });
    await inDetails.waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await inDetails.click();
    await until(async () => (await choice.locator('option').first().innerText()) === 'Retorno');
    expect(await choice.locator('option:checked').innerText()).toBe('Retorno');
    expect(problemsOf(page)).toEqual([]);
  }, 120_000);

  it('explains why a call back is impossible, and hides the action from viewers', async () => {
    const other = await app.account({ password: PASSWORD });
    const number = '+5551987650900';
    await missedCalls(other, [number]);
    const { email } = await addMember(app, other, { role: 'viewer', password: PASSWORD });
    const openAs = async (data: { email: string; password: string }) => {
      const page = await browser.signIn(app.origin, data, { locale: 'en-US' });
      await page.goto('/app/calls');
      await page.getByRole('row', { name: number }).waitFor();
      return page;
    };

    const page = await openAs({ email: other.email, password: PASSWORD });
    await page.getByRole('button', { name: `Call back ${number}` }).click();
    const dialog = page.getByRole('dialog', { name: 'Call back' });
    await dialog.getByText('No outbound assistant can call.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Call', exact: true }).isDisabled()).toBe(true);
    expect(await accessibilityFindings(page)).toEqual([]);
    await dialog.getByRole('link', { name: 'View assistants' }).click();
    await page.waitForURL(/\/app\/assistants$/);
    expect(problemsOf(page)).toEqual([]);

    const viewer = await openAs({ email, password: PASSWORD });
    await viewer.getByRole('link', { name: number }).click();
    await viewer.getByText('No transcript.').waitFor();
    expect(await viewer.getByRole('button', { name: /^Call back/ }).count()).toBe(0);
    expect(problemsOf(viewer)).toEqual([]);
  }, 60_000);

  it('takes no notice of filters that there are not', async () => {
    await recordedCall('+5521987650055');
    const page = await openAt(
      '/calls?status=nope&type=2&assistant=-1&from=yesterday&branch=side&reason=none',
    );
    await page.getByRole('row', { name: /\+5521987650055/ }).waitFor();
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);

  it('leaves the focus in the filter of numbers while one types, and empties it with the others', async () => {
    const page = await openAt('/calls');
    const filter = page.getByLabel('Número do cliente');
    await filter.click();
    await page.keyboard.type('2198');
    await page.waitForURL(/phone=/);
    await page.keyboard.type('765');
    await page.waitForURL(/phone=[^&]*2198765/);
    expect(await filter.inputValue()).toBe('2198765');
    await page.getByRole('button', { name: 'Limpar filtros' }).first().click();
    await until(async () => (await filter.inputValue()) === '');
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);

  it('goes back to the page before when the only call of the last one is deleted', async () => {
    await app.query(
      `INSERT INTO calls (user_id, assistant_id, assistant_name, type, status, client_phone_number, started_at, ended_at)
       SELECT $1, $2, 'Vendas', 'inbound', 'completed', '+5531987650066', now(), now() FROM generate_series(1, 26)`,
      [owner.userId, assistant],
    );
    const page = await openAt('/calls?phone=31987650066&page=2');
    await page.getByRole('link', { name: '+5531987650066' }).click();
    await page.getByRole('button', { name: 'Excluir' }).click();
    await page.getByRole('dialog', { name: 'Excluir' }).getByRole('button', { name: 'Excluir' }).click();
    await page.waitForURL(/page=1/);
    await page.getByRole('link', { name: '+5531987650066' }).first().waitFor();
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);

  it('closes by Escape only the question, and then the call below it', async () => {
    const id = await recordedCall('+5511987650045');
    const page = await openAt(`/calls?call=${id}`);
    const drawer = page.getByRole('dialog', { name: `Ligação ${id}` });
    await drawer.getByRole('button', { name: 'Excluir' }).click();
    const question = page.getByRole('dialog', { name: 'Excluir' });
    await question.waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    expect(await drawer.isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);

  it('deletes a call with its recording once that is confirmed', async () => {
    const id = await recordedCall('+5511987650044');
    const page = await openAt(`/calls?call=${id}`);
    await page
      .getByRole('dialog', { name: `Ligação ${id}` })
      .getByRole('button', { name: 'Excluir' })
      .click();
    await page.getByRole('dialog', { name: 'Excluir' }).getByRole('button', { name: 'Excluir' }).click();
    await page.getByRole('row', { name: /\+5511987650044/ }).waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).not.toContain('call=');
    await app.as(owner).get(`/api/user/calls/${id}`).expect(404);
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);
});
