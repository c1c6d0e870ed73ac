import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import request from 'supertest';
import type { TestAccount, TestApp } from '../support/app.js';
import {
  accessibilityFindings,
  describeInBrowser,
  problemsOf,
  type TestBrowser,
} from '../support/browser.js';
import { createAssistant } from '../support/builders.js';
import { until } from '../support/until.js';
import { box, GREETING, launcher, log, open, WidgetSite, write } from '../support/widget-site.js';

describeInBrowser('The chat widget', () => {
  let site: WidgetSite;
  let app: TestApp;
  let browser: TestBrowser;
  let owner: TestAccount;

  beforeAll(async () => {
    site = await WidgetSite.start();
    ({ app, browser, owner } = site);
  }, 120_000);
  afterEach(() => site.reset());
  afterAll(() => site.stop());

  it('tells a site that is not allowed, and solves the challenge of an assistant that asks for one', async () => {
    const closed = await createAssistant(app, owner, { allowed_origins: ['https://shop.example'] });
    let page = await site.visit(closed);
    await launcher(page).click();
    await page.getByText('Este chat não está liberado para este site.').waitFor();
    await page.getByText(`inclua ${site.url} nos sites permitidos`).waitFor();
    await browser.closeWindows();
    const guarded = await createAssistant(app, owner, {
      challenge_required: true,
      allowed_origins: [site.url],
    });
    page = await site.visit(guarded);
    await open(page);
    await write(page, 'Sou gente');
    await log(page).getByText('Você disse Sou gente').waitFor();
  });

  it('opens, closes and tells the page what happens', async () => {
    const page = await site.visit(
      await createAssistant(app, owner),
      {},
      'data-color="#0a7d4f" data-position="left" data-talk',
    );
    await launcher(page).waitFor();
    await page.evaluate(`{
      window.heard = [];
      for (const name of ['open', 'ready', 'conversation', 'message', 'close'])
        prosaChat.on(name, (detail) => heard.push([name, detail.content ?? detail.title ?? '']));
      prosaChat.open();
    }`);
    await log(page).getByText(GREETING).waitFor();
    // Asked for by the page, and not to be had: this server has no voice.
    expect(await page.getByRole('button', { name: 'Falar por voz' }).count()).toBe(0);
    await write(page, 'Oi');
    await log(page).getByText('Você disse Oi').waitFor();
    // An answer is shown while it arrives, and announced once it is complete.
    await until(async () => (await page.evaluate<unknown[]>('heard')).length > 5);
    await page.evaluate('prosaChat.close()');
    expect(await page.evaluate('heard')).toEqual([
      ['open', ''],
      ['ready', 'Recepção'],
      ['conversation', ''],
      ['message', GREETING],
      ['message', 'Oi'],
      ['message', 'Você disse **Oi**.'],
      ['close', ''],
    ]);
    const left = await launcher(page).evaluate((element) => element.getBoundingClientRect().left);
    expect(left).toBe(20);
  });

  it('tells the page of all messages also when none is read before the answer is whole', async () => {
    const page = await site.visit(await createAssistant(app, owner));
    await page.route('**/events', (route) => route.abort());
    await open(page);
    await page.evaluate(`{
      window.heard = [];
      prosaChat.on('message', ({ content }) => heard.push(content));
    }`);
    await write(page, 'Oi');
    await until(async () => (await page.evaluate<unknown[]>('heard')).length > 2);
    expect(await page.evaluate('heard')).toEqual([GREETING, 'Oi', 'Você disse **Oi**.']);
  });

  it('can be an element of the page that the page moves, and shows there that it did not load', async () => {
    const { uuid } = await createAssistant(app, owner);
    site.snippet =
      `<script src="${app.origin}/widget.js" async></script>` +
      `<prosa-chat data-assistant="${uuid}" data-inline></prosa-chat><aside></aside>`;
    const page = await browser.open(site.url);
    await page.route(/widget-assets/, (route) => route.abort(), { times: 1 });
    await page.goto('/');
    await page.getByRole('button', { name: 'O chat não abriu. Tente de novo.' }).press('Enter');
    await log(page).getByText(GREETING).waitFor();
    expect(await launcher(page).isVisible()).toBe(false);
    await page.evaluate(`document.querySelector('aside').append(document.querySelector('prosa-chat'))`);
    await page.locator('aside prosa-chat').getByRole('log').getByText(GREETING).waitFor();
    expect(await log(page).count()).toBe(1);
  });

  it('is a page of its own at /chat, under a policy of its own', async () => {
    const { uuid } = await createAssistant(app, owner, { widget_title: 'Padaria Central' });
    const page = await browser.open(app.origin, {});
    await page.goto(`/chat/${uuid}`);
    await log(page).getByText(GREETING).waitFor();
    await write(page, 'Oi');
    await log(page).getByText('Você disse Oi').waitFor();
    expect(await page.title()).toBe('Padaria Central');
    expect(await accessibilityFindings(page)).toEqual([]);
    expect(problemsOf(page)).toEqual([]);
  });

  it('is served compressed to pages of others, and kept as long as its name says', async () => {
    const get = (path: string) => request(app.server).get(path).set('Accept-Encoding', 'br').buffer(true);
    const loader = await get('/widget.js');
    expect(loader.headers).toMatchObject({
      'content-type': expect.stringMatching(/^text\/javascript/),
      'content-encoding': 'br',
      'cache-control': 'public, max-age=300',
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
      etag: expect.any(String),
    });
    expect((await get('/widget.js').set('If-None-Match', loader.headers.etag!)).status).toBe(304);
    const { text, headers } = await get(`/chat/${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}`);
    expect(headers['content-security-policy']).toBe(
      "default-src 'none';script-src 'self';style-src 'self';img-src 'self';connect-src 'self' ws: wss:;" +
        "base-uri 'none';form-action 'none';frame-ancestors 'none'",
    );
    const files = [...text.matchAll(/(?:href|src)="(\/widget-assets\/[^"]+)"/g)].map(([, file]) => file!);
    expect(files).toHaveLength(3);
    for (const file of files) {
      const { status, headers: of } = await get(file);
      expect([status, of['cache-control'], of['access-control-allow-origin']]).toEqual([
        200,
        'public, max-age=31536000, immutable',
        '*',
      ]);
    }
    for (const path of [
      '/chat.html',
      '/widget-assets/',
      '/widget-assets/..%2fchat.html',
      '/widget-assets/x.js',
      '/chat/x',
    ]) {
      const { status, headers: of } = await get(path);
      expect([path, status, of['cache-control']]).toEqual([path, 404, 'no-store']);
    }
  });

  it.each([
    [
      'replaces the body, as Turbo does',
      "document.body.replaceWith(Object.assign(document.createElement('body'), { innerHTML: '<h1>Outra</h1>' }))",
    ],
    ['swaps what is in the body, as htmx does', "document.body.innerHTML = '<h1>Outra</h1>'"],
    [
      'takes elements out one by one, as morphing does',
      'for (const node of [...document.body.childNodes]) node.parentNode.removeChild(node)',
    ],
    [
      'brings a copy of an earlier page back, as a cache of pages does',
      "{ const kept = document.body.cloneNode(true); document.body.replaceWith(document.createElement('body')); document.body.replaceWith(kept); }",
    ],
    [
      'writes an earlier page back as text',
      "{ const kept = document.body.innerHTML; document.body.innerHTML = ''; document.body.innerHTML = kept; }",
    ],
  ])('stays, with its conversation and the draft, in a page that %s', async (_what, replace) => {
    const page = await site.visit(await createAssistant(app, owner, { initial_message: GREETING }));
    await open(page);
    await write(page, 'Tem mesa de jantar?');
    await log(page)
      .getByText('eco: Tem mesa de jantar?')
      .or(log(page).getByText('Tem mesa de jantar?'))
      .first()
      .waitFor();
    await box(page).fill('rascunho');
    for (let times = 0; times < 3; times++) await page.evaluate(replace);

    // The chat returns a moment after the page has taken it out.
    await log(page).getByText('Tem mesa de jantar?').first().waitFor();
    await expect(page.locator('prosa-chat').count()).resolves.toBe(1);
    await expect(box(page).inputValue()).resolves.toBe('rascunho');
    await expect(page.evaluate("document.querySelector('prosa-chat') === window.prosaChat")).resolves.toBe(
      true,
    );
  });

  it('goes, and does not return, when the page removes it by its own method', async () => {
    const page = await site.visit(await createAssistant(app, owner, { initial_message: GREETING }));
    await launcher(page).waitFor();
    await page.evaluate('window.prosaChat.remove()');
    await page.evaluate("document.body.innerHTML = '<h1>Outra</h1>'");
    await page.waitForTimeout(200);
    await expect(page.locator('prosa-chat').count()).resolves.toBe(0);
  });

  it('does not fight for ever with a page that takes out whatever is added', async () => {
    const page = await site.visit(await createAssistant(app, owner, { initial_message: GREETING }));
    await launcher(page).waitFor();
    await page.evaluate(
      "new MutationObserver(() => document.querySelector('prosa-chat')?.parentNode.replaceChildren()).observe(document.body, { childList: true }); document.body.replaceChildren()",
    );
    await page.waitForTimeout(300);
    await expect(page.evaluate('1 + 1')).resolves.toBe(2);
    await expect(page.locator('prosa-chat').count()).resolves.toBe(0);
  });
});
