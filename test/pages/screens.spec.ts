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
import { createAssistant } from '../support/builders.js';
import { addPhoneNumber } from '../support/campaign-builders.js';
import { addConsoleRows, type ConsoleRows } from '../support/console-rows.js';

const PASSWORD = 'correto-cavalo-bateria';
const LONG = 'Contatos da Padaria Central com um nome que não cabe em uma linha só de 320 pixels';
const PASSAGE = {
  text: 'A padaria abre às 6 horas, também aos domingos.',
  score: 0.83,
  document_id: 1,
  source: 'horários.pdf',
  heading: 'Horários',
  url: null,
  page: 3,
};
const OUTCOME = {
  request: { method: 'GET', url: 'https://api.example.com/weather/Campinas', body: null },
  answer: { status: 200, headers: {}, body: '{"forecast":"sol"}', duration_ms: 42, truncated: false },
  result: '{"forecast":"sol"}',
};

describeInBrowser('The screens that build and call', () => {
  let app: TestApp;
  let browser: TestBrowser;
  let owner: TestAccount;
  let rows: ConsoleRows;
  let assistant: number;

  beforeAll(async () => {
    await buildPages();
    [app, browser] = await Promise.all([TestApp.start(), TestBrowser.start()]);
    owner = await app.account({ balanceUsd: 25, password: PASSWORD });
    const phoneNumber = await addPhoneNumber(app, owner);
    assistant = (await createAssistant(app, owner, { phone_number_id: phoneNumber })).id;
    rows = await addConsoleRows(app, owner, ['Renovação', LONG, `${LONG.replaceAll(' ', '')}.pdf`]);
  }, 240_000);
  afterEach(() => browser.closeWindows());
  afterAll(async () => {
    await browser.stop();
    await app.stop();
  });

  async function signedIn(look: Look): Promise<Page> {
    const page = await browser.open(app.origin, look);
    const data = { email: owner.email, password: PASSWORD };
    await page.request.post('/api/auth/session', { data, headers: { Origin: app.origin } });
    return page;
  }

  it.each([
    ['pt-BR', 1280],
    ['en-US', 320],
  ] as const)(
    'have no barrier that axe knows, light and dark, %s, %i wide',
    async (locale, width) => {
      const { campaign, lead, knowledgebase, tool, delivery } = rows;
      const page = await signedIn({ locale, width });
      const findings: Record<string, string[]> = {};
      for (const path of [
        '/campaigns',
        '/campaigns/new',
        `/campaigns/${campaign}`,
        `/campaigns/${campaign}?lead=${lead}`,
        '/knowledge',
        `/knowledge/${knowledgebase}`,
        '/tools',
        '/tools/new',
        `/tools/${tool}`,
        '/numbers',
        '/webhooks',
        `/webhooks?delivery=${delivery}`,
      ]) {
        await page.goto(`/app${path}`);
        // What is read is a heading, or a drawer over it; what is still loading has neither.
        await page
          .locator(path.includes('=') ? '[role=dialog] [class]' : 'h1')
          .first()
          .waitFor();
        await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
        const found = await accessibilityFindings(page);
        await setScheme(page, 'dark');
        found.push(...(await accessibilityFindings(page, ['color-contrast'])).map((line) => `dark ${line}`));
        await setScheme(page, 'light');
        const overflow = await overflowOf(page);
        if (overflow > 0) found.push(`${overflow} px too wide`);
        if (found.length > 0) findings[path] = found;
      }
      expect(findings).toEqual({});
      expect(problemsOf(page)).toEqual([]);
    },
    240_000,
  );

  it.each([
    ['pt-BR', 1280, 'Versões anteriores', 'Pergunta', 'Enviar pedido de teste'],
    ['en-US', 640, 'Earlier versions', 'Question', 'Send a test request'],
  ] as const)(
    'have none in what is opened on them, %s, %i wide',
    async (locale, width, versions, question, send) => {
      const { knowledgebase, tool } = rows;
      const prompt = 'Você atende os clientes da Padaria Central.\nA padaria abre às 7 horas.';
      await app.as(owner).put(`/api/user/assistant/${assistant}`).send({ system_prompt: prompt }).expect(200);
      const page = await signedIn({ locale, width });
      const findings: Record<string, string[]> = {};
      const look = async (name: string) => {
        const found = await accessibilityFindings(page);
        await setScheme(page, 'dark');
        found.push(...(await accessibilityFindings(page, ['color-contrast'])).map((line) => `dark ${line}`));
        await setScheme(page, 'light');
        const overflow = await overflowOf(page);
        if (overflow > 0) found.push(`${overflow} px too wide`);
        if (found.length > 0) findings[name] = found;
      };
      await page.goto(`/app/assistants/${assistant}`);
      await page.getByRole('button', { name: versions }).click();
      await page.getByRole('dialog').getByRole('listitem').last().getByRole('button').click();
      await page.getByRole('dialog').getByText('abre às 6 horas').waitFor();
      await look('versions of a prompt');

      await page.route('**/search', (route) => route.fulfill({ json: { data: [PASSAGE, PASSAGE] } }));
      await page.goto(`/app/knowledge/${knowledgebase}`);
      await page.getByLabel(question).fill('Quando abre?');
      await page.keyboard.press('Enter');
      await page.getByText(PASSAGE.text).first().waitFor();
      await look('passages');

      await page.route('**/tools/*/test', (route) => route.fulfill({ json: { data: OUTCOME } }));
      await page.goto(`/app/tools/${tool}`);
      await page.getByRole('button', { name: send }).click();
      await page.getByText('HTTP 200').waitFor();
      await look('test of a tool');
      expect(findings).toEqual({});
      expect(problemsOf(page)).toEqual([]);
    },
    240_000,
  );
});
