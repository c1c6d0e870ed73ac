import { LLMock } from '@copilotkit/aimock';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type TestAccount, TestApp } from '../support/app.js';
import { buildPages, describeInBrowser, follow, problemsOf, TestBrowser } from '../support/browser.js';
import { addHostileRows, type HostileRows, inGroups } from '../support/hostile-rows.js';
import { HOSTILE_TEXTS } from '../support/hostile-texts.js';
import { until } from '../support/until.js';

const PASSWORD = 'correto-cavalo-bateria';
/** As many rows a request as the API gives at most, so that few pages show all. */
const ROWS_A_PAGE = 100;
/** More than enough for all of them, by 25 each. */
const PAGES = 12;
const MORE = /^(Carregar mais|Mostrar mais|Carregar mensagens anteriores)$/;
/** In a page: the visible text, and elements that should have been text. */
const LOOK = `(() => {
  const HOLDS_TEXT = ['value', 'title', 'aria-label', 'placeholder', 'data-value', 'datetime', 'name', 'id', 'for'];
  const findings = [];
  for (const element of document.querySelectorAll('*')) {
    const tag = element.localName;
    if (['iframe', 'object', 'embed', 'base', 'video', 'source', 'img', 'template', 'marquee', 'math', 'x'].includes(tag))
      findings.push('<' + tag + '>');
    if (tag === 'script' && !element.src.startsWith(location.origin + '/app/')) findings.push('<script>');
    if (tag === 'style' && element.textContent.includes('evil.example')) findings.push('<style>');
    for (const { name, value } of element.attributes) {
      const isLink = name === 'href' && /^(https?:\\/\\/|mailto:|tel:|\\/app(\\/|\\?|$)|\\/docs|#content|\\/favicon)/.test(value);
      if (name.startsWith('on')) findings.push(tag + ' ' + name);
      if (/hacked|evil\\.example/.test(value) && !isLink && !HOLDS_TEXT.includes(name) && !name.startsWith('aria-'))
        findings.push(tag + ' ' + name + '=' + value);
      if (/^(href|src|action|formaction|xlink:href|poster|data|srcset)$/.test(name) &&
          /^[\\s\\u0000-\\u0020]*(javascript|data|vbscript|file|blob):/i.test(value))
        findings.push(tag + ' ' + name + '=' + value);
      if (name === 'href' && tag === 'a' && !isLink) findings.push('a href=' + value);
    }
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [document.title];
  while (walker.nextNode()) texts.push(walker.currentNode.data);
  for (const { value } of document.querySelectorAll('input, textarea')) texts.push(value);
  return { hacked: window.hacked ?? null, findings: [...new Set(findings)], shown: texts.join('\\n') };
})()`;

interface Seen {
  readonly hacked: number | null;
  readonly findings: readonly string[];
  readonly shown: string;
}

