import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
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
import { askFakes } from '../support/twilio/ask-fakes.js';
import { FakeTwilio } from '../support/twilio/fake-twilio.js';

const PASSWORD = 'correto-cavalo-bateria';
const OWN_SID = `AC${'b'.repeat(32)}`;
const TOKEN = 'own-token-91d4';

describeInBrowser('The numbers of an account', () => {
  let app: TestApp;
  let browser: TestBrowser;
  let owner: TestAccount;
  let own: FakeTwilio;

  beforeAll(async () => {
    await buildPages();
    own = await FakeTwilio.start([], OWN_SID);
    own.authToken = TOKEN;
    [app, browser] = await Promise.all([
      TestApp.start({ PUBLIC_URL: 'https://prosa.example', EGRESS_ALLOW_CIDRS: '127.0.0.0/8' }),
      TestBrowser.start(),
    ]);
    askFakes(app, [own]);
    owner = await app.account({ balanceUsd: 25, password: PASSWORD });
    await app
      .as(owner)
      .put('/api/user/carrier-accounts/twilio')
      .send({ account_sid: OWN_SID, auth_token: TOKEN })
      .expect(200);
  }, 240_000);
  afterEach(() => browser.closeWindows());
  afterAll(async () => {
    jest.restoreAllMocks();
    await browser.stop();
    await Promise.all([app.stop(), own.stop()]);
  });

  /** The dialog in which numbers are brought over. */
  async function openAdoption(width?: number) {
    const page = await browser.signIn(
      app.origin,
      { email: owner.email, password: PASSWORD },
      width === undefined ? {} : { width },
    );
    await page.goto('/app/numbers');
    await page.getByRole('button', { name: 'Conta do Twilio' }).first().click();
    await page.getByRole('button', { name: 'Importar números' }).click();
    return { page, dialog: page.getByRole('dialog', { name: 'Importar números do Twilio' }) };
  }

  it.each([1280, 375])(
    'are brought from its own account at Twilio, %i wide',
    async (width) => {
      own.numbers.own.length = 0;
      const name = `Balcão ${width}`;
      const number = own.numbers.rentInConsole(`+1212555${String(width).padStart(4, '0')}`, {
        friendly_name: name,
      });
      own.numbers.rentInConsole('+12125559999', { trunk_sid: `TK${'1'.repeat(32)}` });
      const { page, dialog } = await openAdoption(width);
      await dialog.getByText(name).waitFor();
      await dialog.getByText('Em uso no Twilio').waitFor();
      const findings = await accessibilityFindings(page);
      await setScheme(page, 'dark');
      findings.push(...(await accessibilityFindings(page, ['color-contrast'])));
      expect(findings).toEqual([]);
      expect(await overflowOf(page)).toBe(0);

      await dialog.getByRole('button', { name: /^Importar \+1/ }).click();
      await page.getByText('Número importado').waitFor();
      await dialog.getByText(name).waitFor({ state: 'detached' });
      await dialog.getByRole('button', { name: 'Fechar' }).click();
      await page.getByRole('cell', { name: number.phone_number }).first().waitFor();
      expect(own.numbers.own[0]?.voice_url).toContain('/twilio/accounts/');
      expect(problemsOf(page)).toEqual([]);
    },
    120_000,
  );

  it('are replaced by an error with its remedy when Twilio refuses the credentials', async () => {
    own.numbers.rentInConsole('+12125550001');
    own.authToken = 'changed-there';
    const { dialog } = await openAdoption();
    await dialog.getByRole('alert').waitFor();
    expect(await dialog.getByRole('alert').textContent()).toContain(
      'O Twilio recusou as credenciais da sua conta.',
    );
    own.authToken = TOKEN;
  }, 120_000);
});

describeInBrowser('Numbers that an account proves', () => {
  let app: TestApp;
  let browser: TestBrowser;
  let owner: TestAccount;

  beforeAll(async () => {
    await buildPages();
    [app, browser] = await Promise.all([
      TestApp.start({ PROSA_ROLES: 'api,worker', SANDBOX_SPEED: '200' }),
      TestBrowser.start(),
    ]);
    owner = await app.account({ balanceUsd: 5, password: PASSWORD });
  }, 240_000);
  afterEach(() => browser.closeWindows());
  afterAll(async () => {
    await browser.stop();
    await app.stop();
  });

  it('are proven by the code that is spoken, by keyboard alone, and deleted again', async () => {
    const page = await browser.signIn(app.origin, { email: owner.email, password: PASSWORD });
    await page.goto('/app/numbers');
    await page.getByRole('button', { name: 'Verificar número' }).first().focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Verificar um número' });
    await dialog.getByLabel('Número').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.keyboard.type('+5511987650000');
    await page.keyboard.press('Enter');
    const code = dialog.getByRole('textbox', { name: 'Código' });
    await code.waitFor({ timeout: 60_000 });
    expect(await accessibilityFindings(page)).toEqual([]);
    expect(await overflowOf(page)).toBe(0);
    const words = (await dialog.getByText(/O código é/).textContent()) ?? '';
    const digits = (/: ((?:\d ){5}\d)/.exec(words)?.[1] ?? '').replaceAll(' ', '');
    const wrong = String((Number(digits) + 1) % 1_000_000).padStart(6, '0');
    await page.keyboard.type(wrong);
    await page.keyboard.press('Enter');
    await dialog.getByText('Código incorreto. Tentativas restantes: 4').waitFor();
    await code.fill('');
    await code.focus();
    await page.keyboard.type(digits);
    await page.keyboard.press('Enter');
    await page.getByText('Número verificado').waitFor();
    const row = page.getByRole('row', { name: /\+5511987650000/ });
    await row.getByText('Identificador de chamadas').waitFor();
    await row.getByText('Verificado').waitFor();

    await row.getByRole('button', { name: 'Excluir +5511987650000' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Excluir número' }).click();
    await row.waitFor({ state: 'detached' });
    const { body } = await app.as(owner).get('/api/user/phone-numbers/verified').expect(200);
    expect(body.data).toEqual([]);
    // The refusal of the wrong code is all there is to say.
    expect(problemsOf(page).filter((problem) => !problem.includes('400'))).toEqual([]);
  }, 120_000);
});
