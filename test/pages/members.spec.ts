import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { Database } from '../../src/database/database.js';
import { PasswordLinksService } from '../../src/modules/auth/password-links/password-links.service.js';
import { type TestAccount, TestApp } from '../support/app.js';
import {
  accessibilityFindings,
  buildPages,
  describeInBrowser,
  overflowOf,
  problemsOf,
  setScheme,
  TestBrowser,
} from '../support/browser.js';
import { addMember, createAssistant, openConversation } from '../support/builders.js';
import { addCall } from '../support/call-rows.js';
import { addPhoneNumber } from '../support/campaign-builders.js';
import { addConsoleRows, type ConsoleRows } from '../support/console-rows.js';

const PASSWORD = 'correto-cavalo-bateria';
/** How the buttons are called by which something is changed. */
const CHANGES =
  /^(Adicionar|Alugar|Assumir|Ativar|Conectar|Convidar|Criar|Desativar|Desligar|Devolver|Editar|Encerrar|Enviar|Escolher|Excluir|Iniciar|Nov[ao] |Pausar|Permitir|Proibir|Remover|Salvar|Trocar)/;

describeInBrowser('The console for people who work in an account', () => {
  let app: TestApp;
  let browser: TestBrowser;
  let owner: TestAccount;
  let rows: ConsoleRows;
  /** Each page with something on it that only some may change, and the scope that it takes. */
  let pages: readonly (readonly [path: string, scope: 'chat' | 'calls' | 'campaigns' | 'admin'])[];

  beforeAll(async () => {
    await buildPages();
    [app, browser] = await Promise.all([TestApp.start(), TestBrowser.start()]);
    owner = await app.account({ balanceUsd: 25, password: PASSWORD });
    const phone = await addPhoneNumber(app, owner);
    const assistant = await createAssistant(app, owner, { phone_number_id: phone });
    rows = await addConsoleRows(app, owner, ['Renovação']);
    const uuid = await openConversation(app, assistant, {}, owner);
    await app.http.post(`/api/conversations/${uuid}/messages`).send({ message: 'Olá' }).expect(200);
    const call = await addCall(app.app.get(Database), owner.userId);
    pages = [
      [`/inbox?id=${uuid}`, 'chat'],
      [`/calls?call=${call}`, 'calls'],
      ['/campaigns', 'campaigns'],
      [`/campaigns/${rows.campaign}`, 'campaigns'],
      [`/campaigns/${rows.campaign}?lead=${rows.lead}`, 'campaigns'],
      ['/assistants', 'admin'],
      [`/assistants/${assistant.id}`, 'admin'],
      ['/tools', 'admin'],
      [`/tools/${rows.tool}`, 'admin'],
      ['/knowledge', 'admin'],
      [`/knowledge/${rows.knowledgebase}`, 'admin'],
      ['/numbers', 'admin'],
      ['/webhooks', 'admin'],
      [`/webhooks?delivery=${rows.delivery}`, 'admin'],
      ['/mcp-servers', 'admin'],
      [`/mcp-servers/${rows.mcpServer}`, 'admin'],
      ['/billing', 'admin'],
    ];
  }, 240_000);
  afterEach(() => browser.closeWindows());
  afterAll(async () => {
    await browser.stop();
    await app.stop();
  });

  async function signedIn(email: string): Promise<Page> {
    const page = await browser.signIn(app.origin, { email, password: PASSWORD });
    return page;
  }

  it('lets an owner invite a person by a link, who joins with it, gets another role and is removed', async () => {
    const page = await signedIn(owner.email);
    await page.goto('/app/members');
    await page.getByRole('heading', { name: 'Só você por enquanto' }).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Convidar' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('E-mail').fill('nova@example.com');
    await dialog.getByLabel('Função').first().click();
    await page.getByRole('option', { name: 'Visualizador' }).click();
    await dialog.getByRole('button', { name: 'Criar convite' }).click();
    await dialog.getByRole('button', { name: 'Concluir' }).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    const link = await dialog.locator('code').innerText();
    expect(link).toMatch(new RegExp(`^${app.origin}/app/join#prosa_inv_\\w{36}$`));
    await dialog.getByRole('button', { name: 'Copiar' }).click();
    await dialog.getByRole('button', { name: 'Concluir' }).click();
    await page.getByRole('cell', { name: 'nova@example.com', exact: true }).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);

    const newcomer = await browser.open(app.origin);
    await newcomer.goto(link);
    await newcomer.getByLabel('Seu nome').fill('Nova Pessoa');
    await newcomer.getByLabel('Senha', { exact: true }).fill('password');
    await newcomer.getByRole('button', { name: 'Entrar na conta' }).click();
    await newcomer.getByText(/senha é muito comum/).waitFor();
    expect(await accessibilityFindings(newcomer)).toEqual([]);
    await setScheme(newcomer, 'dark');
    expect(await accessibilityFindings(newcomer, ['color-contrast'])).toEqual([]);
    await newcomer.getByLabel('Senha', { exact: true }).fill(PASSWORD);
    await newcomer.getByRole('button', { name: 'Entrar na conta' }).click();
    await newcomer.getByRole('button', { name: /Conta: Nova Pessoa/ }).waitFor();
    expect(await newcomer.getByRole('link', { name: 'Membros' }).count()).toBe(0);
    // One session, that of the cookie.
    const { sessions } = await (await newcomer.request.get('/api/auth/sessions')).json();
    expect(sessions).toMatchObject([{ current: true }]);

    await page.reload();
    await page.getByRole('cell', { name: 'Nova Pessoa', exact: true }).waitFor();
    await page.getByLabel('Função de Nova Pessoa').first().click();
    await page.getByRole('option', { name: 'Operador' }).click();
    await page.getByText('A função de Nova Pessoa foi alterada.').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    const rights = await newcomer.request.get('/api/auth/session');
    expect((await rights.json()).scopes).toEqual(['read', 'chat', 'calls', 'campaigns']);

    await page.getByRole('button', { name: 'Remover Nova Pessoa' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remover' }).click();
    await page.getByRole('heading', { name: 'Só você por enquanto' }).waitFor();
    expect((await newcomer.request.get('/api/user/me')).status()).toBe(401);
    expect([...problemsOf(page), ...problemsOf(newcomer)]).toEqual([]);
  }, 240_000);

  it('says that a link is not complete, or was used', async () => {
    const page = await browser.open(app.origin);
    await page.goto('/app/join');
    await page.getByText('O link está incompleto.').waitFor();
    await page.goto('/app/join#prosa_inv_no');
    await page.reload();
    await page.getByLabel('Seu nome').fill('Ninguém');
    await page.getByLabel('Senha', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Entrar na conta' }).click();
    await page.getByText('Convite não encontrado, já usado ou expirado').waitFor();
  });

  it('lets an owner make a link by which a member who has forgotten the password sets a new one', async () => {
    const { email } = await addMember(app, owner, { password: PASSWORD });
    const { body } = await app.as(owner).get('/api/user/members').expect(200);
    const { id } = body.members.find((member: { email: string }) => member.email === email);
    await app.query("UPDATE members SET name = 'Rita Lima' WHERE id = $1", [id]);
    const elsewhere = await signedIn(email);
    const page = await signedIn(owner.email);
    await page.goto('/app/members');
    await page.getByRole('button', { name: 'Link de redefinição de senha para Rita Lima' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/Rita Lima pode usar o link/).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Criar link' }).click();
    await dialog.getByRole('button', { name: 'Concluir' }).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    const link = await dialog.locator('code').innerText();
    expect(link).toMatch(new RegExp(`^${app.origin}/app/password#prosa_reset_\\w{36}$`));
    await dialog.getByRole('button', { name: 'Copiar' }).click();
    await dialog.getByRole('button', { name: 'Concluir' }).click();

    const forgetful = await browser.open(app.origin);
    const asked: string[] = [];
    forgetful.on('request', (request) => asked.push(request.url()));
    await forgetful.goto('/app/sign-in');
    await forgetful.getByText(/Peça um link a um proprietário da conta/).waitFor();
    await forgetful.goto(link);
    await forgetful.getByLabel('Nova senha', { exact: true }).fill('password');
    await forgetful.getByRole('button', { name: 'Salvar e entrar' }).click();
    await forgetful.getByText(/senha é muito comum/).waitFor();
    expect(await accessibilityFindings(forgetful)).toEqual([]);
    await setScheme(forgetful, 'dark');
    expect(await accessibilityFindings(forgetful, ['color-contrast'])).toEqual([]);
    await forgetful.getByLabel('Nova senha', { exact: true }).fill(`${PASSWORD}-2`);
    await forgetful.getByRole('button', { name: 'Salvar e entrar' }).click();
    await forgetful.getByRole('button', { name: /Conta: Rita Lima/ }).waitFor();
    expect(asked.filter((url) => url.includes('prosa_reset_') && !url.includes('#'))).toEqual([]);
    const { sessions } = await (await forgetful.request.get('/api/auth/sessions')).json();
    expect(sessions).toMatchObject([{ current: true }]);
    expect((await elsewhere.request.get('/api/user/me')).status()).toBe(401);

    await forgetful.goto('/app/password');
    await forgetful.getByText('O link está incompleto.').waitFor();
    await forgetful.goto(link);
    await forgetful.reload();
    await forgetful.getByLabel('Nova senha', { exact: true }).fill(`${PASSWORD}-3`);
    await forgetful.getByRole('button', { name: 'Salvar e entrar' }).click();
    await forgetful.getByText('Link de senha não encontrado, já usado ou expirado').waitFor();
    await page.goto('/app/audit');
    const log = page.getByRole('region', { name: 'Auditoria' });
    await log.getByText('Criou um link de redefinição de senha').waitFor();
    await log.getByText('Definiu uma nova senha por um link').first().waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Exportar' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('audit-log.csv');
    const csv = await readFile(await download.path(), 'utf8');
    expect(csv).toMatch(/"createPasswordLink","\d{3}","session"/);
    await page.goto('/app/audit?action=resetPassword');
    await log.getByText('Definiu uma nova senha por um link').first().waitFor();
    const [filtered] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Exportar' }).click(),
    ]);
    const rows = (await readFile(await filtered.path(), 'utf8')).trimEnd().split('\r\n').slice(1);
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(row).toContain('"resetPassword","200","session"');
    expect(await overflowOf(forgetful)).toBe(0);
    expect(problemsOf(page)).toEqual([]);
  }, 120_000);

  it('signs the owner in by a link of the operator, once', async () => {
    const links = app.app.get(PasswordLinksService, { strict: false });
    const { token } = await links.makeSignIn({ userId: owner.userId, memberId: null });
    const page = await browser.open(app.origin);
    await page.goto(`/app/enter#${token}`);
    await page.getByRole('heading', { name: 'Entrar pelo link' }).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Entrar' }).click();
    await page.getByRole('button', { name: /^Conta: / }).waitFor();
    expect(problemsOf(page)).toEqual([]);

    const again = await browser.open(app.origin);
    await again.goto(`/app/enter#${token}`);
    await again.getByRole('button', { name: 'Entrar' }).click();
    await again.getByRole('alert').waitFor();
    expect((await again.request.get('/api/user/me')).status()).toBe(401);
  });

  it.each([
    ['owner', ['chat', 'calls', 'campaigns', 'admin']],
    ['operator', ['chat', 'calls', 'campaigns']],
    ['viewer', []],
  ])(
    'offers what the role allows, and asks for nothing else: %s',
    async (role, scopes) => {
      const { email } = await addMember(app, owner, { role, password: PASSWORD });
      const page = await signedIn(email);
      const refused: string[] = [];
      page.on('response', (response) => {
        if (response.status() === 403) refused.push(response.url());
      });
      await page.goto('/app');
      await page.getByRole('heading', { level: 1 }).waitFor();
      const found: Record<string, string[]> = {};
      for (const [path] of pages) {
        await page.goto(`/app${path}`);
        await page
          .locator(path.includes('=') ? '[role=dialog] [class], [role=log]' : 'h1')
          .first()
          .waitFor();
        await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
        const names = await page
          .locator('main button:enabled:not(aside *), [role=dialog] button:enabled')
          .evaluateAll((buttons) =>
            buttons.map((button) => button.getAttribute('aria-label') ?? button.textContent ?? ''),
          );
        const links = await page.locator('main a').allInnerTexts();
        found[path] = [...names, ...links].filter((name) => CHANGES.test(name));
      }
      const wrong = pages.filter(
        ([path, scope]) => (found[path]?.length ?? 0) > 0 !== scopes.includes(scope),
      );
      expect(wrong.map(([path]) => [path, found[path]])).toEqual([]);
      expect(refused).toEqual([]);
      expect(problemsOf(page)).toEqual([]);
      for (const path of ['/members', '/keys', '/tools/new', '/audit', '/privacy']) {
        await page.goto(`/app${path}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        expect(new URL(page.url()).pathname.replace(/\/$/, '')).toBe(
          role === 'owner' ? `/app${path}` : '/app',
        );
      }
    },
    240_000,
  );

  it('makes a key of scopes, with an end and pages, and shows what it may do', async () => {
    const page = await signedIn(owner.email);
    await page.goto('/app/keys');
    await page.getByRole('button', { name: 'Criar chave' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Nome da chave').fill('Relatório');
    await dialog.getByLabel('Permissões').first().click();
    await page.getByRole('option', { name: 'Restrita' }).click();
    await dialog.getByLabel('Ligações').check();
    await dialog.getByLabel('Origens permitidas').first().fill('https://www.loja.com.br');
    await dialog.getByLabel('Expira em').fill('2099-12-31');
    expect(await accessibilityFindings(page)).toEqual([]);
    await setScheme(page, 'dark');
    expect(await accessibilityFindings(page, ['color-contrast'])).toEqual([]);
    await setScheme(page, 'light');
    await dialog.getByRole('button', { name: 'Criar', exact: true }).click();
    await dialog.getByRole('button', { name: 'Copiar' }).click();
    await dialog.getByRole('button', { name: 'Concluir' }).click();
    const row = page.getByRole('row', { name: /Relatório/ });
    await row.getByText('Leitura').waitFor();
    await row.getByText('Ligações').waitFor();
    await row.getByText('Só em https://www.loja.com.br').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    const { body } = await app.as(owner).get('/api/user/api-keys').expect(200);
    const key = body.api_keys.find(({ name }: { name: string }) => name === 'Relatório');
    expect(key).toMatchObject({ scopes: ['read', 'calls'], allowed_origins: ['https://www.loja.com.br'] });
    // The last moment of the day where the reader is.
    expect(Date.parse(key.expires_at)).toBe(await page.evaluate("new Date('2099-12-31T23:59:59').getTime()"));
    expect(await overflowOf(page)).toBe(0);
    expect(problemsOf(page)).toEqual([]);
  }, 60_000);
});