/** The screens as an attacker finds them: each shows 200 texts that do harm where they are taken for more than text. */
describeInBrowser('Screens that show what others wrote', () => {
  const model = new LLMock({ port: 0, chunkSize: 400, latency: 1 });
  let app: TestApp;
  let browser: TestBrowser;
  let owner: TestAccount;
  let rows: HostileRows;
  let page: Page;
  const foreign: string[] = [];
  let dialogs = 0;
  /** Requests without an answer yet; but for the stream of hints, which has no end. */
  const open = new Set<unknown>();

  beforeAll(async () => {
    await buildPages();
    await model.start();
    model.onMessage(/[^]*/, { content: `${HOSTILE_TEXTS.join('\n\n')}\n\nfim da resposta` });
    [app, browser] = await Promise.all([
      TestApp.start({ OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: 'test-key' }),
      TestBrowser.start(),
    ]);
    owner = await app.account({ balanceUsd: 25, password: PASSWORD });
    rows = await addHostileRows(app, owner, HOSTILE_TEXTS);
    // Its policy would stop a script that the page lets in: the page has to be safe without it.
    page = await browser.open(app.origin, { bypassCSP: true });
    page.on('request', (each) => {
      if (/^(https?|wss?):/.test(each.url()) && !each.url().startsWith(app.origin)) foreign.push(each.url());
    });
    page.on('request', (each) => each.url().endsWith('/events') || open.add(each));
    page.on('requestfinished', (each) => open.delete(each));
    page.on('requestfailed', (each) => open.delete(each));
    page.on('dialog', (dialog) => void (++dialogs && dialog.dismiss()));
    await page.route(/[?&](per_page|limit)=\d/, (route) =>
      route.continue({
        url: route
          .request()
          .url()
          .replace(/(per_page|limit)=(?:[2-9]\d)\b/, `$1=${ROWS_A_PAGE}`),
      }),
    );
    const data = { email: owner.email, password: PASSWORD };
    await page.request.post('/api/auth/session', { data, headers: { Origin: app.origin } });
    await page.goto('/app');
    await page.locator('h1').first().waitFor();
  }, 240_000);
  afterEach(() => {
    expect({ foreign, dialogs, problems: problemsOf(page) }).toEqual({
      foreign: [],
      dialogs: 0,
      problems: [],
    });
  });
  afterAll(async () => {
    await browser.stop();
    await Promise.all([app.stop(), model.stop()]);
  });

  /** The text of the page, after a check that all of it is text. */
  async function look(): Promise<string> {
    const { hacked, findings, shown } = await page.evaluate<Seen>(LOOK);
    expect({ hacked, findings }).toEqual({ hacked: null, findings: [] });
    return spaced(shown);
  }

  /** Remembers which of the texts stand there; until one more of them does. */
  async function find(found: Set<string>): Promise<void> {
    const before = found.size;
    await until(async () => {
      const shown = await look();
      for (const text of HOSTILE_TEXTS) if (shown.includes(spaced(text))) found.add(text);
      return found.size > before;
    });
  }
  const missing = (found: ReadonlySet<string>) => HOSTILE_TEXTS.filter((text) => !found.has(text));

  /** Until all that the page asks for is there, and shown. */
  async function settle(): Promise<void> {
    await until(async () => {
      if (open.size > 0) return false;
      await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50)))');
      return open.size === 0;
    });
  }

  /** To a screen that shows none of them, so that what is found is of the next one. */
  async function leave(): Promise<void> {
    await follow(page, '/app/billing');
    await page.getByRole('heading', { level: 1, name: 'Saldo e cobrança' }).waitFor();
  }

  /** What of the texts a screen does not show, over all that it loads when more is asked for. */
  async function missingAt(path: string): Promise<readonly string[]> {
    const found = new Set<string>();
    await leave();
    await follow(page, `/app${path}`);
    await find(found);
    for (let number = 2; number <= PAGES && missing(found).length > 0; number++) {
      const more = page.getByRole('button', { name: MORE });
      if ((await more.count()) > 0) await more.click();
      else await follow(page, `/app${path}${path.includes('?') ? '&' : '?'}page=${number}`);
      await find(found);
    }
    await settle();
    await look();
    return missing(found);
  }

  it.each([
    ['campaigns', () => '/campaigns'],
    ['contacts of a campaign', () => `/campaigns/${rows.campaign}`],
    ['a contact with its calls', () => `/campaigns/${rows.campaign}?lead=${rows.lead}`],
    ['calls', () => '/calls'],
    ['live calls', () => '/live'],
    ['a call', () => `/calls?call=${rows.call}`],
    ['the page of a call', () => `/calls/${rows.call}`],
    ['assistants and folders', () => '/assistants'],
    ['an assistant', () => `/assistants/${rows.assistant}`],
    ['tools', () => '/tools'],
    ['a tool', () => `/tools/${rows.tool}`],
    ['knowledge bases', () => '/knowledge'],
    ['documents', () => `/knowledge/${rows.knowledgebase}`],
    ['numbers', () => '/numbers'],
    ['a delivery', () => `/webhooks?delivery=${rows.delivery}`],
    ['an MCP server and its tools', () => `/mcp-servers/${rows.mcpServer}`],
    ['the audit log', () => '/audit'],
    ['keys', () => '/keys'],
    ['the inbox', () => '/inbox'],
    ['what is known of a customer', () => `/inbox?id=${rows.customer}`],
    ['a conversation', () => `/inbox?id=${rows.conversation}`],
  ])('%s: every text is text', async (_name, path) => {
    expect(await missingAt(path())).toEqual([]);
  });

  it.each([
    ['the overview', '/'],
    ['webhooks', '/webhooks'],
    ['personal data', '/privacy'],
    ['billing', '/billing'],
    ['analytics by assistant', '/analytics'],
    ['analytics by campaign', '/analytics?by=campaign'],
    ['settings', '/settings'],
  ])('%s: what is shown of them is text', async (_name, path) => {
    await follow(page, `/app${path}`);
    await settle();
    await look();
  });

  it('shows what a model answers in the test chat as text, as it comes and when it is there', async () => {
    await follow(page, `/app/assistants/${rows.assistant}`);
    await page
      .getByLabel('Mensagem', { exact: true })
      .fill(HOSTILE_TEXTS.slice(0, 25).join('\n').slice(0, 1_900));
    await page.getByRole('button', { name: 'Enviar', exact: true }).click();
    await page.getByRole('log').getByText('fim da resposta').waitFor();
    await look();
  });

  it('shows earlier prompts as text, line by line', async () => {
    await follow(page, `/app/assistants/${rows.assistant}`);
    await page.getByRole('button', { name: 'Histórico de versões' }).click();
    await page.getByRole('dialog').getByRole('listitem').nth(1).getByRole('button').click();
    const found = new Set<string>();
    await find(found);
    expect(missing(found)).toEqual([]);
  });

  it('shows passages of a knowledge base and answers to a tool as text', async () => {
    const passages = HOSTILE_TEXTS.map((text, at) => {
      return { text, score: 1, document_id: at + 1, source: text, heading: text, url: text, page: null };
    });
    await page.route('**/api/user/knowledgebases/*/search', (route) =>
      route.fulfill({ json: { data: passages } }),
    );
    await follow(page, `/app/knowledge/${rows.knowledgebase}`);
    await page.getByLabel('Pergunta').fill('O que há?');
    await page.keyboard.press('Enter');
    await page.getByRole('list', { name: 'Trechos encontrados' }).waitFor();
    await look();

    const body = HOSTILE_TEXTS.join('\n');
    const outcome = {
      request: { method: 'GET', url: HOSTILE_TEXTS[0], body },
      answer: { status: 200, headers: {}, body, duration_ms: 5, truncated: false },
      result: body,
    };
    await page.route('**/api/user/tools/*/test', (route) => route.fulfill({ json: { data: outcome } }));
    await follow(page, `/app/tools/${rows.plainTool}`);
    await page.getByRole('button', { name: 'Enviar teste' }).click();
    await page.getByText('HTTP 200').waitFor();
    const found = new Set<string>();
    await find(found);
    expect(missing(found)).toEqual([]);
  });

  it('shows columns, cells and the name of a CSV file as text, and the names of files that are uploaded', async () => {
    const row = (cells: readonly string[]) =>
      cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(';');
    const columns = HOSTILE_TEXTS.filter((_text, at) => at % 10 === 0);
    const cells = inGroups(HOSTILE_TEXTS);
    const csv = {
      name: `${HOSTILE_TEXTS[5]}.csv`,
      mimeType: 'text/csv',
      buffer: Buffer.from(`${row(columns)}\n${row(cells)}\n`),
    };
    await leave();
    await follow(page, `/app/campaigns/${rows.campaign}`);
    await page.getByRole('button', { name: 'Enviar contatos' }).first().click();
    await page.locator('input[type=file]').setInputFiles(csv);
    await page.getByRole('button', { name: 'Escolher outro arquivo' }).waitFor();
    const found = new Set<string>();
    await find(found);
    expect(missing(found)).toEqual([]);

    await follow(page, `/app/knowledge/${rows.knowledgebase}`);
    const files = HOSTILE_TEXTS.map((name) => ({ name, mimeType: 'text/html', buffer: Buffer.from(name) }));
    await page.locator('input[type=file]').setInputFiles(files);
    const uploads = page.getByRole('list', { name: 'Envios' });
    await uploads.waitFor();
    await settle();
    await look();
  });
});

/** As texts are compared: browsers show any white space as one space. */
function spaced(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
