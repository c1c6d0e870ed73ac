import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
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
import { addPhoneNumber, createCampaign, createOutboundAssistant } from '../support/campaign-builders.js';
import { addRecording, addTurns, type RecordedTurn, twoSides } from '../support/recorded-calls.js';
import { until } from '../support/until.js';

const PASSWORD = 'correto-cavalo-bateria';
const RECORDING_SECONDS = 40;
const TURNS: readonly RecordedTurn[] = [
  { role: 'assistant', text: 'Padaria Central, bom dia!', startMs: 500, endMs: 3_000 },
  { role: 'customer', text: 'Quero dois pães.', startMs: 7_000, endMs: 9_000 },
  {
    role: 'assistant',
    text: 'Dois pães, certo. Mais alguma',
    startMs: 9_800,
    endMs: 12_000,
    interrupted: true,
  },
  { role: 'customer', text: 'Só isso.', startMs: 12_000, endMs: 20_000 },
];
const QUALITY = {
  response_ms: { p50: 800, p95: 900, max: 900 },
  turns: [
    {
      at_ms: 9_000,
      response_ms: 800,
      endpointing_ms: 100,
      recognition_ms: 80,
      model_ms: 420,
      synthesis_ms: 190,
      platform_ms: 10,
    },
  ],
};
const TOOLS = [{ name: 'reservar', arguments: { pães: 2 }, result: { reservado: true }, at_ms: 9_700 }];

