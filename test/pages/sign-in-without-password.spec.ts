import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type TestAccount, TestApp } from '../support/app.js';
import {
  accessibilityFindings,
  buildPages,
  describeInBrowser,
  problemsOf,
  TestBrowser,
} from '../support/browser.js';
import { freePort } from '../support/free-port.js';
import { CLIENT, IdentityProvider } from '../support/identity-provider.js';
import { MailServer } from '../support/mail-server.js';
import { until } from '../support/until.js';

const PASSWORD = 'correto-cavalo-bateria';
const EMAIL = 'dona@example.com';

describeInBrowser('The sign-in page, with an identity provider and a mail server', () => {
  let app: TestApp;
  let browser: TestBrowser;
  let identity: IdentityProvider;
  let mails: MailServer;
  let owner: TestAccount;

  beforeAll(async () => {
    await buildPages();
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    [identity, mails, browser] = await Promise.all([
      IdentityProvider.start(`${origin}/api/auth/oidc/callback`),
      MailServer.start(),
      TestBrowser.start(),
    ]);
    app = await TestApp.start({
      PORT: String(port),
      PROSA_ROLES: 'api,worker',
      PUBLIC_URL: origin,
      OIDC_ISSUER: identity.issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
      OIDC_ACCOUNT: EMAIL,
      OIDC_ROLES: 'groups:admins=owner,groups:support=operator',
      OIDC_SCOPES: 'openid email profile groups',
      SMTP_URL: mails.url,
      SMTP_FROM: 'prosa@example.com',
    });
    owner = await app.account({ email: EMAIL, password: PASSWORD });
  }, 120_000);
  afterEach(() => browser.closeWindows());
  afterAll(async () => {
    await Promise.all([browser.stop(), app.stop(), mails.stop()]);
    await identity.stop();
  });

  async function signInPage(): Promise<Page> {
    const page = await browser.open(app.origin);
    await page.goto('/app/sign-in');
    return page;
  }

  it('lets a person of the company in, who becomes a member', async () => {
    identity.expect('bia', {
      groups: ['support'],
      email: 'bia@example.com',
      email_verified: true,
      name: 'Bia Reis',
    });
    const page = await signInPage();
    await page.getByRole('link', { name: 'Entrar com a sua empresa' }).click();
    await page.getByRole('button', { name: 'Conta: Bia Reis' }).waitFor();
    expect(problemsOf(page)).toEqual([]);
  });

  it('lets a person without a password continue after the session has expired, with what was typed', async () => {
    const claims = { email: 'bia@example.com', email_verified: true, name: 'Bia Reis' };
    identity.expect('bia', { groups: ['admins'], ...claims });
    const page = await signInPage();
    await page.getByRole('link', { name: 'Entrar com a sua empresa' }).click();
    await page.getByRole('button', { name: 'Conta: Bia Reis' }).waitFor();
    await page.goto('/app/assistants');
    await page.getByRole('button', { name: 'Novo assistente' }).first().click();
    await page.getByLabel('Nome', { exact: true }).fill('Padaria da Bia');
    await app.query('DELETE FROM sessions');
    await page.getByRole('button', { name: 'Criar e testar' }).click();

    const dialog = page.getByRole('dialog', { name: 'Sua sessão expirou' });
    await dialog.getByRole('button', { name: 'Continuar' }).click();
    await dialog.getByText('Você ainda não entrou.').waitFor();
    const [other] = await Promise.all([
      page.context().waitForEvent('page'),
      dialog.getByRole('link', { name: 'Entrar com a sua empresa' }).click(),
    ]);
    await other.getByRole('button', { name: 'Conta: Bia Reis' }).waitFor();
    await dialog.getByRole('button', { name: 'Continuar' }).click();
    await page.getByRole('heading', { level: 1, name: 'Padaria da Bia' }).waitFor();
    await dialog.waitFor({ state: 'hidden' });
  });

  it('asks once for the password of an e-mail that has access already', async () => {
    identity.expect('dona', { groups: ['admins'], email: EMAIL, email_verified: true });
    const page = await signInPage();
    await page.getByRole('link', { name: 'Entrar com a sua empresa' }).click();
    await page.getByRole('heading', { name: 'Confirme que é você' }).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByLabel('Senha', { exact: true }).fill('errada-de-todo');
    await page.getByRole('button', { name: 'Vincular e entrar' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Senha', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Vincular e entrar' }).click();
    await page.getByRole('button', { name: /^Conta: / }).waitFor();

    const again = await signInPage();
    await again.getByRole('link', { name: 'Entrar com a sua empresa' }).click();
    await again.getByRole('button', { name: /^Conta: / }).waitFor();
  });

  it('sends a link for a new password, and lets in with it', async () => {
    const page = await signInPage();
    await page.getByRole('link', { name: 'Esqueceu a senha?' }).click();
    await page.getByRole('heading', { name: 'Redefinir a senha' }).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByLabel('E-mail').fill(owner.email);
    await page.getByRole('button', { name: 'Enviar link' }).click();
    await page.getByText(/o link chegará em instantes/).waitFor();
    await until(() => mails.mails.some(({ to }) => to.includes(EMAIL)));
    const [link = ''] = /http:\S+\/app\/password#\w+/.exec(mails.textTo(EMAIL)) ?? [];

    const own = await browser.open(app.origin);
    await own.goto(link);
    await own.getByLabel('Nova senha').fill('outra-senha-segura');
    await own.getByRole('button', { name: 'Salvar e entrar' }).click();
    await own.getByRole('button', { name: /^Conta: / }).waitFor();
    expect(problemsOf(own)).toEqual([]);
  });
});
