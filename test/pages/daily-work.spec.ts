import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { type TestAccount, TestApp } from '../support/app.js';
import {
  accessibilityFindings,
  buildPages,
  describeInBrowser,
  follow,
  type Look,
  overflowOf,
  problemsOf,
  TestBrowser,
} from '../support/browser.js';
import { addMember, createAssistant, openConversation } from '../support/builders.js';
import { addConsoleRows } from '../support/console-rows.js';
import {
  addPhoneNumber,
  createCampaign,
  createLead,
  createOutboundAssistant,
} from '../support/campaign-builders.js';
import { until } from '../support/until.js';

const PASSWORD = 'correto-cavalo-bateria';

/** Texts of tables that should be in one line and are not, and states that are cut off on a narrow screen. */
const BROKEN_CELLS = `(() => {
  const isShort = /^(\\+\\d{8,}|.*\\d{1,2}:\\d\\d|[-–]?US\\$.*|\\$.*|há .*)$/;
  const linesOf = (element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom))).size;
  };
  const leaves = [...document.querySelectorAll('main td, main td *')].filter(
    (each) => each.children.length === 0 && each.getClientRects().length > 0,
  );
  const wrapped = leaves.filter((each) => isShort.test(each.textContent.trim()) && linesOf(each) > 1);
  const cut = innerWidth > 768 ? [] : [...document.querySelectorAll('main td .mantine-Badge-root')].filter(
    (each) => each.getBoundingClientRect().right > innerWidth,
  );
  return [...wrapped, ...cut].map((each) => each.textContent);
})()`;

