import { beforeEach, describe, expect, it } from '@jest/globals';
import { APIConnectionError, APIError } from 'openai';
import { ScriptedChatModel } from '#test/support/scripted-chat-model.js';
import { SecretUnreadableError } from '../../../common/crypto/secret-box.js';
import { describeError } from '../../../common/observability/logger.js';
import type { ChatModel } from '../chat-model.js';
import { ModelError } from '../model-error.js';
import { AccountChatModel } from './account-chat-model.js';
import type { AccountChatKey } from './account-chat-keys.js';
import { AccountChatModels } from './account-chat-models.js';

const LIFETIME_MS = 10_000;
const [ANA, BIA] = [1, 2];
const UNAUTHORIZED = { name: 'ModelError', code: 'unauthorized' };

describe('the models of accounts that have brought a key', () => {
  let stored: Map<number, AccountChatKey | Error>;
  let lookUps: number[];
  let reported: [version: string, how: string][];
  let models: AccountChatModels;
  let nowMs: number;
  /** Holds the look-ups back until it resolves. */
  let gate: Promise<void>;
  /** Keys with which a model was asked. */
  let asked: string[];
  let failure: ModelError | null;

  beforeEach(() => {
    [stored, lookUps, reported, asked] = [new Map(), [], [], []];
    [nowMs, gate, failure] = [0, Promise.resolve(), null];
    models = new AccountChatModels(modelWith, () => nowMs);
    models.readFrom({
      findChatKey: async (userId) => {
        lookUps.push(userId);
        const found = stored.get(userId) ?? null;
        await gate;
        if (found instanceof Error) throw found;
        return found;
      },
      chatKeyTurnedOut: ({ version }, how) => void reported.push([version, how]),
    });
  });

  function modelWith({ apiKey }: AccountChatKey): ChatModel {
    return new ScriptedChatModel(() => {
      asked.push(apiKey);
      return failure ? { fails: failure } : { text: apiKey };
    });
  }

  const keyOf = (userId: number, version: string, isRefused = false): AccountChatKey => ({
    userId,
    version,
    baseUrl: null,
    apiKey: `key ${version}`,
    model: null,
    isRefused,
  });
  const store = (userId: number, version: string, isRefused = false) =>
    stored.set(userId, keyOf(userId, version, isRefused));

  const installation = ScriptedChatModel.saying({ text: 'ours' }, { text: 'ours' });
  async function ask(userId: number): Promise<string> {
    const model = new AccountChatModel(userId, models, installation);
    let text = '';
    for await (const chunk of model.stream({ model: 'any', messages: [], tools: [] })) {
      if (chunk.type === 'text') text += chunk.text;
    }
    return text;
  }

  it('are asked with the key of their account, looked up once in ten seconds', async () => {
    store(ANA, 'a');
    store(BIA, 'b');
    for (const userId of [ANA, BIA, ANA, BIA]) await ask(userId);
    expect(asked).toEqual(['key a', 'key b', 'key a', 'key b']);
    expect(lookUps).toEqual([ANA, BIA]);
    nowMs = LIFETIME_MS - 1;
    await ask(ANA);
    expect(lookUps).toEqual([ANA, BIA]);
    nowMs = LIFETIME_MS;
    await ask(ANA);
    expect(lookUps).toEqual([ANA, BIA, ANA]);
  });

  it('share one look-up where several ask at the same time', async () => {
    store(ANA, 'a');
    await Promise.all([ask(ANA), ask(ANA), ask(ANA)]);
    expect(lookUps).toEqual([ANA]);
  });

  it('are known to be none as well', async () => {
    expect([await models.find(ANA), await models.find(ANA)]).toEqual([null, null]);
    expect(lookUps).toEqual([ANA]);
  });

  it('follow a change of another process after ten seconds, and keep a model whose key has not changed', async () => {
    store(ANA, 'a');
    const first = await models.find(ANA);
    nowMs = LIFETIME_MS;
    const same = await models.find(ANA);
    expect(same).toEqual(first);
    expect((same as { model: ChatModel }).model).toBe((first as { model: ChatModel }).model);
    store(ANA, 'a2');
    await ask(ANA);
    nowMs += LIFETIME_MS;
    await ask(ANA);
    stored.delete(ANA);
    nowMs += LIFETIME_MS;
    expect(await ask(ANA)).toBe('ours');
    expect(asked).toEqual(['key a', 'key a2']);
  });

  it('follow a change of this process at once, one that overtakes a look-up too', async () => {
    store(ANA, 'a');
    await ask(ANA);
    store(ANA, 'a2');
    models.forget(ANA);
    await ask(ANA);

    let open = (): void => {};
    gate = new Promise((resolve) => (open = resolve));
    nowMs = LIFETIME_MS;
    const late = ask(ANA);
    store(ANA, 'a3');
    models.forget(ANA);
    open();
    await late;
    await ask(ANA);
    expect(asked).toEqual(['key a', 'key a2', 'key a2', 'key a3']);
  });

  it('stay what they were while keys cannot be looked up; what is not known is no reason to ask with another key', async () => {
    store(ANA, 'a');
    await ask(ANA);
    stored.set(ANA, new Error('the database is away'));
    stored.set(BIA, new Error('the database is away'));
    nowMs = LIFETIME_MS;
    expect(await ask(ANA)).toBe('key a');
    await expect(ask(BIA)).rejects.toMatchObject({ name: 'ModelError', code: 'unavailable' });
    store(BIA, 'b');
    expect(await ask(BIA)).toBe('key b');
  });

  it('fail where the key cannot be opened, also where another one was known', async () => {
    store(ANA, 'a');
    await ask(ANA);
    stored.set(ANA, new SecretUnreadableError('sealed with an unknown key'));
    nowMs = LIFETIME_MS;
    for (let times = 0; times < 2; times++) {
      await expect(ask(ANA)).rejects.toMatchObject({ name: 'ModelError', code: 'unauthorized' });
    }
    expect(lookUps).toEqual([ANA, ANA]);
  });

  it('tell once that the server refuses a key, and once that it takes it again', async () => {
    store(ANA, 'a');
    await ask(ANA);
    expect(reported).toEqual([]);
    failure = new ModelError('unauthorized');
    for (let times = 0; times < 3; times++) await expect(ask(ANA)).rejects.toMatchObject(UNAUTHORIZED);
    expect(reported).toEqual([['a', 'refused']]);
    store(ANA, 'a', true);
    nowMs = LIFETIME_MS;
    await expect(ask(ANA)).rejects.toMatchObject(UNAUTHORIZED);
    expect(reported).toEqual([['a', 'refused']]);
    failure = null;
    await ask(ANA);
    await ask(ANA);
    expect(reported).toEqual([
      ['a', 'refused'],
      ['a', 'accepted'],
    ]);
  });

  it.each([
    [
      'a refusal',
      APIError.generate(401, { error: { message: 'No such key: key a' } }, undefined, new Headers()),
    ],
    ['an error within a stream', new APIError(undefined, { message: 'key a' }, undefined, undefined)],
    ['what is no JSON', new SyntaxError('Unexpected token in "key a"')],
  ])('fail without the words of their server, which may repeat the key: %s', async (_name, cause) => {
    store(ANA, 'a');
    failure = new ModelError('unauthorized', { cause, retryAfterMs: 7 });
    const error = (await ask(ANA).catch((thrown: unknown) => thrown)) as ModelError;
    expect(error).toMatchObject({ ...UNAUTHORIZED, retryAfterMs: 7 });
    const logged = JSON.stringify(describeError(error));
    expect(logged).not.toContain('key a');
    expect(logged.includes('status 401')).toBe(cause instanceof APIError && cause.status === 401);
  });

  it('fail saying why there was no connection', async () => {
    store(ANA, 'a');
    const lost = new APIConnectionError({ message: 'Connection error.', cause: new Error('ECONNREFUSED') });
    failure = new ModelError('unavailable', { cause: lost });
    const error = await ask(ANA).catch((thrown: unknown) => thrown);
    expect(JSON.stringify(describeError(error))).toContain('ECONNREFUSED');
  });

  it('tell nothing of a key because of other failures', async () => {
    store(ANA, 'a');
    for (const code of ['rejected', 'unavailable', 'timeout', 'rate-limited', 'aborted'] as const) {
      failure = new ModelError(code);
      await expect(ask(ANA)).rejects.toMatchObject({ name: 'ModelError', code });
    }
    expect(reported).toEqual([]);
  });
});
