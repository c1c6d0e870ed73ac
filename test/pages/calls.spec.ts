import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { FileStorage } from '../../src/providers/storage/file-storage.js';
import { packRecording } from '../../src/voice/recording/pack-recording.js';
import { type TestAccount, TestApp } from '../support/app.js';
import {
  accessibilityFindings,
  buildPages,
  describeInBrowser,
  problemsOf,
  TestBrowser,
} from '../support/browser.js';
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

  async function openAt(path: string): Promise<Page> {
    const page = await browser.open(app.origin);
    const data = { email: owner.email, password: PASSWORD };
    await page.request.post('/api/auth/session', { data, headers: { Origin: app.origin } });
    await page.goto(`/app${path}`);
    return page;
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
    await app.query(
      `INSERT INTO call_turns (call_id, user_id, position, role, text, start_ms, end_ms, interrupted)
       VALUES ($1, $2, 0, 'assistant', 'Padaria Central, bom dia!', 500, 3000, false),
              ($1, $2, 1, 'customer', 'Quero dois pães.', $3, 9000, false)`,
      [id, owner.userId, TURN_MS],
    );
    const [raw, packed] = [join(dataDir, `${id}.raw`), join(dataDir, `${id}.ogg`)];
    await writeFile(raw, Buffer.from(tone(440, RATE_HZ, RECORDING_SECONDS * 2_000).buffer));
    await packRecording({ path: raw, sampleRateHz: RATE_HZ }, packed);
    const sound = await readFile(packed);
    const key = `recordings/${owner.userId}/${id}-x.ogg`;
    const about = { bytes: sound.length, contentType: 'audio/ogg' };
    await app.app.get(FileStorage).put(key, Readable.from([sound]), about);
    await app.query('UPDATE calls SET recording_key = $2, recording_bytes = $3 WHERE id = $1', [
      id,
      key,
      sound.length,
    ]);
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

  it('takes no notice of filters that there are not', async () => {
    await recordedCall('+5521987650055');
    const page = await openAt('/calls?status=nope&type=2&assistant=-1&from=yesterday');
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
