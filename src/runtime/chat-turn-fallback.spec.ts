import { describe, expect, it } from '@jest/globals';
import { answering, listening, tool, turn } from '../../test/support/chat-turns.js';
import { ScriptedChatModel, type ScriptedTurn } from '../../test/support/scripted-chat-model.js';
import { ModelError } from '../providers/llm/model-error.js';
import { objectOutcome, type RuntimeTool } from './tools/tool.js';

describe('the fallback model', () => {
  const failing = (code: 'timeout' | 'rejected' | 'unavailable' = 'unavailable') => ({
    fails: new ModelError(code),
  });

  it.each(['timeout', 'rejected', 'unavailable'] as const)(
    'answers when the first fails: %s',
    async (code) => {
      const { heard, listener } = listening();
      const model = ScriptedChatModel.saying({ text: 'Good mor', ...failing(code) }, { text: 'Hello.' });
      const { text } = await turn(model, [], { fallback: true, listener });

      expect(text).toBe('Hello.');
      expect(heard).toEqual(['text "Good mor"', 'restart', 'text "Hello."']);
      expect(model.requests.map(({ model: name }) => name)).toEqual(['main', 'spare']);
    },
  );

  it.each<[string, ScriptedTurn[], RuntimeTool[]]>([
    ['nothing', [{ text: [' ', '\n'] }], []],
    ['nothing after a tool', [{ calls: [{ name: 'look' }] }, {}], [tool('look', answering({}))]],
  ])('answers when the first one says %s, which is no answer', async (_case, script, tools) => {
    const model = ScriptedChatModel.saying(...script, { text: 'Hello.' });

    expect((await turn(model, tools, { fallback: true })).text).toBe('Hello.');
    const alone = turn(new ScriptedChatModel((_request, n) => script[n] ?? {}), tools);
    await expect(alone).rejects.toMatchObject({ code: 'malformed' });
  });

  it('is not asked when a tool has left nothing to say, and not when words came before the tool', async () => {
    const press = tool('press', () => Promise.resolve(objectOutcome({ pressed: '1' }, 'acted-on-line')));
    const pressing = ScriptedChatModel.saying({ calls: [{ name: 'press' }] }, {});
    expect(await turn(pressing, [press], { fallback: true })).toMatchObject({ text: '' });

    const noting = ScriptedChatModel.saying({ text: 'Noted.', calls: [{ name: 'note' }] }, {});
    const { text } = await turn(noting, [tool('note', answering({}))], { fallback: true });
    expect(text).toBe('Noted.');
  });

  it('goes on after the tools that have run, and does not run them again', async () => {
    let runs = 0;
    const pay = tool('pay', () => {
      runs++;
      return Promise.resolve(objectOutcome({ paid: true }));
    });
    const model = ScriptedChatModel.saying({ text: 'Paying.', calls: [{ name: 'pay' }] }, failing(), {
      text: 'It is paid.',
    });
    const { text, functionCalls } = await turn(model, [pay], { fallback: true });

    expect(runs).toBe(1);
    expect(text).toBe('It is paid.');
    expect(functionCalls).toHaveLength(1);
    expect(model.requests[2]?.messages.at(-1)).toMatchObject({ role: 'tool', content: '{"paid":true}' });
  });

  it.each<[string, ScriptedTurn]>([
    ['breaks off', { text: 'It is', fails: new ModelError('truncated') }],
    ['says nothing', {}],
  ])('is the same model after tools have run, where there is no other and it %s', async (_case, failed) => {
    let runs = 0;
    const pay = tool('pay', () => {
      runs++;
      return Promise.resolve(objectOutcome({ paid: true }));
    });
    const paying = { calls: [{ name: 'pay' }] };
    const model = ScriptedChatModel.saying(paying, failed, { text: 'It is paid.' });
    const { text, functionCalls } = await turn(model, [pay]);

    expect([text, runs, functionCalls.length]).toEqual(['It is paid.', 1, 1]);
    expect(model.requests.map(({ model: name }) => name)).toEqual(['main', 'main', 'main']);
    const refused = ScriptedChatModel.saying(paying, failing('rejected'));
    await expect(turn(refused, [pay])).rejects.toMatchObject({ code: 'rejected' });
    const twice = ScriptedChatModel.saying(paying, failing(), failing('timeout'));
    await expect(turn(twice, [pay])).rejects.toMatchObject({ code: 'timeout' });
  });

  it('is asked once', async () => {
    const model = ScriptedChatModel.saying(failing('timeout'), failing('unavailable'));

    await expect(turn(model, [], { fallback: true })).rejects.toMatchObject({ code: 'unavailable' });
    expect(model.requests).toHaveLength(2);
  });

  it('has no more steps left than the first had', async () => {
    const ping = tool('ping', answering({}));
    const model = new ScriptedChatModel(({ toolChoice }, n) => {
      if (n === 2) return failing();
      return toolChoice === 'none' ? { text: 'Enough.' } : { calls: [{ name: 'ping' }] };
    });
    const { functionCalls } = await turn(model, [ping], { fallback: true });

    expect(functionCalls).toHaveLength(3);
  });

  it('is not asked when there is none', async () => {
    await expect(turn(ScriptedChatModel.saying(failing()))).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('is not asked when the turn was cancelled', async () => {
    const model = ScriptedChatModel.saying({ text: 'x' });

    await expect(turn(model, [], { fallback: true, signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'aborted',
    });
    expect(model.requests).toHaveLength(1);
  });

  it('is not asked when the turn was cancelled while the first model failed', async () => {
    const controller = new AbortController();
    const model = new ScriptedChatModel(() => {
      controller.abort();
      return failing('timeout');
    });

    await expect(turn(model, [], { fallback: true, signal: controller.signal })).rejects.toBeInstanceOf(
      ModelError,
    );
    expect(model.requests).toHaveLength(1);
  });

  it('is not asked for a mistake of our own', async () => {
    const model = new ScriptedChatModel(() => {
      throw new TypeError('bug');
    });

    await expect(turn(model, [], { fallback: true })).rejects.toBeInstanceOf(TypeError);
    expect(model.requests).toHaveLength(1);
  });
});
