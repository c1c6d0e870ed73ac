import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ChatModelRegistry } from '../../src/providers/llm/chat-model-registry.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant, type CreatedAssistant, openConversation } from '../support/builders.js';
import { setDailyUsage } from '../support/daily-usage.js';
import { ScriptedChatModel } from '../support/scripted-chat-model.js';

const DAY_SECONDS = 86_400;

/** An account pays nothing for this work. The operator pays for the models. */
describe('free work of an account without a balance', () => {
  let app: TestApp;
  let owner: TestAccount;
  let assistant: CreatedAssistant;

  beforeAll(async () => {
    app = await TestApp.start({
      RATE_LIMITS: 'on',
      RATE_LIMIT_PER_KEY_PER_MINUTE: '100000',
      RATE_LIMIT_PER_ADDRESS_PER_MINUTE: '100000',
      RATE_LIMIT_PER_CONVERSATION_PER_MINUTE: '100000',
      TEST_MESSAGES_PER_DAY: '20',
      TEST_TOKENS_PER_DAY: '1000',
      KNOWLEDGE_SEARCHES_PER_DAY: '10',
    });
  });
  beforeEach(async () => {
    jest.restoreAllMocks();
    owner = await app.account();
    assistant = await createAssistant(app, owner);
  });
  afterAll(() => app.stop());

  const openTest = () => openConversation(app, assistant, { type: 'test' }, owner);
  const send = (uuid: string) =>
    app.http.post(`/api/conversations/${uuid}/messages`).send({ message: 'Olá' });
  const inParallel = <T>(count: number, act: (at: number) => PromiseLike<T>) =>
    Promise.all(Array.from({ length: count }, (_, at) => act(at)));
  const sorted = <T extends { readonly status: number }>(answers: readonly T[]) => ({
    answered: answers.filter(({ status }) => status === 200),
    refused: answers.filter(({ status }) => status === 429),
  });

  it('ends with the messages of test conversations for the day, in all conversations together', async () => {
    const tests = await inParallel(4, openTest);
    const answers = await inParallel(40, (at) => send(tests[at % 4] ?? ''));
    const { answered, refused } = sorted(answers);
    expect([answered.length, refused.length]).toEqual([20, 20]);
    expect(refused[0]?.body).toEqual({
      status: false,
      error: 'Your account has sent 20 test messages today (UTC), the daily limit. Try again tomorrow.',
      retry_after: Number(refused[0]?.headers['retry-after']),
    });
    const seconds = Number(refused[0]?.headers['retry-after']);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(DAY_SECONDS);
    const stored = await app.query("SELECT 1 FROM messages WHERE user_id = $1 AND author = 'customer'", [
      owner.userId,
    ]);
    expect(stored).toHaveLength(20);

    await app.as(owner).delete(`/api/user/assistant/${assistant.id}`).expect(200);
    assistant = await createAssistant(app, owner);
    await send(await openTest()).expect(429);
  });

  it('ends with the tokens of test conversations for the day', async () => {
    const model = ScriptedChatModel.saying(
      { text: 'Oi.', usage: { inputTokens: 990, cachedInputTokens: null, outputTokens: 10 } },
      { text: 'Oi.' },
    );
    jest.spyOn(app.app.get(ChatModelRegistry, { strict: false }), 'select').mockResolvedValue(model);
    const uuid = await openTest();
    await send(uuid).expect(200);
    const { body } = await send(uuid).expect(429);
    expect(body.error).toBe(
      'The test conversations of your account have used 1000 tokens today (UTC), the daily limit. Try again tomorrow.',
    );
  });

  it('does not count test messages that no model answers, and leaves paid conversations alone', async () => {
    const uuid = await openTest();
    await app.as(owner).post(`/api/automate/conversations/${uuid}/disable-ai`).expect(200);
    for (let at = 0; at < 25; at++) await send(uuid).expect(200);
    await inParallel(20, async () => send(await openTest()).expect(200));
    await send(await openTest()).expect(429);

    const rich = await app.account({ balanceUsd: 1 });
    const paid = await openConversation(app, await createAssistant(app, rich));
    for (let at = 0; at < 25; at++) await send(paid).expect(200);
  });

  it('ends with the searches of knowledge bases for the day', async () => {
    const { body } = await app
      .as(owner)
      .post('/api/user/knowledgebases')
      .send({ name: 'Base', description: 'Produtos' })
      .expect(201);
    const search = () =>
      app.as(owner).post(`/api/user/knowledgebases/${body.data.id}/search`).send({ query: 'Entrega?' });
    const { answered, refused } = sorted(await inParallel(25, search));
    expect([answered.length, refused.length]).toEqual([10, 15]);
    expect(refused[0]?.body.message).toBe(
      'Sua conta já fez 10 pesquisas em bases de conhecimento hoje (UTC), o limite diário. Tente novamente amanhã.',
    );
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('begins again on the next day', async () => {
    const uuid = await openTest();
    await inParallel(20, () => send(uuid).expect(200));
    await send(uuid).expect(429);
    await setDailyUsage(app, owner.userId, { resource: 'testMessages', amount: 20, daysAgo: 1 });
    await send(uuid).expect(200);
  });
});
