import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { AxeBuilder } from '@axe-core/playwright';
import { describe } from '@jest/globals';
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import { until } from './until.js';

const run = promisify(execFile);

export const CHROMIUM = [process.env.CHROMIUM_PATH, '/usr/bin/chromium', '/usr/bin/chromium-browser'].find(
  (path) => path !== undefined && path !== '' && existsSync(path),
);

/** Left out, and counted as skipped, where there is no browser. */
export const describeInBrowser = CHROMIUM ? describe : describe.skip;

/** Compiles the pages if they are not up to date, before the application that serves them is built. */
export async function buildPages(): Promise<void> {
  await run(process.execPath, [
    '--input-type=module',
    '-e',
    "await (await import('./scripts/build-if-needed.mjs')).buildIfNeeded({ server: false, pages: true })",
  ]);
}

const STEP_MS = 20_000;

export interface Look {
  readonly scheme?: 'light' | 'dark';
  readonly locale?: 'pt-BR' | 'en-US';
  readonly width?: number;
  readonly height?: number;
  /** Without the policy of the page, so that what it would have stopped is seen to happen. */
  readonly bypassCSP?: boolean;
  /** Of the browser, as `Asia/Tokyo`; that of the machine otherwise. */
  readonly timeZone?: string;
}

interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** A browser in which each test has windows of its own. */
export class TestBrowser {
  private contexts: BrowserContext[] = [];

  private constructor(private readonly browser: Browser) {}

  /** @param args of Chromium, in addition to those that it needs here */
  static async start(args: readonly string[] = []): Promise<TestBrowser> {
    const browser = await chromium.launch({
      executablePath: CHROMIUM ?? '',
      // Chromium's own sandbox does not run as root.
      args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), ...args],
    });
    return new TestBrowser(browser);
  }

  /** A window with cookies of its own. Whatever goes wrong in its scripts is in `problemsOf`. */
  async open(
    url: string,
    { scheme, locale, width = 1280, height = 800, bypassCSP = false, timeZone }: Look = {},
  ): Promise<Page> {
    const context = await this.browser.newContext({
      baseURL: url,
      colorScheme: scheme ?? 'light',
      locale: locale ?? 'pt-BR',
      viewport: { width, height },
      reducedMotion: 'reduce',
      bypassCSP,
      ...(timeZone ? { timezoneId: timeZone } : {}),
    });
    this.contexts.push(context);
    const page = await context.newPage();
    // Shorter than the timeout of jest, so that the error names the step.
    page.setDefaultTimeout(STEP_MS);
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' && !/status of 4\d\d/.test(message.text()))
        problems.push(message.text());
    });
    problemsByPage.set(page, problems);
    return page;
  }

  /** A window of a person who has signed in to the console, which is not open yet. */
  async signIn(origin: string, data: Credentials, look: Look = {}): Promise<Page> {
    const page = await this.open(origin, look);
    await page.request.post('/api/auth/session', { data, headers: { Origin: origin } });
    return page;
  }

  /** The same on a page of the console. @param path of the page, as `/inbox` */
  async openConsole(origin: string, who: Credentials, path: string, look: Look = {}): Promise<Page> {
    const page = await this.signIn(origin, who, look);
    await page.goto(`/app${path}`);
    return page;
  }

  async closeWindows(): Promise<void> {
    await Promise.all(this.contexts.map((context) => context.close()));
    this.contexts = [];
  }

  async stop(): Promise<void> {
    await this.browser.close();
  }
}

const problemsByPage = new WeakMap<Page, string[]>();

/** Exceptions and errors on the console of a page, refused loads by its policy among them. */
export function problemsOf(page: Page): readonly string[] {
  return problemsByPage.get(page) ?? [];
}

/** Goes to another page of the console, as a link within it does, and waits until it is shown: the one before stays until then. */
export async function follow(page: Page, path: string): Promise<void> {
  await page.evaluate(`
    window.left = __TSR_ROUTER__.state.resolvedLocation;
    history.pushState({}, '', ${JSON.stringify(path)});
  `);
  await until(
    () =>
      page.evaluate<boolean>(
        `__TSR_ROUTER__.state.status === 'idle' && __TSR_ROUTER__.state.resolvedLocation !== left`,
      ),
    STEP_MS,
  );
  await page.locator('h1').first().waitFor({ state: 'attached' });
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
}

/** Presses a radio of a choice that the address keeps. It is checked a moment later, which is too late for `check`. */
export async function choose(radio: Locator): Promise<void> {
  await radio.click();
  await until(() => radio.isChecked(), STEP_MS);
}

/**
 * Waits until nothing moves. What an element inherits begins to change when it has changed above, a frame later, so that
 * two frames without a change say that all have.
 */
const SETTLED = `(async () => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const ends = ({ effect }) => effect.getComputedTiming().endTime !== Infinity;
  for (let still = 0; still < 2; still++) {
    await frame();
    const moving = document.getAnimations().filter(ends);
    if (moving.length > 0) still = -1;
    await Promise.allSettled(moving.map(({ finished }) => finished));
  }
})()`;

/** Changes between light and dark, and waits until no colour is on its way any more. */
export async function setScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
  await page.evaluate(SETTLED);
}

/** Waits until the title of a page begins so. */
export async function titleBegins(page: Page, beginning: string): Promise<void> {
  const deadline = performance.now() + STEP_MS;
  while (!(await page.title()).startsWith(beginning)) {
    if (performance.now() > deadline) throw new Error(`the title is still ${await page.title()}`);
    await page.waitForTimeout(20);
  }
}

/** By how many pixels the page is wider than the window. */
export async function overflowOf(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - innerWidth');
}

/**
 * What axe finds against WCAG 2.2 AA: one line a rule, with the first places.
 *
 * @param rules only these, for what else cannot have changed since all were looked at
 */
export async function accessibilityFindings(page: Page, rules?: readonly string[]): Promise<string[]> {
  const axe = new AxeBuilder({ page });
  if (rules) axe.withRules([...rules]);
  else axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']);
  const { violations } = await axe.analyze();
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .slice(0, 3)
        .map(({ target, failureSummary }) => `${target.join(' ')} (${failureSummary})`)
        .join(' | ')}`,
  );
}
