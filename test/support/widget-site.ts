import { LLMock } from '@copilotkit/aimock';
import type { Page } from 'playwright-core';
import { type TestAccount, TestApp } from './app.js';
import { buildPages, type Look, TestBrowser } from './browser.js';
import type { CreatedAssistant } from './builders.js';
import { LocalServer } from './http-server.js';

export const GREETING = 'Olá! Como posso ajudar?';

/** The chat as a visitor meets it: on a page of another origin, whose policy allows nothing but Prosa. */
export class WidgetSite {
  /** In the page of the site. */
  snippet = '';
  language = 'pt-BR';
  /** What the model says to a text of the customer. */
  answerTo = echo;

  private constructor(
    readonly app: TestApp,
    readonly browser: TestBrowser,
    readonly owner: TestAccount,
    private readonly model: LLMock,
    private readonly server: LocalServer,
  ) {}

  static async start(): Promise<WidgetSite> {
    await buildPages();
    const model = new LLMock({ port: 0, chunkSize: 6, latency: 5 });
    await model.start();
    const [app, browser] = await Promise.all([
      TestApp.start({
        OPENAI_BASE_URL: `${model.url}/v1`,
        OPENAI_API_KEY: 'test-key',
        VISITOR_CHALLENGE_DIFFICULTY: '8',
      }),
      TestBrowser.start(),
    ]);
    const owner = await app.account({ balanceUsd: 25 });
    const server = await LocalServer.start((_request, response) => {
      response
        .writeHead(200, {
          'Content-Type': 'text/html; charset=utf-8',
          'Content-Security-Policy': `default-src 'none'; script-src ${app.origin}; connect-src ${app.origin}`,
        })
        .end(site.page());
    });
    const site = new WidgetSite(app, browser, owner, model, server);
    model.onMessage(/[^]*/, ({ messages }) => {
      const said = messages.at(-1)?.content;
      return { content: site.answerTo(typeof said === 'string' ? said : '') };
    });
    return site;
  }

  /** Another host than the one of Prosa, not just another port. */
  get url(): string {
    return this.server.url.replace('127.0.0.1', 'localhost');
  }

  /** Opens the site with the widget of an assistant. */
  async visit({ uuid }: CreatedAssistant, look: Look = {}, attributes = ''): Promise<Page> {
    this.snippet = `<script src="${this.app.origin}/widget.js" data-assistant="${uuid}" ${attributes} async></script>`;
    const page = await this.browser.open(this.url, look);
    // Before jest's own, which says less.
    page.setDefaultTimeout(15_000);
    await page.goto('/');
    return page;
  }

  /** After each test. */
  async reset(): Promise<void> {
    this.language = 'pt-BR';
    this.answerTo = echo;
    await this.browser.closeWindows();
  }

  async stop(): Promise<void> {
    await this.browser.stop();
    await Promise.all([this.app.stop(), this.model.stop(), this.server.stop()]);
  }

  private page(): string {
    return (
      `<!doctype html><html lang="${this.language}"><meta name="color-scheme" content="light dark">` +
      `<meta name="viewport" content="width=device-width"><title>Loja</title>` +
      `<main><h1>Loja</h1><p>Bem-vindos.</p></main>${this.snippet}</html>`
    );
  }
}

function echo(text: string): string {
  return `Você disse **${text}**.`;
}

export const launcher = (page: Page) => page.locator('prosa-chat .launcher');
export const box = (page: Page) => page.getByRole('textbox');
export const log = (page: Page) => page.getByRole('log');
export async function write(page: Page, text: string): Promise<void> {
  await box(page).fill(text);
  await box(page).press('Enter');
}
export async function open(page: Page): Promise<void> {
  await launcher(page).click();
  await log(page).getByText(GREETING).waitFor();
}
