import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type TestAccount, TestApp } from '../support/app.js';
import {
  accessibilityFindings,
  buildPages,
  describeInBrowser,
  overflowOf,
  problemsOf,
  TestBrowser,
} from '../support/browser.js';
import { addPhoneNumber, createOutboundAssistant, phoneNumber } from '../support/campaign-builders.js';
import { CountedWalk } from '../support/counted-walk.js';
import { until } from '../support/until.js';

const PASSWORD = 'correto-cavalo-bateria';
const LEAD = phoneNumber(77);
const OWN_PHONE = phoneNumber(78);

type Language = 'pt' | 'en';
interface Words {
  readonly newAssistant: string;
  readonly support: RegExp;
  readonly create: string;
  readonly message: string;
  readonly newCampaign: string;
  readonly campaignName: string;
  readonly next: string;
  readonly createCampaign: string;
  readonly chooseFile: string;
  readonly importContacts: string;
  readonly startCalling: string;
  readonly rentNumber: string;
  readonly rentOne: RegExp;
  readonly rent: string;
  readonly rented: string;
  readonly callMe: string;
  readonly number: string;
  readonly call: string;
}

const WORDS: Readonly<Record<Language, Words>> = {
  pt: {
    newAssistant: 'Novo assistente',
    support: /^Suporte/,
    create: 'Criar e testar',
    message: 'Mensagem',
    newCampaign: 'Nova campanha',
    campaignName: 'Nome',
    next: 'Continuar',
    createCampaign: 'Criar campanha',
    chooseFile: 'Escolher arquivo',
    importContacts: 'Importar',
    startCalling: 'Começar a ligar',
    rentNumber: 'Alugar número',
    rentOne: /^Alugar \+/,
    rent: 'Alugar',
    rented: 'Número alugado',
    callMe: 'Ligar para mim',
    number: 'Número',
    call: 'Ligar',
  },
  en: {
    newAssistant: 'New assistant',
    support: /^Support/,
    create: 'Create and test',
    message: 'Message',
    newCampaign: 'New campaign',
    campaignName: 'Name',
    next: 'Continue',
    createCampaign: 'Create campaign',
    chooseFile: 'Choose a file',
    importContacts: 'Import',
    startCalling: 'Start calling',
    rentNumber: 'Rent a number',
    rentOne: /^Rent \+/,
    rent: 'Rent',
    rented: 'Number rented',
    callMe: 'Call my phone',
    number: 'Number',
    call: 'Call',
  },
};

/** How many presses each may take from the page after the sign-in. */
const MOST = { answer: 4, campaign: 8, number: 4, phone: 3 } as const;

