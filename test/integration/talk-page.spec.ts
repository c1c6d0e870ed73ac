import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import request from 'supertest';
import { TestApp } from '../support/app.js';

type OpenWebCall = (
  assistantId: string,
  page: { onStarting: () => void; isOver: () => boolean },
) => Promise<{ url: string; token: string }>;

const UUID = '3b0f7a52-6d0e-4a43-9a58-0f5a3c1d2e4f';

describe('The page that talks to an assistant', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start();
  });
  afterAll(() => app.stop());

  it('is served for any uuid, and may load nothing but files of this server', async () => {
    const { status, text, headers } = await request(app.server).get(`/talk/${UUID}`);
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^text\/html/);
    expect(headers['content-security-policy']).toBe(
      "default-src 'self';connect-src 'self' ws: wss:;object-src 'none';base-uri 'none';form-action 'self';frame-ancestors 'none'",
    );
    expect(headers['permissions-policy']).toBe('microphone=(self)');
    // All that it names is there.
    const files = [...text.matchAll(/(?:href|src)="(\/[^"]+)"/g)].map(([, file]) => file!);
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) expect((await request(app.server).get(file)).status).toBe(200);
  });

  describe('that asks for a call', () => {
    const { fetch } = globalThis;
    let answers: [status: number, retryAfter: string | null, body: object][] = [];
    let openWebCall: OpenWebCall;
    let starts = 0;
    const page = { language: 'pt' as const, onStarting: () => void starts++, isOver: () => false };

    beforeAll(async () => {
      const { href } = new URL('../../web/talk/open-web-call.js', import.meta.url);
      ({ openWebCall } = (await import(href)) as { openWebCall: OpenWebCall });
    });
    beforeEach(() => {
      starts = 0;
      globalThis.fetch = async () => {
        const [status, retryAfter, body] = answers.shift() ?? [500, null, {}];
        return Response.json(body, {
          status,
          headers: retryAfter === null ? {} : { 'Retry-After': retryAfter },
        });
      };
    });
    afterAll(() => {
      globalThis.fetch = fetch;
    });

    it('waits while the server is starting, shows that, and tries again', async () => {
      answers = [
        [503, '0.05', { status: false, error: 'The server is starting' }],
        [503, '0.05', { status: false, error: 'No voice process is running' }],
        [201, null, { url: 'ws://x', token: 't' }],
      ];
      expect(await openWebCall(UUID, page)).toMatchObject({ token: 't' });
      expect(starts).toBe(2);
    });

    it('does not wait where the server takes no calls at all, or refuses this one', async () => {
      answers = [[503, null, { status: false, error: 'This server does not accept calls from browsers' }]];
      await expect(openWebCall(UUID, page)).rejects.toMatchObject({
        code: 'refused',
        message: 'This server does not accept calls from browsers',
      });
      answers = [[422, '5', { status: false, error: 'busy' }]];
      await expect(openWebCall(UUID, page)).rejects.toMatchObject({ message: 'busy' });
      expect(starts).toBe(0);
    });

    it('refuses a challenge where browsers compute no hashes', async () => {
      const subtle = jest.spyOn(crypto, 'subtle', 'get').mockReturnValue(undefined as never);
      answers = [
        [403, null, { status: false, error: 'A challenge has to be solved first' }],
        [201, null, { token: 't', difficulty: 8 }],
      ];
      await expect(openWebCall(UUID, page)).rejects.toMatchObject({ code: 'insecure' });
      subtle.mockRestore();
    });

    it('does not ask again after the customer has hung up, nor for longer than a minute', async () => {
      answers = [[503, '0.05', { error: 'starting' }]];
      await expect(openWebCall(UUID, { ...page, isOver: () => true })).rejects.toMatchObject({
        code: 'refused',
      });
      answers = [[503, '0.05', { error: 'starting' }]];
      const clock = jest.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValue(60_000);
      await expect(openWebCall(UUID, page)).rejects.toMatchObject({ message: 'starting' });
      clock.mockRestore();
    });
  });

  it('has each text in both languages, and one for each notice', async () => {
    const load = (name: string) => import(new URL(`../../web/talk/${name}`, import.meta.url).href);
    const { texts } = (await load('texts.js')) as { texts: Record<'pt' | 'en', Record<string, string>> };
    expect(Object.keys(texts.pt).sort()).toEqual(Object.keys(texts.en).sort());
    const { NOTICES } = (await load('sound/sound-texts.js')) as {
      NOTICES: Record<string, { text: string; action: string | null }>;
    };
    for (const { text, action } of Object.values(NOTICES)) {
      expect(texts.pt[text]).toBeTruthy();
      if (action !== null) expect(texts.pt[action]).toBeTruthy();
    }
  });

  it('is not served for anything else, and gives away no other file', async () => {
    for (const path of [
      '/talk',
      '/talk/abc',
      `/talk/${UUID}/x`,
      '/talk-assets/',
      '/talk-assets/..%2f..%2fpackage.json',
      '/talk-assets/%2e%2e/%2e%2e/package.json',
    ]) {
      const { status } = await request(app.server).get(path);
      expect([path, status]).toEqual([path, 404]);
    }
    expect((await request(app.server).post(`/talk/${UUID}`)).status).toBe(404);
  });
});
