import { describe, expect, it } from '@jest/globals';
import { ScriptedChatModel, type ScriptedTurn } from '#test/support/scripted-chat-model.js';
import type { ChatChunk, ChatMessage, ChatModel, ChatRequest } from '../chat-model.js';
import { ModelError } from '../model-error.js';
import { HistoryTrimmingModel } from './history-trimming-model.js';

const TOO_LONG = new ModelError('rejected', { cause: { status: 400, code: 'context_length_exceeded' } });
const FILTERED = new ModelError('rejected', { cause: { status: 400, code: 'content_filter' } });
const SYSTEM: ChatMessage = { role: 'system', content: 'Be kind.' };

const user = (content: string): ChatMessage => ({ role: 'user', content });
const assistant = (content: string): ChatMessage => ({ role: 'assistant', content });
const call = (id: string): ChatMessage[] => [
  { role: 'assistant', content: '', toolCalls: [{ id, name: 'find', arguments: '{}' }] },
  { role: 'tool', toolCallId: id, name: 'find', content: 'found' },
];

/** A model that refuses what a test says, and else says how many messages it has read. */
function setUp(refuses: (messages: readonly ChatMessage[], asked: number) => ScriptedTurn | null) {
  const script = new ScriptedChatModel(
    ({ messages }, asked) => refuses(messages, asked) ?? { text: `read ${messages.length}` },
  );
  return { script, model: new HistoryTrimmingModel(script) };
}

async function ask(model: ChatModel, messages: readonly ChatMessage[]): Promise<string> {
  let text = '';
  const request: ChatRequest = { model: 'm', messages, tools: [] };
  for await (const chunk of model.stream(request)) if (chunk.type === 'text') text += chunk.text;
  return text;
}

const sent = ({ requests }: ScriptedChatModel) =>
  requests.map(({ messages }) => messages.map(({ content }) => content).join('|'));

describe('a history that is too long', () => {
  const exchanges = [1, 2, 3, 4].flatMap((n) => [user(`u${n}`), assistant(`a${n}`)]);
  const conversation = [SYSTEM, ...exchanges, user('now')];

  it('is halved until the model takes it, from a message of the user on', async () => {
    const { script, model } = setUp((messages) => (messages.length > 3 ? { fails: TOO_LONG } : null));
    expect(await ask(model, conversation)).toBe('read 2');
    expect(sent(script).slice(1)).toEqual(['Be kind.|u3|a3|u4|a4|now', 'Be kind.|u4|a4|now', 'Be kind.|now']);
  });

  it('keeps calls with their results, and what the turn has done so far', async () => {
    const { script, model } = setUp((messages) => (messages.length > 7 ? { fails: TOO_LONG } : null));
    await ask(model, [
      SYSTEM,
      user('u1'),
      ...call('a'),
      assistant('a1'),
      user('u2'),
      ...call('b'),
      assistant('a2'),
      user('now'),
      ...call('c'),
    ]);
    expect(sent(script)).toEqual([
      'Be kind.|u1||found|a1|u2||found|a2|now||found',
      'Be kind.|u2||found|a2|now||found',
      'Be kind.|now||found',
    ]);
  });

  it('is shortened at once the next time', async () => {
    const { script, model } = setUp((messages) => (messages.length > 6 ? { fails: TOO_LONG } : null));
    await ask(model, conversation);
    await ask(model, [...conversation, assistant('a5'), user('later')]);
    expect(sent(script)).toHaveLength(3);
  });

  it('gives up when nothing is left to leave out, and says so', async () => {
    const { script, model } = setUp(() => ({ fails: TOO_LONG }));
    await expect(ask(model, conversation)).rejects.toMatchObject({ code: 'rejected', isTooLong: true });
    expect(script.requests).toHaveLength(4);
  });

  it('has the results of its tools shortened last', async () => {
    const long: ChatMessage[] = [
      ...call('a').slice(0, 1),
      { role: 'tool', toolCallId: 'a', name: 'find', content: 'x'.repeat(5_000) },
    ];
    const { script, model } = setUp((messages) =>
      JSON.stringify(messages).length > 3_000 ? { fails: TOO_LONG } : null,
    );
    expect(await ask(model, [SYSTEM, user('u1'), assistant('a1'), user('now'), ...long])).toBe('read 4');
    expect(script.requests.at(-1)?.messages.at(-1)?.content).toMatch(/^x{1000}\n\[The rest is left out\.\]$/);
  });
});

