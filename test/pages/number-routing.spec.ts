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
import { addPhoneNumber, phoneNumber } from '../support/campaign-builders.js';
import { answerJson, LocalServer } from '../support/http-server.js';

const PASSWORD = 'correto-cavalo-bateria';
/** Several days an entry, a night and an order of its own. */
const HOURS = {
  timezone: 'America/Sao_Paulo',
  weekly: [
    { days: ['saturday'], from: '20:00', to: '02:00' },
    { days: ['tuesday', 'monday'], from: '14:00', to: '18:00' },
    { days: ['monday', 'tuesday'], from: '09:00', to: '12:00' },
  ],
  closed_dates: ['2099-12-25', '2099-01-01'],
};
const EVERY_DAY = { days: expect.arrayContaining(['monday', 'sunday']), from: '00:00', to: '24:00' };

describeInBrowser('Who answers a number', () => {
  let app: TestApp;
  let browser: TestBrowser;
  let crm: LocalServer;
  /** What it says about callers. */
  let answer: { readonly body: unknown; readonly status: number };
  let owner: TestAccount;
  let numberId: number;
  let number: string;
  let night: number;

  beforeAll(async () => {
    await buildPages();
    [app, browser, crm] = await Promise.all([
      TestApp.start({ PROSA_ROLES: 'api,worker', EGRESS_ALLOW_CIDRS: '127.0.0.0/8' }),
      TestBrowser.start(),
      LocalServer.start((_request, response) => answerJson(response, answer.body, answer.status)),
    ]);
    owner = await app.account({ balanceUsd: 5, password: PASSWORD });
    numberId = await addPhoneNumber(app, owner);
    const rows = await app.query<{ phone_number: string }>(
      'SELECT phone_number FROM phone_numbers WHERE id = $1',
      [numberId],
    );
    number = rows[0]!.phone_number;
    await createAssistant(app, owner, { name: 'Loja', type: 'inbound', phone_number_id: numberId });
    night = (await createAssistant(app, owner, { name: 'Noite', type: 'inbound' })).id;
  }, 240_000);
  beforeEach(async () => {
    await app.query('DELETE FROM number_routings');
    await app.query('DELETE FROM number_lookups');
  });
  afterEach(() => browser.closeWindows());
  afterAll(async () => {
    await browser.stop();
    await app.stop();
    await crm.stop();
  });

  async function openAt(path: string, look: Look = {}, email = owner.email): Promise<Page> {
    return browser.openConsole(app.origin, { email, password: PASSWORD }, path, look);
  }

  const path = () => `/numbers/${numberId}`;
  const put = (body: object) => app.as(owner).put(`/api/user/phone-numbers/${numberId}/routing`).send(body);
  const stored = async () =>
    (await app.as(owner).get(`/api/user/phone-numbers/${numberId}/routing`).expect(200)).body.data;
  const save = (page: Page) => page.getByRole('button', { name: 'Salvar' }).click();
  const day = (page: Page, name: string) => page.getByRole('group', { name, exact: true });
  const status = (page: Page, text: string) =>
    page.getByRole('status').getByText(text, { exact: true }).waitFor();
  const choose = async (page: Page, group: string, field: string, option: string) => {
    await page.getByRole('group', { name: group }).getByLabel(field).first().click();
    await page.getByRole('option', { name: option }).click();
  };

  it('is set by hours, closed dates and actions, and says at once who answers now', async () => {
    const page = await openAt('/numbers');
    const row = page.getByRole('row', { name: new RegExp(`\\${number}`) });
    await row.getByRole('cell', { name: 'Agora: aberto → Loja', exact: true }).waitFor();
    await row.getByRole('link', { name: `Quem atende ${number}` }).click();
    await page.getByRole('heading', { level: 1, name: `Quem atende ${number}` }).waitFor();
    await status(page, 'Agora: aberto → Loja');
    expect(await page.getByRole('heading', { name: 'Fora do horário' }).count()).toBe(0);

    await page.getByLabel('Sempre aberto').uncheck();
    expect(await day(page, 'segunda-feira').getByLabel('Início').inputValue()).toBe('09:00');
    await day(page, 'sábado').getByText('Fechado').waitFor();
    await day(page, 'segunda-feira').getByLabel('Início').fill('00:00');
    await day(page, 'segunda-feira').getByLabel('Fim').fill('00:00');
    await day(page, 'segunda-feira').getByText('O dia inteiro').waitFor();
    await page.getByRole('button', { name: 'Copiar horários: segunda-feira' }).click();
    await page.getByRole('menuitem', { name: 'Copiar para todos os dias' }).click();
    expect(await page.getByText('O dia inteiro', { exact: true }).count()).toBe(7);
    await choose(page, 'Fora do horário', 'Ação', 'Um assistente atende');
    await choose(page, 'Fora do horário', 'Assistente', 'Noite');
    await choose(page, 'Se ninguém puder atender', 'Ação', 'Falar uma mensagem e desligar');
    await page.getByRole('textbox', { name: 'Mensagem' }).fill('Voltamos já.');
    await page.getByText('Salve as alterações antes de testar.').waitFor();
    await save(page);
    await page.getByText('Alterações salvas').waitFor();
    await status(page, 'Agora: aberto → Loja');
    expect(await stored()).toMatchObject({
      hours: { weekly: [EVERY_DAY], closed_dates: [] },
      closed: { action: 'assistant', assistant_id: night },
      unavailable: { action: 'message', text: 'Voltamos já.' },
    });

    // Three days, so that the date of the time zone is one of them.
    for (const daysOn of [-1, 0, 1]) {
      const date = new Date(Date.now() + daysOn * 24 * 60 * 60_000).toISOString().slice(0, 10);
      await page.getByRole('textbox', { name: 'Data', exact: true }).fill(date);
      await page.keyboard.press('Enter');
    }
    expect(await page.getByRole('list', { name: 'Datas fechadas' }).getByRole('listitem').count()).toBe(3);
    await save(page);
    await status(page, 'Agora: fechado → Noite');
    await page.getByRole('link', { name: 'Números' }).last().click();
    await row.getByRole('cell', { name: 'Agora: fechado → Noite', exact: true }).waitFor();
    expect(problemsOf(page)).toEqual([]);
  }, 120_000);

  it('can be tested for any moment', async () => {
    await put({ hours: HOURS, closed: { action: 'message', text: 'Abrimos às 9.' } }).expect(200);
    const page = await openAt(path());
    await page.getByLabel('Número de quem liga').fill('ramal');
    await page.getByRole('button', { name: 'Testar' }).click();
    await page.getByText(/customer_phone/).waitFor();
    await page.getByLabel('Número de quem liga').fill('+5511987650000');
    // A Wednesday without hours.
    await page.getByLabel('Momento').fill('2026-12-23T12:00');
    await page.getByRole('button', { name: 'Testar' }).click();
    await page.getByText('fora do horário', { exact: true }).waitFor();
    await page.getByRole('definition').getByText('Abrimos às 9.').waitFor();
    await page.getByRole('definition').getByText('Falar uma mensagem e desligar').waitFor();
    expect(problemsOf(page)).toEqual([]);
  }, 120_000);

  it('asks a server who calls, shows what it answered, and lists the last lookups', async () => {
    const page = await openAt(path());
    const lookups = page.getByRole('region', { name: 'Últimas consultas' });
    const test = () => page.getByRole('button', { name: 'Testar' }).click();
    const fact = (name: string, value: string) =>
      page.locator('dl > div').filter({ hasText: name }).getByText(value, { exact: true }).waitFor();
    await page.getByText('Consulta do cliente', { exact: true }).waitFor();
    expect(await page.getByLabel('Esperar a resposta por até').count()).toBe(0);
    await page.getByLabel('URL da consulta').fill('crm');
    await page.getByLabel('Esperar a resposta por até').fill('100');
    await save(page);
    await page.getByText('Digite uma URL que comece com http:// ou https://.').waitFor();
    await page.getByText('O mínimo é 500.').waitFor();
    await page.getByLabel('URL da consulta').fill(`${crm.url}/who`);
    await page.getByLabel('Esperar a resposta por até').fill('1500');
    await save(page);
    await page.getByText('Alterações salvas').waitFor();
    expect(await stored()).toMatchObject({ lookup_url: `${crm.url}/who`, lookup_timeout_ms: 1_500 });
    await page.getByText('Nenhuma consulta ainda. Teste acima ou ligue para o número.').waitFor();

    const phone_number = '+551130000009';
    const variables = { plano: 'ouro' };
    const initial_message = 'Olá, Ana!';
    answer = { status: 200, body: { assistant_id: night, phone_number, initial_message, variables } };
    await page.getByLabel('Número de quem liga').fill('+5511987650000');
    await test();
    await fact('Resultado', 'Resposta usada');
    await fact('Status HTTP', '200');
    await fact('Assistente indicado', 'Noite');
    await fact('Telefone indicado', phone_number);
    await fact('Saudação', initial_message);
    await fact('plano', 'ouro');
    await lookups.getByRole('row', { name: /Resposta usada 200 [\d.]+ ms –/ }).waitFor();

    answer = { status: 503, body: {} };
    await test();
    await fact('Resultado', 'Falha: o servidor respondeu com um erro');
    await fact('Status HTTP', '503');
    await lookups.getByRole('row', { name: /Falha: o servidor respondeu com um erro 503/ }).waitFor();
    expect(await lookups.getByRole('row').count()).toBe(3);

    await app.query(`UPDATE number_lookups SET call_id = 4711 WHERE status = 'ok'`);
    await app.query(
      `UPDATE number_lookups SET status = 'ignored', error = NULL, http_status = NULL, ms = 0 WHERE status = 'failed'`,
    );
    await page.reload();
    const link = lookups.getByRole('row', { name: /Resposta usada/ }).getByRole('link', { name: '4711' });
    expect(await link.getAttribute('href')).toBe('/app/calls/4711');
    const notAsked = /O servidor não foi consultado: há consultas demais ao mesmo tempo/;
    await lookups.getByRole('row', { name: notAsked }).waitFor();

    await page.getByLabel('URL da consulta').fill('');
    await save(page);
    await lookups.waitFor({ state: 'detached' });
    expect(await stored()).toMatchObject({ lookup_url: null, lookup_timeout_ms: 3_000 });
    expect(problemsOf(page)).toEqual([]);
  }, 120_000);

  it('lets callers wait, and names what is wrong at its field', async () => {
    await put({ unavailable: { action: 'message', text: 'Voltamos já.' } }).expect(200);
    const page = await openAt(path());
    const mostWaiting = page.getByLabel('Máximo de pessoas na fila');
    const longestWait = page.getByLabel('Espera máxima');
    await page.getByText(/ouve a mensagem, música e sua posição na fila, e só a linha é cobrada/).waitFor();
    expect(await mostWaiting.count()).toBe(0);
    await page.getByLabel('Deixar quem liga aguardar').check();
    expect([await mostWaiting.inputValue(), await longestWait.inputValue()]).toEqual(['5', '120']);
    await mostWaiting.fill('');
    await longestWait.fill('901');
    await page.getByLabel('Mensagem da fila').fill('x'.repeat(501));
    await save(page);
    await page.getByText('Preencha este campo.').waitFor();
    await page.getByText('O máximo é 900.').waitFor();
    await page.getByText('Digite no máximo 500 caracteres.').waitFor();
    await mostWaiting.fill('3');
    await longestWait.fill('90');
    await page.getByLabel('Mensagem da fila').fill('Um momento.');
    await save(page);
    await page.getByText('Alterações salvas').waitFor();
    const queue = { max_waiting: 3, max_seconds: 90, message: 'Um momento.' };
    expect(await stored()).toMatchObject({ queue, unavailable: { action: 'message' } });

    await page.reload();
    await page.getByLabel('Mensagem da fila').fill('');
    await save(page);
    await page.getByText('Alterações salvas').waitFor();
    expect((await stored()).queue).toEqual({ ...queue, message: null });

    const errors = {
      'queue.max_waiting': ['Fila recusada.'],
      'queue.max_seconds': ['Espera recusada.'],
      'queue.message': ['Mensagem recusada.'],
    };
    await page.route('**/routing', (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({ status: 422, json: { message: 'Recusado', errors } })
        : route.continue(),
    );
    await longestWait.fill('60');
    await save(page);
    for (const [label, text] of [
      ['Máximo de pessoas na fila', 'Fila recusada.'],
      ['Espera máxima', 'Espera recusada.'],
      ['Mensagem da fila', 'Mensagem recusada.'],
    ] as const) {
      await page.getByText(text, { exact: true }).waitFor();
      expect(await page.getByLabel(label).getAttribute('aria-invalid')).toBe('true');
    }
    await page.unroute('**/routing');
    await page.getByLabel('Deixar quem liga aguardar').uncheck();
    await page.getByText('Alterações salvas').waitFor({ state: 'detached' });
    await save(page);
    await page.getByText('Alterações salvas').waitFor();
    expect((await stored()).queue).toBeNull();
    expect(problemsOf(page)).toEqual([]);
  }, 120_000);

  it('shows what is stored, and sends back what was not changed as it was', async () => {
    const routing = { hours: HOURS, closed: { action: 'busy' }, unavailable: { action: 'busy' } };
    await put(routing).expect(200);
    const page = await openAt(path());
    const monday = day(page, 'segunda-feira');
    await monday.getByLabel('Início 2').waitFor();
    expect(await monday.getByLabel('Fim', { exact: true }).inputValue()).toBe('12:00');
    await day(page, 'sábado').getByText('Até 02:00 do dia seguinte (domingo)').waitFor();
    await page.getByRole('listitem').getByText('25 de dez. de 2099').waitFor();
    await page.getByRole('button', { name: 'Remover 1 de jan. de 2099' }).click();
    await save(page);
    await page.getByText('Alterações salvas').waitFor();
    expect(await stored()).toMatchObject({
      ...routing,
      hours: { ...HOURS, closed_dates: ['2099-12-25'] },
    });

    // By keyboard: hours for a Sunday.
    await page.getByRole('button', { name: 'Adicionar horário: domingo' }).focus();
    await page.keyboard.press('Enter');
    const focused = page.locator('input:focus');
    expect(await focused.getAttribute('aria-label')).toBe('Início');
    await focused.fill('08:00');
    await day(page, 'domingo').getByLabel('Fim').fill('10:00');
    const answer = page.waitForResponse((response) => response.request().method() === 'PUT');
    await page.keyboard.press('Enter');
    expect((await answer).status()).toBe(200);
    expect((await stored()).hours.weekly).toContainEqual({ days: ['sunday'], from: '08:00', to: '10:00' });
    await page.getByRole('button', { name: 'Remover horário 1: domingo' }).click();
    expect(await day(page, 'domingo').getByText('Fechado').count()).toBe(1);
    expect(problemsOf(page)).toEqual([]);
  }, 120_000);

  it('names what is wrong at its field, before and after it is sent', async () => {
    const gone = (await createAssistant(app, owner, { name: 'Temporária', type: 'inbound' })).id;
    const page = await openAt(path());
    await page.getByLabel('Sempre aberto').uncheck();
    const monday = day(page, 'segunda-feira');
    await monday.getByLabel('Fim').fill('09:00');
    await choose(page, 'Fora do horário', 'Ação', 'Um assistente atende');
    await save(page);
    await monday.getByText('O fim deve ser diferente do início.').waitFor();
    await page.getByRole('group', { name: 'Fora do horário' }).getByText('Preencha este campo.').waitFor();
    await monday.getByLabel('Fim').fill('12:00');
    await choose(page, 'Fora do horário', 'Assistente', 'Temporária');
    await app.as(owner).delete(`/api/user/assistant/${gone}`).expect(200);
    await save(page);
    await page
      .getByRole('group', { name: 'Fora do horário' })
      .getByText(/assistant_id/)
      .waitFor();

    // Tuesday to Friday share an entry of the API.
    const errors = { 'hours.weekly.1.to': ['Horário recusado.'] };
    await page.route('**/routing', (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({ status: 422, json: { message: 'Recusado', errors } })
        : route.continue(),
    );
    await choose(page, 'Fora do horário', 'Assistente', 'Noite');
    await save(page);
    await day(page, 'sexta-feira').getByText('Horário recusado.').waitFor();
    expect(await page.getByText('Horário recusado.').count()).toBe(4);
    expect(await monday.getByText('Horário recusado.').count()).toBe(0);
    expect(problemsOf(page)).toEqual([]);
  }, 120_000);

  it.each([
    [
      'pt-BR',
      1280,
      'Testar',
      'Copiar horários: segunda-feira',
      'Copiar para todos os dias',
      /Agora: (aberto|fechado) → (Loja|mensagem)/,
    ],
    ['en-US', 390, 'Test', 'Copy hours: Monday', 'Copy to all days', /Now: (open|closed) → (Loja|message)/],
  ] as const)(
    'has no barrier that axe knows, light and dark, %s, %i wide',
    async (locale, width, test, copy, all, now) => {
      const text = 'Abrimos às 9.';
      await put({
        hours: HOURS,
        closed: { action: 'message', text },
        unavailable: { action: 'assistant', assistant_id: night },
        queue: { max_waiting: 5, max_seconds: 120, message: 'Um momento.' },
        lookup_url: `${crm.url}/who`,
      }).expect(200);
      answer = { status: 200, body: { action: 'answer', variables: { plano: 'ouro' } } };
      const page = await openAt(path(), { locale, width });
      await page.getByRole('status').getByText(now).waitFor();
      await page.getByRole('textbox').filter({ hasText: text }).waitFor();
      await page.locator('input[type=tel]').fill('+5511987650000');
      await page.getByRole('button', { name: test, exact: true }).click();
      await page.getByRole('definition').first().waitFor();
      await page.getByRole('cell', { name: '200' }).waitFor();
      const findings = await accessibilityFindings(page);
      await setScheme(page, 'dark');
      findings.push(...(await accessibilityFindings(page, ['color-contrast'])));
      await setScheme(page, 'light');
      expect(await overflowOf(page)).toBe(0);
      await page.getByRole('button', { name: copy }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem').first().waitFor();
      findings.push(...(await accessibilityFindings(page)));
      expect(findings).toEqual([]);
      expect(await page.locator('[role=menuitem]:focus').innerText()).toBe(all);
      expect(problemsOf(page)).toEqual([]);
    },
    120_000,
  );

  it('is shown, not changed, without the right to it; and not for a number that receives no calls', async () => {
    const shown = phoneNumber(77);
    await app.query(
      `INSERT INTO phone_numbers (user_id, phone_number, country_code, type) VALUES ($1, $2, 'BR', 'caller_id')`,
      [owner.userId, shown],
    );
    const { email } = await addMember(app, owner, { password: PASSWORD });
    const page = await openAt('/numbers', {}, email);
    await page
      .getByRole('row', { name: new RegExp(`\\${number}`) })
      .getByRole('cell', { name: 'Agora: aberto → Loja', exact: true })
      .waitFor();
    await page.setViewportSize({ width: 320, height: 800 });
    await page.getByText('Agora: aberto → Loja').filter({ visible: true }).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    expect(await overflowOf(page)).toBe(0);
    await page.setViewportSize({ width: 1280, height: 800 });
    expect(await page.getByRole('row', { name: new RegExp(`\\${shown}`) }).textContent()).not.toContain('→');
    expect(await page.getByRole('link', { name: /^Quem atende/ }).count()).toBe(0);
    await page.goto(`/app${path()}`);
    await page.waitForURL(/\/app\/?$/);
    expect(problemsOf(page)).toEqual([]);
  }, 120_000);

  it('is said of a call that no assistant answered', async () => {
    const routing = { branch: 'closed', action: 'message', reason: 'closed_date' };
    const [row] = await app.query<{ id: number }>(
      `INSERT INTO calls (user_id, assistant_name, type, status, client_phone_number, duration_seconds, started_at, ended_at,
         routing)
       VALUES ($1, '', 'inbound', 'completed', '+5511987650000', 4, now() - interval '1 minute', now(), $2) RETURNING id`,
      [owner.userId, JSON.stringify(routing)],
    );
    const page = await openAt(`/calls?call=${row!.id}`);
    const drawer = page.getByRole('dialog', { name: `Ligação ${row!.id}` });
    await drawer.getByText(/^\d.* · 0:04$/).waitFor();
    await drawer.getByText('Fechado (data fechada) → mensagem').waitFor();
    await drawer.getByRole('button', { name: 'Fechar' }).click();
    const listed = page.getByRole('row', { name: /\+5511987650000/ });
    await listed.getByText('Fechado (data fechada) → mensagem').waitFor();
    await app.query(
      `UPDATE calls SET routing = '{"branch": "unavailable", "action": "forward", "reason": "no_assistant", "forwardedTo": "+551130000009"}'
       WHERE id = $1`,
      [row!.id],
    );
    await page.reload();
    await listed.getByText('Ninguém pôde atender (nenhum assistente disponível) → +551130000009').waitFor();
    await app.query(`UPDATE calls SET routing = routing || '{"waitedMs": 75000}' WHERE id = $1`, [row!.id]);
    await page.goto(`/app/calls?call=${row!.id}`);
    await drawer.locator('dl > div').filter({ hasText: 'Espera na fila' }).getByText('1:15').waitFor();
    expect(problemsOf(page)).toEqual([]);
  }, 120_000);
});
