import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';
import { addMember, createAssistant, openConversation } from '../support/builders.js';

const PASSWORD = 'correct horse battery';

describe('callers who may only read, on public routes that write', () => {
  let app: TestApp;
  let owner: TestAccount;
  let assistantUuid: string;
  let conversation: string;
  let readers: Readonly<Record<string, string>>;

  beforeAll(async () => {
    app = await TestApp.start();
    owner = await app.account({ balanceUsd: 5, password: PASSWORD });
    const assistant = await createAssistant(app, owner, { visitor_calls_enabled: true });
    assistantUuid = assistant.uuid;
    conversation = await openConversation(app, assistant);
    const { token } = await addMember(app, owner, { role: 'viewer' });
    readers = { 'a key with read': await key(['read']), 'a viewer': token };
  });
  afterAll(() => app.stop());

  async function key(scopes: readonly string[]): Promise<string> {
    const { body } = await app
      .as(owner)
      .post('/api/user/api-keys')
      .send({ name: 'limited', scopes })
      .expect(201);
    return body.api_key.token;
  }
  const writes: readonly (readonly [string, () => string, () => object, number])[] = [
    ['a message', () => `/api/conversations/${conversation}/messages`, () => ({ message: 'Oi' }), 200],
    ['typing', () => `/api/conversations/${conversation}/typing`, () => ({}), 200],
    ['a conversation', () => '/api/conversations', () => ({ assistant_id: assistantUuid }), 200],
    ['a challenge', () => `/api/conversations/challenges/${assistantUuid}`, () => ({}), 200],
    // No voice process runs here.
    ['a web call', () => '/api/web-calls', () => ({ assistant_id: assistantUuid }), 503],
  ];
  const messages = async () =>
    (await app.query<{ count: string }>('SELECT count(*) FROM messages'))[0]?.count;

  it.each(writes)('are refused: %s', async (_what, path, body) => {
    const before = await messages();
    for (const token of Object.values(readers)) {
      await app.as({ token }).post(path()).send(body()).expect(403);
    }
    expect(await messages()).toBe(before);
  });

  it.each(writes)('write as anyone does without a token: %s', async (_what, path, body, status) => {
    await app.http.post(path()).send(body()).expect(status);
  });

  it.each(writes)('do not bind those with the rights: %s', async (_what, path, body, status) => {
    for (const token of [await key(['chat', 'calls']), owner.token]) {
      await app.as({ token }).post(path()).send(body()).expect(status);
    }
  });

  it('may still read the conversation of which they know the uuid', async () => {
    for (const token of Object.values(readers)) {
      await app.as({ token }).get(`/api/conversations/${conversation}`).expect(200);
    }
  });

  it('is about valid tokens alone: the uuid is the capability with a wrong one', async () => {
    const send = app.as({ token: 'nonsense' }).post(`/api/conversations/${conversation}/messages`);
    await send.send({ message: 'Oi' }).expect(200);
  });
});