describe('a message that was never answered', () => {
  const poisoned = (messages: readonly ChatMessage[]) =>
    messages.some(({ content }) => content.includes('bomb')) ? { fails: FILTERED } : null;

  it('is left out where the request is refused with it, and at once from then on', async () => {
    const { script, model } = setUp(poisoned);
    const conversation = [SYSTEM, user('u1'), assistant('a1'), user('bomb'), user('now')];
    expect(await ask(model, conversation)).toBe('read 4');
    expect(await ask(model, [...conversation, assistant('a2'), user('later')])).toBe('read 6');
    expect(sent(script)).toEqual([
      'Be kind.|u1|a1|bomb|now',
      'Be kind.|u1|a1|now',
      'Be kind.|u1|a1|now|a2|later',
    ]);
  });

  it('is kept where an outage was the reason', async () => {
    const { script, model } = setUp(() => null);
    await ask(model, [SYSTEM, user('my order is 42'), user('hello?')]);
    expect(sent(script)).toEqual(['Be kind.|my order is 42|hello?']);
  });

  it('is not left out for other assistants', async () => {
    const { script, model } = setUp(poisoned);
    await ask(model, [SYSTEM, user('bomb'), user('now')]);
    await ask(model, [{ role: 'system', content: 'Other.' }, user('bomb'), user('now')]);
    expect(sent(script)).toHaveLength(4);
  });

  it('is left out where the provider withholds the answer instead of refusing', async () => {
    const seen: number[] = [];
    const withholding: ChatModel = {
      provider: 'openai-compatible',
      capabilities: { streaming: true, parallelToolCalls: true },
      async *stream({ messages }): AsyncGenerator<ChatChunk> {
        seen.push(messages.length);
        if (poisoned(messages)) yield { type: 'finish', reason: 'content-filter', usage: null };
        else
          yield* [
            { type: 'text', text: 'ok' } as const,
            { type: 'finish', reason: 'stop', usage: null } as const,
          ];
      },
    };
    expect(await ask(new HistoryTrimmingModel(withholding), [SYSTEM, user('bomb'), user('now')])).toBe('ok');
    expect(seen).toEqual([3, 2]);
  });

  it('is no reason to ask again where it is the only message', async () => {
    const { script, model } = setUp(poisoned);
    await expect(ask(model, [SYSTEM, user('bomb')])).rejects.toBe(FILTERED);
    expect(script.requests).toHaveLength(1);
  });
});

describe('a refusal for another reason', () => {
  it('leaves all of the history out where something that was answered is filtered', async () => {
    const { script, model } = setUp((messages) => (messages.length > 2 ? { fails: FILTERED } : null));
    expect(await ask(model, [SYSTEM, user('u1'), assistant('bomb'), user('now')])).toBe('read 2');
    expect(script.requests).toHaveLength(2);
  });

  it.each(['unavailable', 'rate-limited', 'unauthorized', 'timeout'] as const)(
    'is passed on: %s',
    async (code) => {
      const failure = new ModelError(code);
      const { script, model } = setUp(() => ({ fails: failure }));
      await expect(ask(model, [SYSTEM, user('a'), user('b'), user('c')])).rejects.toBe(failure);
      expect(script.requests).toHaveLength(1);
    },
  );

  it('is passed on once words have come', async () => {
    const { script, model } = setUp(() => ({ text: 'so', fails: TOO_LONG }));
    await expect(ask(model, [SYSTEM, user('a'), assistant('b'), user('c')])).rejects.toMatchObject({
      code: 'rejected',
    });
    expect(script.requests).toHaveLength(1);
  });
});