describeInBrowser('The ways that people go most often', () => {
  let app: TestApp;
  let browser: TestBrowser;
  let dataDir: string;
  const figures: string[] = [];

  beforeAll(async () => {
    await buildPages();
    dataDir = await mkdtemp(join(tmpdir(), 'prosa-pages-'));
    [app, browser] = await Promise.all([
      TestApp.start({ PROSA_ROLES: 'api,worker', SANDBOX_SPEED: '200', DATA_DIR: dataDir }),
      TestBrowser.start(),
    ]);
  }, 240_000);
  afterEach(() => browser.closeWindows());
  afterAll(async () => {
    process.stdout.write(['Presses and seconds from the start page:', ...figures, ''].join('\n'));
    await browser.stop();
    await app.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it.each([
    [1280, 'pt', 'pointer'],
    [768, 'en', 'pointer'],
    [390, 'pt', 'pointer'],
    [1280, 'en', 'keyboard'],
    [768, 'pt', 'keyboard'],
    [390, 'en', 'keyboard'],
  ] as const)(
    'are short, %i wide, in %s, by %s',
    async (width, language, input) => {
      const t = WORDS[language];
      const owner = await app.account({ balanceUsd: 100, password: PASSWORD });
      const page = await browser.openConsole(app.origin, { email: owner.email, password: PASSWORD }, '/', {
        width,
        locale: language === 'pt' ? 'pt-BR' : 'en-US',
      });
      const taken = async (way: keyof typeof MOST, go: (walk: CountedWalk) => Promise<void>) => {
        await page.goto('/app');
        await page.getByRole('link', { name: t.newAssistant }).waitFor();
        const walk = new CountedWalk(page, input);
        await go(walk);
        const { count, seconds } = walk;
        figures.push(
          `${way}: ${count} presses, ${seconds.toFixed(1)} s (${width} px, ${language}, ${input})`,
        );
        expect({ way, isShort: count <= MOST[way], count }).toEqual({ way, isShort: true, count });
        await looksRight(page);
      };
      await page.getByRole('link', { name: t.newAssistant }).waitFor();
      await looksRight(page);
      await taken('answer', (walk) => toFirstAnswer(walk, t));
      await taken('number', (walk) => toAnsweringNumber(walk, t, owner));
      await addCaller(owner);
      await taken('campaign', (walk) => toFirstCallOfSpreadsheet(walk, t, owner));
      await taken('phone', (walk) => toCallOfOwnPhone(walk, t, owner));
      expect(problemsOf(page)).toEqual([]);
    },
    180_000,
  );

  async function toFirstAnswer(walk: CountedWalk, t: Words): Promise<void> {
    const { page } = walk;
    await walk.press(page.getByRole('link', { name: t.newAssistant }));
    const dialog = page.getByRole('dialog');
    // Another template than the first one, which is chosen already.
    await walk.press(dialog.getByRole('button', { name: t.support }));
    await walk.press(dialog.getByRole('button', { name: t.create }));
    const log = page.getByRole('log');
    await log.waitFor();
    await until(async () => (await log.innerText()).trim() !== '');
    const greeting = await log.innerText();
    await walk.typeInto(page.getByLabel(t.message, { exact: true }), 'Oi');
    await page.keyboard.press('Enter');
    await until(
      async () => (await log.innerText()).replace(greeting, '').replace('Oi', '').trim().length > 3,
    );
  }

  async function toAnsweringNumber(walk: CountedWalk, t: Words, owner: TestAccount): Promise<void> {
    const { page } = walk;
    await walk.press(page.getByRole('link', { name: t.rentNumber }));
    await walk.press(page.getByRole('button', { name: t.rentOne }).first());
    await walk.press(page.getByRole('button', { name: t.rent, exact: true }).last());
    await page.getByText(t.rented).waitFor();
    const { body } = await app.as(owner).get('/api/user/phone-numbers/all').expect(200);
    const [number] = body.data as { id: number }[];
    const [assistant] = (await app.as(owner).get('/api/user/assistants').expect(200)).body as {
      phone_number_id: number | null;
    }[];
    expect(assistant?.phone_number_id).toBe(number?.id);
  }

  async function toFirstCallOfSpreadsheet(walk: CountedWalk, t: Words, owner: TestAccount): Promise<void> {
    const { page } = walk;
    await walk.press(page.getByRole('link', { name: t.newCampaign }));
    await walk.type(page.getByLabel(t.campaignName, { exact: true }), 'Renovações');
    await walk.press(page.getByRole('button', { name: t.next }));
    await walk.press(page.getByRole('button', { name: t.createCampaign }));
    const chooser = page.waitForEvent('filechooser');
    await walk.press(page.getByRole('button', { name: t.chooseFile }));
    const buffer = Buffer.from(`Telefone;Nome\n${LEAD};Maria\n`);
    await (await chooser).setFiles({ name: 'contatos.csv', mimeType: 'text/csv', buffer });
    await walk.press(page.getByRole('button', { name: t.importContacts, exact: true }));
    const start = page.getByRole('button', { name: t.startCalling });
    await start.waitFor();
    // So that the test runs at any hour.
    await app.query(
      `UPDATE campaigns SET allowed_hours_start_time = '00:00', allowed_hours_end_time = '23:59',
         allowed_days = '{monday,tuesday,wednesday,thursday,friday,saturday,sunday}' WHERE user_id = $1`,
      [owner.userId],
    );
    await walk.press(start);
    await page.getByRole('heading', { level: 1, name: 'Renovações' }).waitFor();
    await until(async () => (await callsTo(owner, LEAD)) === 1);
  }

  async function toCallOfOwnPhone(walk: CountedWalk, t: Words, owner: TestAccount): Promise<void> {
    const { page } = walk;
    await walk.press(page.getByRole('button', { name: t.callMe }));
    const dialog = page.getByRole('dialog');
    await walk.type(dialog.getByLabel(t.number, { exact: true }), OWN_PHONE);
    await walk.press(dialog.getByRole('button', { name: t.call, exact: true }));
    await page.waitForURL('**/app/calls/*');
    expect(await callsTo(owner, OWN_PHONE)).toBe(1);
  }

  async function addCaller(owner: TestAccount): Promise<void> {
    const phoneNumberId = await addPhoneNumber(app, owner);
    await createOutboundAssistant(app, owner, { name: 'Vendas', phone_number_id: phoneNumberId });
  }

  async function callsTo(owner: TestAccount, phone: string): Promise<number> {
    const { body } = await app
      .as(owner)
      .get(`/api/user/calls?phone_number=${encodeURIComponent(phone)}`)
      .expect(200);
    return body.total as number;
  }
});

async function looksRight(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor({ state: 'attached' });
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  expect(await overflowOf(page)).toBe(0);
  expect(await accessibilityFindings(page)).toEqual([]);
}