describeInBrowser('The page of a call', () => {
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

  async function openAt(path: string, look: Look = {}): Promise<Page> {
    return browser.openConsole(app.origin, { email: owner.email, password: PASSWORD }, path, look);
  }

  async function pastCall(phone: string): Promise<number> {
    const [row] = await app.query<{ id: number }>(
      `INSERT INTO calls (user_id, assistant_id, assistant_name, type, status, client_phone_number, duration_seconds,
         started_at, answered_at, ended_at, end_reason, answered_by, input_variables, variables, evaluation, quality,
         function_calls, carrier_cost_micros, ai_cost_micros)
       VALUES ($1, $2, 'Vendas', 'outbound', 'completed', $3, $4, now() - interval '1 minute',
         now() - interval '1 minute', now(), 'customer', 'human', '{"name": "Caio"}', '{"name": "Caio", "bairro": "Mooca"}',
         '{"status": true, "summary": "Pediu dois pães.", "interested": true, "complaint": null}', $5, $6, 20000, 100000)
       RETURNING id`,
      [owner.userId, assistant, phone, RECORDING_SECONDS, JSON.stringify(QUALITY), JSON.stringify(TOOLS)],
    );
    const call = { id: row!.id, userId: owner.userId };
    await addTurns(app, call, TURNS);
    await addRecording(app, call, twoSides(RECORDING_SECONDS));
    return call.id;
  }

  const waveOf = (page: Page) => page.getByRole('slider', { name: 'Posição na gravação' });
  const currentTurn = (page: Page) => page.locator('li[aria-current=true]');
  const playerTime = (page: Page) => page.evaluate<number>("document.querySelector('audio').currentTime");

  it('shows who was called, why the call ended, what it cost, and what was found, each by its name', async () => {
    const id = await pastCall('+5511987653001');
    await pastCall('+5511987653001');
    const page = await openAt(`/calls?call=${id}`);
    await page.getByRole('link', { name: 'Abrir página da ligação' }).click();
    await page.waitForURL(new RegExp(`/calls/${id}$`));
    await page.getByRole('heading', { level: 1, name: 'Ligação: Caio' }).waitFor();
    await page.getByText('O cliente desligou').waitFor();
    await page.getByText('Pediu dois pães.').waitFor();
    const fact = (name: string) =>
      page
        .locator('dl > div')
        .filter({ has: page.getByText(name, { exact: true }) })
        .locator('dd');
    expect(await fact('Objetivo alcançado').innerText()).toBe('sim');
    expect(await fact('Interested').innerText()).toBe('sim');
    expect(await fact('Complaint').innerText()).toBe('não se sabe');
    expect(await fact('name').innerText()).toBe('Caio');
    expect(await fact('bairro').innerText()).toBe('Mooca');
    expect(await fact('Total').innerText()).toMatch(/0,12/);
    expect(await fact('Assistente').innerText()).toMatch(/0,10/);
    expect(await fact('Operadora').innerText()).toMatch(/0,02/);
    expect(await page.getByRole('link', { name: 'Vendas' }).getAttribute('href')).toBe(
      `/app/assistants/${assistant}`,
    );
    await page.getByRole('link', { name: '2 ligações' }).click();
    await page.waitForURL(/\/calls\?phone=/);
    await page.getByRole('row').nth(2).waitFor();
    expect(await page.getByRole('row').count()).toBe(3);
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);

  it('shows answers with how long the customer waited, tools, pauses and interruptions in the order of the call', async () => {
    const page = await openAt(`/calls/${await pastCall('+5511987653002')}`);
    const lines = page.locator('ol > li');
    await lines.first().waitFor();
    expect(await lines.evaluateAll((all) => all.map((each) => each.dataset.kind))).toEqual([
      'turn',
      'gap',
      'turn',
      'tool',
      'turn',
      'turn',
    ]);
    await page.getByText('4 s de silêncio').waitFor();
    await lines.nth(4).getByText('(interrompido)').waitFor();
    await lines
      .nth(4)
      .getByRole('button', { name: /O cliente esperou 800 ms/ })
      .click();
    const parts = page
      .getByRole('dialog')
      .filter({ hasText: 'ouviu em 180 ms · pensou por 420 ms · falou em 190 ms' });
    await parts.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    await parts.waitFor({ state: 'detached' });
    await page.getByText('Ferramenta reservar').click();
    await page.getByText('"reservado": true').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);

  it('draws both tracks of the recording, and seeks by click and by keyboard with the current turn lit', async () => {
    const page = await openAt(`/calls/${await pastCall('+5511987653003')}`);
    const wave = waveOf(page);
    await until(async () => (await wave.getAttribute('aria-valuemax')) === String(RECORDING_SECONDS));
    await page.locator('path[data-track=assistant]').waitFor({ state: 'attached' });
    // The first bar of each track, and the last one: the customer speaks first. The recording is drawn while it is read.
    await until(async () => {
      const [customer, assistant] = await page.evaluate<[number, number][]>(
        `['customer', 'assistant'].map((track) => {
           const bars = document.querySelector('path[data-track=' + track + ']').getAttribute('d').split('M').slice(1);
           return [bars[20], bars.at(-20)].map((bar) => Number(bar.split('v')[1]));
         })`,
      );
      return customer![0] > 20 && customer![1] < 5 && assistant![0] < 5 && assistant![1] > 20;
    });

    const box = (await wave.boundingBox())!;
    await wave.click({ position: { x: box.width * (8 / RECORDING_SECONDS), y: 20 } });
    await currentTurn(page).getByText('Quero dois pães.').waitFor();
    expect(await playerTime(page)).toBeCloseTo(8, 0);
    expect(await wave.getAttribute('aria-valuetext')).toBe('0:08 de 0:40. Quero dois pães.');
    await wave.focus();
    await page.keyboard.press('ArrowRight');
    await currentTurn(page).getByText('Só isso.').waitFor();
    await page.keyboard.press('Home');
    await until(async () => (await playerTime(page)) === 0);
    await page.keyboard.press('PageUp');
    await until(async () => Math.round(await playerTime(page)) === 30);
    await page.keyboard.press('ArrowLeft');
    await until(async () => Math.round(await playerTime(page)) === 25);
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Pausar' }).click();
    await page.getByRole('button', { name: 'Ouvir', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Ouvir a partir de 0:07' }).click();
    await currentTurn(page).getByText('Quero dois pães.').waitFor();
    await page.getByRole('button', { name: 'Velocidade: 1×' }).click();
    await page.getByRole('button', { name: 'Velocidade: 1,25×' }).waitFor();
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);

  /** How many bars of the assistant's track are loud. */
  const loudBars = `
    (document.querySelector('path[data-track=assistant]')?.getAttribute('d') ?? '')
      .split('v').filter((part) => parseFloat(part) > 20).length`;

  it('stays responsive while it reads a recording of half an hour', async () => {
    const id = await pastCall('+5511987653004');
    await app.query('UPDATE calls SET recording_key = NULL, recording_bytes = NULL WHERE id = $1', [id]);
    await addRecording(app, { id, userId: owner.userId }, twoSides(1_800));
    const page = await openAt('/calls');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.evaluate(`
      window.longest = 0;
      let last = performance.now();
      const watch = () => {
        window.longest = Math.max(window.longest, performance.now() - last);
        last = performance.now();
        setTimeout(watch, 10);
      };
      watch();
      history.pushState({}, '', '/app/calls/${id}');
    `);
    await until(async () => (await page.evaluate<number>(loudBars)) > 580, 60_000);
    expect(await page.evaluate('longest')).toBeLessThan(500);
    expect(problemsOf(page)).toEqual([]);
  }, 120_000);

  it.each([
    { width: 1_280, locale: 'pt-BR' },
    { width: 390, locale: 'en-US' },
  ] as const)(
    'fits into $width pixels in $locale, accessible in light and dark',
    async (look) => {
      const page = await openAt(`/calls/${await pastCall('+5511987653005')}`, look);
      await page.getByText(look.locale === 'pt-BR' ? 'Objetivo alcançado' : 'Goal reached').waitFor();
      await page.locator('path[data-track=assistant]').waitFor({ state: 'attached' });
      expect(await overflowOf(page)).toBe(0);
      expect(await accessibilityFindings(page)).toEqual([]);
      await setScheme(page, 'dark');
      expect(await accessibilityFindings(page)).toEqual([]);
      expect(problemsOf(page)).toEqual([]);
    },
    60_000,
  );

  it('downloads the recording and the transcript', async () => {
    const id = await pastCall('+5511987653006');
    const page = await openAt(`/calls/${id}`);
    const download = async (item: string) => {
      await page.getByRole('button', { name: 'Baixar' }).click();
      const saved = page.waitForEvent('download');
      await page.getByRole('menuitem', { name: item }).click();
      const file = await saved;
      return { name: file.suggestedFilename(), content: await readFile(await file.path()) };
    };
    const recording = await download('Gravação (Ogg)');
    expect(recording.name).toBe(`call-${id}.ogg`);
    expect(recording.content.subarray(0, 4).toString()).toBe('OggS');
    const transcript = await download('Transcrição (texto)');
    expect(transcript.content.toString()).toContain(
      '[0:07] Cliente: Quero dois pães.\n[0:09] Vendas: Dois pães',
    );
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);

  it('calls again with the same variables, shows the new call as it runs, and hangs up', async () => {
    const phone = '+5511987653007';
    const id = await pastCall(phone);
    const page = await openAt(`/calls/${id}`);
    await page.getByRole('button', { name: 'Ligar de novo' }).click();
    const dialog = page.getByRole('dialog', { name: 'Ligar de novo' });
    await dialog.getByText(`Vendas vai ligar agora para ${phone}`).waitFor();
    await dialog.getByRole('button', { name: 'Ligar de novo' }).click();
    await page.waitForURL((url) => /\/calls\/\d+$/.test(url.pathname) && !url.pathname.endsWith(`/${id}`));
    const made = Number(page.url().split('/').at(-1));
    const { body } = await app.as(owner).get(`/api/user/calls/${made}`).expect(200);
    expect(body).toMatchObject({ client_phone_number: phone, input_variables: { name: 'Caio' } });
    await page.getByText(/^Em andamento há (?!0:00)\d+:\d\d/).waitFor();
    await page.getByText('O custo é calculado quando a ligação termina.').waitFor();
    expect(await page.getByText('0:00', { exact: true }).count()).toBe(0);
    await page.locator('ol > li').first().waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Desligar' }).click();
    await page.getByRole('dialog', { name: 'Desligar' }).getByRole('button', { name: 'Desligar' }).click();
    await page.getByRole('button', { name: 'Excluir' }).waitFor();
    await page.getByText('Uma pessoa ou a API encerrou a ligação').waitFor();
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);

  it('puts the number on the do-not-call list and takes it off again, and deletes the call', async () => {
    const phone = '+5511987653008';
    const id = await pastCall(phone);
    const page = await openAt(`/calls/${id}`);
    const listed = async () => (await app.as(owner).get('/api/user/do-not-call').expect(200)).body.data;
    await page.getByRole('button', { name: 'Não ligar mais' }).click();
    await page.getByRole('button', { name: 'Permitir ligações' }).waitFor();
    expect(await listed()).toMatchObject([{ phone_number: phone }]);
    await page.getByRole('button', { name: 'Permitir ligações' }).click();
    await page.getByRole('button', { name: 'Não ligar mais' }).waitFor();
    expect(await listed()).toEqual([]);
    await page.getByRole('button', { name: 'Excluir' }).click();
    await page.getByRole('dialog', { name: 'Excluir' }).getByRole('button', { name: 'Excluir' }).click();
    await page.waitForURL(/\/calls$/);
    await app.as(owner).get(`/api/user/calls/${id}`).expect(404);
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);

  it('calls a number in three clicks from the overview, with the variables of the prompt', async () => {
    await app
      .as(owner)
      .put(`/api/user/assistant/${assistant}`)
      .send({ initial_message: 'Olá, {{nome}}! Aqui é {{assistant_name}}.' })
      .expect(200);
    const phone = '+5511987653009';
    await pastCall('+5511987653010');
    const page = await openAt('/');
    await page.getByRole('navigation').getByRole('link', { name: 'Ligações' }).click();
    await page.getByRole('button', { name: 'Ligar agora' }).click();
    const dialog = page.getByRole('dialog', { name: 'Ligar agora' });
    await dialog.getByLabel('Número').fill('123');
    await dialog.getByLabel('nome').fill('Lia');
    await dialog.getByText(/^Cerca de US\$\s0,18 por minuto/).waitFor();
    expect(await dialog.getByLabel('assistant_name').count()).toBe(0);
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').getByText('Número').waitFor();
    await dialog.getByRole('textbox', { name: 'Número' }).fill(phone);
    await dialog.getByRole('button', { name: 'Ligar', exact: true }).click();
    await page.waitForURL(/\/calls\/\d+$/);
    const id = page.url().split('/').at(-1);
    const { body } = await app.as(owner).get(`/api/user/calls/${id}`).expect(200);
    expect(body).toMatchObject({ client_phone_number: phone, input_variables: { nome: 'Lia' } });
    await page.getByText('Olá, Lia! Aqui é Vendas.').first().waitFor();
    await app.as(owner).post(`/api/user/calls/${id}/hangup`).expect(200);
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);

  it('calls a contact of a campaign with what is known of it', async () => {
    const campaign = await createCampaign(app, owner, { assistant_id: assistant });
    const phone = '+5511987653011';
    await app.query(
      `INSERT INTO leads (user_id, campaign_id, phone_number, variables) VALUES ($1, $2, $3, '{"nome": "Rui"}')`,
      [owner.userId, campaign, phone],
    );
    const page = await openAt(`/campaigns/${campaign}`, { locale: 'en-US', width: 390 });
    await page
      .getByRole('button', { name: phone })
      .or(page.getByRole('link', { name: phone }))
      .first()
      .click();
    await page.getByRole('button', { name: 'Call now' }).click();
    const dialog = page.getByRole('dialog', { name: 'Call now' });
    expect(await dialog.getByLabel('Number').inputValue()).toBe(phone);
    expect(await dialog.getByLabel('nome').inputValue()).toBe('Rui');
    expect(await overflowOf(page)).toBe(0);
    await dialog.getByRole('button', { name: 'Call', exact: true }).click();
    await page.waitForURL(/\/calls\/\d+$/);
    await page.getByText('Olá, Rui! Aqui é Vendas.').first().waitFor();
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);

  it('does not send a variable of a contact whose field was emptied', async () => {
    const campaign = await createCampaign(app, owner, { assistant_id: assistant });
    const phone = '+5511987653021';
    await app.query(
      `INSERT INTO leads (user_id, campaign_id, phone_number, variables) VALUES ($1, $2, $3, '{"nome": "Rui"}')`,
      [owner.userId, campaign, phone],
    );
    const page = await openAt(`/campaigns/${campaign}`, { locale: 'en-US', width: 390 });
    await page
      .getByRole('button', { name: phone })
      .or(page.getByRole('link', { name: phone }))
      .first()
      .click();
    await page.getByRole('button', { name: 'Call now' }).click();
    const dialog = page.getByRole('dialog', { name: 'Call now' });
    await dialog.getByLabel('nome').fill('');
    const [request] = await Promise.all([
      page.waitForRequest('**/api/user/make_call'),
      dialog.getByRole('button', { name: 'Call', exact: true }).click(),
    ]);
    expect(request.postDataJSON().variables).toEqual({});
  }, 60_000);

  it('shares a call by a link once that is switched on, and revokes the link', async () => {
    const id = await pastCall('+5511987653012');
    const page = await openAt(`/calls/${id}`);
    await page.getByRole('button', { name: 'Compartilhar' }).click();
    const dialog = page.getByRole('dialog', { name: 'Compartilhar' });
    await dialog.getByRole('button', { name: 'Ativar compartilhamento' }).click();
    await dialog.getByLabel('Válido por').selectOption('1 dia');
    await dialog.getByRole('button', { name: 'Criar link' }).click();
    const url = await dialog.getByLabel('Link da ligação').innerText();
    expect(await accessibilityFindings(page)).toEqual([]);

    const timeZone = 'Asia/Tokyo';
    const guest = await browser.open(app.origin, { locale: 'en-US', width: 390, timeZone });
    const answer = await guest.goto(url);
    expect(answer?.headers()).toMatchObject({
      'x-robots-tag': 'noindex',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
    await guest.getByRole('heading', { level: 1, name: 'Call with Vendas' }).waitFor();
    const [share] = await app.query<{ at: Date }>(
      'SELECT expires_at AS at FROM call_shares ORDER BY id DESC LIMIT 1',
    );
    const clock = new Intl.DateTimeFormat('en', { timeZone, dateStyle: 'medium', timeStyle: 'short' });
    await guest.getByText(clock.format(share!.at)).waitFor();
    await guest.getByRole('button', { name: 'Play from 0:07' }).click();
    await until(async () => (await playerTime(guest)) > 7);
    await guest.locator('path[data-track=assistant]').waitFor({ state: 'attached' });
    const shown = await guest.locator('body').innerText();
    for (const hidden of ['987653012', 'Caio', 'Mooca', 'reservar']) expect(shown).not.toContain(hidden);
    expect(await overflowOf(guest)).toBe(0);
    expect(await accessibilityFindings(guest)).toEqual([]);

    await dialog.getByRole('button', { name: /^Revogar/ }).click();
    await dialog.getByRole('heading', { name: 'Links válidos' }).waitFor({ state: 'detached' });
    await guest.reload();
    await guest.getByRole('heading', { level: 1, name: "This call isn't available anymore" }).waitFor();
    expect(await accessibilityFindings(guest)).toEqual([]);
    expect(problemsOf(page)).toEqual([]);
    expect(problemsOf(guest)).toEqual([]);
  }, 60_000);

  it('keeps notes and tags of a call, and lists the calls of a tag', async () => {
    const id = await pastCall('+5511987653013');
    const page = await openAt(`/calls/${id}`, { locale: 'en-US', width: 390 });
    await page.getByLabel('New note').fill('Call back on Tuesday.');
    await page.getByRole('button', { name: 'Add note' }).click();
    await page.getByText('Call back on Tuesday.').waitFor();
    await page.getByLabel('New tag').fill('complaint');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'complaint' }).waitFor();
    expect(await overflowOf(page)).toBe(0);
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByRole('button', { name: /^Delete the note from/ }).click();
    await page.getByText('Call back on Tuesday.').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'complaint' }).click();
    await page.waitForURL(/tag=complaint/);
    await page.getByRole('row', { name: '+5511987653013' }).waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    await page.goto(`/app/calls/${id}`);
    await page.getByRole('button', { name: 'Remove the tag complaint' }).click();
    await page.getByRole('link', { name: 'complaint' }).waitFor({ state: 'detached' });
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);
});
