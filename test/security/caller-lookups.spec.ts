import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { answerJson, LocalServer } from '../support/http-server.js';

const GREETING = 'Olá! Como posso ajudar?';

/** What a lookup may not reach, which any tenant sets up and any visitor sets off. */
describe('lookups of callers', () => {
  let app: TestApp;
  let inside: LocalServer;
  let owner: TestAccount;

  beforeAll(async () => {
    app = await TestApp.start();
    inside = await LocalServer.start((_request, response) =>
      answerJson(response, { initial_message: 'Inside!', secret: 'x' }),
    );
    owner = await app.account({ balanceUsd: 10 });
  });
  afterAll(async () => {
    await app.stop();
    await inside.stop();
  });

  it.each([
    ['loopback', ({ port }: URL) => `http://127.0.0.1:${port}/`],
    ['loopback by its name', ({ port }: URL) => `http://localhost:${port}/`],
    ['loopback in another notation', ({ port }: URL) => `http://0x7f.1:${port}/`],
    ['loopback in IPv6', ({ port }: URL) => `http://[::ffff:127.0.0.1]:${port}/`],
    ['the metadata of a cloud', () => 'http://169.254.169.254/latest/meta-data/'],
  ])('do not reach %s, and the conversation is opened without them', async (_what, urlOf) => {
    const { uuid } = await createAssistant(app, owner, { lookup_url: urlOf(new URL(inside.url)) });
    const { body } = await app.http.post('/api/conversations').send({ assistant_id: uuid }).expect(200);
    expect(body.history).toEqual([{ role: 'assistant', content: GREETING }]);
    expect(inside.requests).toEqual([]);
  });

  it('do not tell a visitor whether something listens there', async () => {
    const bodies = await Promise.all(
      [inside.url, 'http://127.0.0.1:9/'].map(async (lookup_url) => {
        const { uuid } = await createAssistant(app, owner, { lookup_url });
        const { body } = await app.http.post('/api/conversations').send({ assistant_id: uuid }).expect(200);
        return { ...body, conversation_id: null };
      }),
    );
    expect(bodies[0]).toEqual(bodies[1]);
  });
});
