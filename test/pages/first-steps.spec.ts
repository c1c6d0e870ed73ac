import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type TestAccount, TestApp } from '../support/app.js';
import {
  accessibilityFindings,
  buildPages,
  describeInBrowser,
  overflowOf,
  TestBrowser,
} from '../support/browser.js';
import { createAssistant } from '../support/builders.js';

const PASSWORD = 'correto-cavalo-bateria';

describeInBrowser('The first steps in the console', () => {
  let app: TestApp;
  let browser: TestBrowser;
  let owner: TestAccount;

  beforeAll(async () => {
    await buildPages();
    [app, browser] = await Promise.all([TestApp.start(), TestBrowser.start()]);
    owner = await app.account({ balanceUsd: 25, password: PASSWORD });
  }, 120_000);
  afterEach(() => browser.closeWindows());
  afterAll(async () => {
    await browser.stop();
    await app.stop();
  });

  async function signedIn(language: 'pt' | 'en', width = 1280): Promise<Page> {
    const page = await browser.signIn(app.origin, { email: owner.email, password: PASSWORD }, { width });
    await page.addInitScript(`localStorage.setItem('prosa.language', '${language}')`);
    return page;
  }

  it.each([1280, 375])(
    'say that a demo model answers and lead to the form for a key, %i wide',
    async (width) => {
      const page = await signedIn('en', width);
      await page.goto('/app/keys');
      await page.getByText('You are using the demo model').waitFor();
      expect(await overflowOf(page)).toBe(0);
      expect(await accessibilityFindings(page)).toEqual([]);
      await page.getByRole('link', { name: 'Connect OpenAI, Ollama or another model' }).click();
      await page.waitForURL('**/app/settings#chat-model');
      await page.locator('#chat-model').getByLabel('Key', { exact: false }).first().waitFor();
    },
  );

  it('tell a reader of English why something was refused', async () => {
    const assistant = await createAssistant(app, owner, { type: 'outbound' });
    const { body } = await app
      .as(owner)
      .post('/api/user/campaign')
      .send({ name: 'Spring', assistant_id: assistant.id })
      .expect(201);
    const page = await signedIn('en');
    await page.goto(`/app/campaigns`);
    const refused = await page.evaluate(async (id) => {
      const response = await fetch('/api/user/campaigns/update-status', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Prosa-Language': 'en' },
        body: JSON.stringify({ campaign_id: id, action: 'start' }),
      });
      return ((await response.json()) as { message: string }).message;
    }, body.data.id as number);
    expect(refused).toBe('Neither the campaign nor its assistant has a phone number. Add one first');
    await page.goto('/app/keys');
    await page.getByRole('button', { name: 'Create key' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill(' ');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('The name field is required.').waitFor();
  });

  it.each([
    ['tools.not_found', 'Ferramenta não encontrada'],
    ['tools.limit?limit=1', 'Você atingiu o limite de 1 ferramenta do seu plano'],
    ['appointments.full', 'The words of a plugin'],
  ])('show the reason that the server names by %s in the language of the page', async (reason, words) => {
    const page = await signedIn('pt');
    await page.route('**/api/user/knowledgebases', (route) =>
      route.fulfill({
        status: 422,
        headers: { 'X-Prosa-Error': reason },
        json: { error: 'The words of a plugin' },
      }),
    );
    await page.goto('/app/knowledge');
    await page.getByRole('alert').getByText(words).waitFor();
  });

  it('ask before a number is rented, with its price and the balance', async () => {
    const page = await signedIn('en');
    await page.goto('/app/numbers');
    await page.getByRole('button', { name: 'Rent a number' }).first().click();
    const offers = page.getByRole('dialog', { name: 'Rent a number' });
    await offers.getByRole('button', { name: 'Search' }).click();
    await offers
      .getByRole('button', { name: /^Rent \+/ })
      .first()
      .click();
    const question = page.getByRole('dialog', { name: /^Rent \+/ });
    await question.getByText(/\$\d+\.\d\d for the first month is charged to your balance now/).waitFor();
    await question.getByText('Your balance: $25.00').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect((await app.as(owner).get('/api/user/phone-numbers/all').expect(200)).body.data).toEqual([]);

    await offers
      .getByRole('button', { name: /^Rent \+/ })
      .first()
      .click();
    await question.getByRole('button', { name: 'Rent', exact: true }).click();
    await page.getByText('Number rented').waitFor();
    expect((await app.as(owner).get('/api/user/phone-numbers/all').expect(200)).body.data).toHaveLength(1);
  });

  it('keep a secret that is shown once open until it was copied', async () => {
    const page = await signedIn('en');
    await page.goto('/app/keys');
    await page.getByRole('button', { name: 'Create key' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('CRM');
    await dialog.getByRole('button', { name: 'Create' }).click();
    const done = dialog.getByRole('button', { name: 'Done' });
    await done.waitFor();
    expect(await done.isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await dialog.locator('code').waitFor();
    await dialog.getByRole('button', { name: 'Copy' }).click();
    await done.click();
    await dialog.waitFor({ state: 'hidden' });
  });

  it('say that a text was not copied where the browser does not let pages copy', async () => {
    const page = await signedIn('en');
    await page.addInitScript(`
      Object.defineProperty(navigator, 'clipboard', { value: undefined });
      document.execCommand = () => false;`);
    await page.goto('/app/keys');
    await page.getByRole('button', { name: 'Create key' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('ERP');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByRole('button', { name: 'Copy' }).click();
    await dialog.getByRole('alert').filter({ hasText: "Your browser couldn't copy this" }).waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'hidden' });
  });

  it('show no box for words on the talk page before there is a call', async () => {
    const { uuid } = await createAssistant(app, owner);
    const page = await browser.open(app.origin);
    await page.goto(`/talk/${uuid}`);
    await page.locator('#talk').waitFor();
    for (const id of ['typed', 'mute', 'hangup']) {
      expect([id, await page.locator(`#${id}`).isVisible()]).toEqual([id, false]);
    }
  });

  it('say on the talk page that a challenge takes a secure page', async () => {
    const { uuid } = await createAssistant(app, owner, { challenge_required: true });
    const page = await browser.open(app.origin);
    await page.addInitScript("Object.defineProperty(crypto, 'subtle', { value: undefined });");
    // This server has no voice.
    await page.route('**/api/web-calls', (route) => route.fulfill({ status: 403, json: { error: 'no' } }));
    await page.goto(`/talk/${uuid}`);
    await page.locator('#talk').click();
    await page.locator('#problem').getByText('só pode ser chamado de uma página segura').waitFor();
  });

  it.each([
    ['pt-BR', 'Não foi possível iniciar a ligação. Assistente não encontrado'],
    ['en-US', "The call couldn't be started. Assistant not found"],
  ] as const)(
    'say on the talk page, in the language of the visitor (%s), that there is no assistant',
    async (locale, words) => {
      const page = await browser.open(app.origin, { locale });
      await page.goto('/talk/3b0f7a52-6d0e-4a43-9a58-0f5a3c1d2e4f');
      await page.locator('#talk').click();
      await page.locator('#problem').getByText(words).waitFor();
    },
  );
});