describeInBrowser('Daily work in the console', () => {
  let app: TestApp;
  let browser: TestBrowser;
  let owner: TestAccount;

  beforeAll(async () => {
    await buildPages();
    [app, browser] = await Promise.all([
      TestApp.start({ PROSA_ROLES: 'api,worker', SANDBOX_SPEED: '1' }),
      TestBrowser.start(),
    ]);
  }, 240_000);
  beforeEach(async () => {
    owner = await app.account({ balanceUsd: 25, password: PASSWORD });
  });
  afterEach(() => browser.closeWindows());
  afterAll(async () => {
    await browser.stop();
    await app.stop();
  });

  const openAt = (path: string, look?: Look) =>
    browser.openConsole(app.origin, { email: owner.email, password: PASSWORD }, path, look);
  const isFocused = (target: Locator) => target.evaluate((element) => element.matches(':focus'));
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  /** Holds the answers to requests of this kind back until the returned function is called. */
  async function holdAnswers(page: Page, pattern: string, method: string): Promise<() => void> {
    let release = () => {};
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    await page.route(pattern, async (route) => {
      if (route.request().method() === method) await isReleased;
      await route.continue();
    });
    return release;
  }

  it('moves the focus to the title of the page that a link leads to', async () => {
    const page = await openAt('/');
    await page.getByRole('link', { name: 'Campanhas', exact: true }).click();
    const title = page.getByRole('heading', { level: 1, name: 'Campanhas' });
    await title.waitFor();
    await until(() => isFocused(title));
    expect(problemsOf(page)).toEqual([]);
  });

  it('keeps the focus on a button that works, and takes no second press', async () => {
    const { id } = await createAssistant(app, owner);
    const page = await openAt(`/assistants/${id}`);
    await page.getByLabel('Instruções').fill('Você atende a padaria.');
    const save = button(page, 'Salvar');
    const release = await holdAnswers(page, '**/api/user/assistant/**', 'PUT');
    let saved = 0;
    page.on('request', (request) => (saved += Number(request.method() === 'PUT')));
    await save.press('Enter');
    await page.locator('button[data-loading]', { hasText: 'Salvar' }).waitFor();
    expect(await isFocused(save)).toBe(true);
    expect(await save.isDisabled()).toBe(true);
    await page.keyboard.press('Enter');
    expect(await accessibilityFindings(page)).toEqual([]);
    release();
    await page.getByText('Alterações salvas').waitFor();
    expect(await isFocused(save)).toBe(true);
    expect(saved).toBe(1);
  });

  it('saves what was refused for an expired session, once the person has signed in again', async () => {
    const { id } = await createAssistant(app, owner);
    const page = await openAt(`/assistants/${id}`);
    await page.getByLabel('Instruções').fill('Você atende a padaria.');
    await app.query('DELETE FROM sessions WHERE user_id = $1', [owner.userId]);
    await button(page, 'Salvar').click();
    const dialog = page.getByRole('dialog', { name: 'Sua sessão expirou' });
    await dialog.getByLabel('Senha', { exact: true }).fill('uma-senha-errada');
    await button(page, 'Entrar').click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('Senha', { exact: true }).fill(PASSWORD);
    await button(page, 'Entrar').click();
    await page.getByText('Alterações salvas').waitFor();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByText('Não autorizado').count()).toBe(0);
    const { body } = await app.as(owner).get(`/api/user/assistant/${id}`).expect(200);
    expect(body.system_prompt).toBe('Você atende a padaria.');
  });

  it('reaches every choice of the account menu by arrows', async () => {
    const page = await openAt('/');
    await page.getByRole('button', { name: /^Conta: / }).press('Enter');
    const dark = page.getByRole('menuitemradio', { name: 'Escuro' });
    await dark.waitFor();
    for (let step = 0; step < 10 && !(await isFocused(dark)); step++) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor();
    expect(await dark.getAttribute('aria-checked')).toBe('true');
  });

  it('shows times in the zone of the account, whatever the browser has', async () => {
    await app.as(owner).put('/api/user/settings').send({ timezone: 'America/Sao_Paulo' }).expect(200);
    const assistant = await createAssistant(app, owner);
    const uuid = await openConversation(app, assistant, { variables: { name: 'Maria' } }, owner);
    await app.http.post(`/api/conversations/${uuid}/messages`).send({ message: 'Olá' }).expect(200);
    await app.query("UPDATE messages SET created_at = '2026-03-05T09:49:00Z' WHERE content = 'Olá'");
    const page = await openAt(`/inbox?id=${uuid}`, { timeZone: 'Asia/Tokyo' });
    const thread = page.getByRole('log', { name: 'Mensagens' });
    await thread.getByText('06:49').waitFor();
    await thread.getByText('5 de mar.').waitFor();
  });

  it('names in a conversation who has written, and leads to its assistant', async () => {
    const assistant = await createAssistant(app, owner, { name: 'Balcão' });
    const uuid = await openConversation(app, assistant, { variables: { name: 'Maria' } }, owner);
    await app.http.post(`/api/conversations/${uuid}/messages`).send({ message: 'Olá' }).expect(200);
    const member = await addMember(app, owner, { name: 'Rita Prado' });
    const path = `/api/user/conversations/${uuid}/messages`;
    await app.as(member).post(path).send({ message: 'Sou a Rita.' }).expect(201);
    const page = await openAt(`/inbox?id=${uuid}`);
    await page.getByRole('log', { name: 'Mensagens' }).getByText('Rita Prado').waitFor();
    await page.getByRole('complementary').getByRole('link', { name: 'Balcão' }).click();
    await page.getByRole('heading', { level: 1, name: 'Balcão' }).waitFor();
    expect(page.url()).toContain(`/app/assistants/${assistant.id}`);
  });

  it('leads from "Calls today" to the calls of this day', async () => {
    const page = await openAt('/');
    await page.getByRole('link', { name: /Ligações hoje/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Ligações' }).waitFor();
    const { searchParams } = new URL(page.url());
    const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo' }).format(new Date());
    expect(Object.fromEntries(searchParams)).toEqual({ from: today, to: today });
  });

  it('keeps a first step that was done, and leads to the assistant that is tested', async () => {
    const assistant = await createAssistant(app, owner, { name: 'Balcão' });
    const uuid = await openConversation(app, assistant, { variables: {} }, owner);
    await app.as(owner).post(`/api/user/conversations/${uuid}/takeover`).expect(200);
    const page = await openAt('/');
    const step = page.getByRole('listitem').filter({ hasText: 'Responda a um cliente' });
    await step.getByLabel('Concluído').waitFor();
    await app.as(owner).post(`/api/user/conversations/${uuid}/handback`).expect(200);
    await page.reload();
    await step.getByLabel('Concluído').waitFor();
    await page.getByRole('link', { name: 'Testar' }).click();
    await page.getByRole('heading', { level: 1, name: 'Balcão' }).waitFor();
    await page.getByRole('log').getByText('Olá! Como posso ajudar?').waitFor();
  });

  it('opens the test chat of a new assistant on a narrow screen, too', async () => {
    const page = await openAt('/assistants', { width: 900 });
    await page.getByRole('button', { name: 'Novo assistente' }).first().click();
    await page.getByRole('button', { name: 'Criar e testar' }).click();
    await page.getByRole('dialog', { name: 'Chat de teste' }).getByRole('log').waitFor();
  });

  it('creates no assistant before its voices are known', async () => {
    const page = await openAt('/assistants');
    const release = await holdAnswers(page, '**/api/user/assistants/voices*', 'GET');
    await page.getByRole('button', { name: 'Novo assistente' }).first().click();
    const create = button(page, 'Criar e testar');
    await create.waitFor();
    expect(await create.isDisabled()).toBe(true);
    release();
    await until(async () => !(await create.isDisabled()));
  });

  it('says of a campaign what is missing, each with a way to it, and chooses the only number', async () => {
    const assistant = await createOutboundAssistant(app, owner, { name: 'Vendas' });
    const number = await addPhoneNumber(app, owner);
    const id = await createCampaign(app, owner, { assistant_id: assistant });
    const page = await openAt(`/campaigns/${id}`);
    const missing = (name: string) => page.getByRole('listitem').filter({ hasText: name });
    await missing('Número de origem').getByRole('button', { name: 'Escolher' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Fechar' }).click();
    await missing('Contatos enviados').getByRole('button', { name: 'Enviar contatos' }).click();
    await dialog.getByText('Arquivo').first().waitFor();
    await page.goto('/app/campaigns/new');
    const [row] = await app.query<{ phone: string }>(
      'SELECT phone_number AS phone FROM phone_numbers WHERE id = $1',
      [number],
    );
    await page.getByText(row!.phone, { exact: true }).first().waitFor();
    expect(problemsOf(page)).toEqual([]);
  });

  it("calls a number of one's own as the campaign will, with the variables of its first contact", async () => {
    const number = await addPhoneNumber(app, owner);
    await createOutboundAssistant(app, owner, { name: 'Outro', phone_number_id: number });
    const assistant = await createOutboundAssistant(app, owner, {
      name: 'Vendas',
      phone_number_id: number,
      system_prompt: 'Você fala com {{nome}}.',
    });
    const id = await createCampaign(app, owner, { assistant_id: assistant });
    await createLead(app, owner, id, { variables: { nome: 'Ana' } });
    const page = await openAt(`/campaigns/${id}`);
    await page.getByRole('button', { name: 'Ligar para mim primeiro' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Número').fill('+5511987650099');
    expect(await dialog.getByLabel('Assistente').inputValue()).toBe(String(assistant));
    await until(async () => (await dialog.getByLabel('nome').inputValue()) === 'Ana');
    await dialog.getByRole('button', { name: 'Ligar', exact: true }).click();
    await page.waitForURL(/\/app\/calls\/\d+/);
    const [call] = await app.query<{ phone: string; given: unknown; campaign: number | null }>(
      `SELECT client_phone_number AS phone, input_variables AS given, campaign_id AS campaign
       FROM calls WHERE user_id = $1`,
      [owner.userId],
    );
    expect(call).toEqual({ phone: '+5511987650099', given: { nome: 'Ana' }, campaign: null });
    expect(problemsOf(page)).toEqual([]);
  });

  it('proposes more contacts, not another start, for a campaign that is complete', async () => {
    const id = await createCampaign(app, owner);
    await app.query("UPDATE campaigns SET status = 'completed' WHERE id = $1", [id]);
    const page = await openAt(`/campaigns/${id}`);
    const look = (name: string) => button(page, name).first().getAttribute('data-variant');
    await button(page, 'Iniciar').waitFor();
    expect([await look('Enviar contatos'), await look('Iniciar')]).toEqual(['filled', 'default']);
  });

  it('previews the chat of a site in the color that it has there', async () => {
    const { id } = await createAssistant(app, owner, { name: 'Balcão' });
    const page = await openAt(`/assistants/${id}?tab=site`);
    const preview = page.getByRole('img', { name: 'Prévia' });
    await preview.waitFor();
    const color: unknown = await page.evaluate(
      `getComputedStyle(document.querySelector('[role=img][aria-label=Prévia] > div > div')).backgroundColor`,
    );
    const css = await readFile(new URL('../../web/widget/loader/launcher.css', import.meta.url), 'utf8');
    const [, accent = ''] = /--accent: (#[0-9a-f]{6});/.exec(css) ?? [];
    const shades = [1, 3, 5].map((at) => Number.parseInt(accent.slice(at, at + 2), 16));
    expect(color).toBe(`rgb(${shades.join(', ')})`);
  });

  it('counts tests, ended conversations and those with a person', async () => {
    await createAssistant(app, owner);
    const page = await openAt('/analytics');
    await page.getByText(/Com atendente: \d+ · encerradas: \d+ · de teste: \d+/).waitFor();
  });

  const LISTS = [
    'assistants',
    'campaigns',
    'calls',
    'tools',
    'knowledge',
    'webhooks',
    'audit',
    'do-not-call',
    'members',
  ];

  it.each([390, 768, 1_280])(
    'keeps numbers, dates and states of tables in one line, at %i pixels',
    async (width) => {
      const { campaign } = await addConsoleRows(app, owner, ['Ana', 'palavra '.repeat(30), 'x'.repeat(120)]);
      await app.query(
        `INSERT INTO calls (user_id, assistant_name, type, status, client_phone_number, assistant_phone_number)
       SELECT $1, $2, 'outbound', 'completed', '+5511987650011', '+551130000001'`,
        [owner.userId, 'y'.repeat(120)],
      );
      const page = await openAt('/', { width });
      for (const path of [...LISTS, `campaigns/${campaign}`]) {
        await follow(page, `/app/${path}`);
        await page.locator('tbody tr, h2').first().waitFor();
        const broken: unknown = await page.evaluate(BROKEN_CELLS);
        expect({ path, broken, overflow: await overflowOf(page) }).toEqual({ path, broken: [], overflow: 0 });
      }
    },
  );
});
