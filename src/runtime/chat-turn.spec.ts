import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { answering, assistantWith, listening, tool, turn } from '../../test/support/chat-turns.js';
import { ScriptedChatModel } from '../../test/support/scripted-chat-model.js';
import { objectOutcome, type ToolOutcome } from './tools/tool.js';

describe('the arguments of a call', () => {
  it('keep the digits of numbers that no double holds, as strings', async () => {
    const json = '{"order":9876543210987654321,"lines":[{"ean":98765432109876543210,"count":2}],"rate":1e-3}';
    const seen: unknown[] = [];
    const find = tool('find', async (args) => {
      seen.push(args);
      return objectOutcome({ ok: true });
    });
    const model = ScriptedChatModel.saying({ calls: [{ name: 'find', args: json }] }, { text: 'Found.' });
    const { functionCalls } = await turn(model, [find]);

    const exact = {
      order: '9876543210987654321',
      lines: [{ ean: '98765432109876543210', count: 2 }],
      rate: 0.001,
    };
    expect(seen).toEqual([exact]);
    expect(functionCalls).toEqual([{ name: 'find', arguments: exact, result: { ok: true } }]);
    // The model is shown what it has written.
    expect(model.requests[1]?.messages.at(-2)).toMatchObject({ toolCalls: [{ arguments: json }] });
  });
});

describe('the ids of the chat', () => {
  it('are given to each tool as the platform knows them, whatever the model gives', async () => {
    const origin = {
      userId: 5,
      assistantId: 1,
      conversationId: '0b9c1a52-6f0e-4c8f-9a25-3a1f4f6f1d10',
      callId: null,
      leadId: null,
      campaignId: null,
      customerPhone: null,
    };
    const seen: unknown[] = [];
    const find = tool('find', async (_args, context) => {
      seen.push(context.origin);
      return objectOutcome({ ok: true });
    });
    const forged = JSON.stringify({ origin: { userId: 6 }, userId: 6, conversationId: 'another' });
    const calls = [{ name: 'find', args: forged }];
    await turn(ScriptedChatModel.saying({ calls }, { text: 'Found.' }), [find], { origin });
    await turn(ScriptedChatModel.saying({ calls }, { text: 'Found.' }), [find]);
    expect(seen).toEqual([origin, undefined]);
  });
});

describe('a turn without tools', () => {
  it('answers with the words of the model', async () => {
    const model = ScriptedChatModel.saying({ text: ['Good ', 'morning'] });

    expect(await turn(model)).toEqual({ text: 'Good morning', functionCalls: [], effects: [] });
  });

  it('asks with instructions, history and message, in this order', async () => {
    const model = ScriptedChatModel.saying({ text: 'ok' });
    await turn(model, [], {
      history: [
        { role: 'user', content: 'first' },
        { role: 'assistant', content: 'second' },
      ],
    });

    expect(model.requests).toEqual([
      {
        model: 'main',
        messages: [
          { role: 'system', content: 'Be kind to Ana.' },
          { role: 'user', content: 'first' },
          { role: 'assistant', content: 'second' },
          { role: 'user', content: 'Hi' },
        ],
        tools: [],
        temperature: 0.3,
      },
    ]);
  });

  it('leaves empty messages out of the history, which some model servers refuse', async () => {
    const model = ScriptedChatModel.saying({ text: 'ok' });
    await turn(model, [], {
      history: [
        { role: 'user', content: 'first' },
        { role: 'assistant', content: ' \n' },
      ],
    });

    expect(model.requests[0]?.messages.map(({ content }) => content)).toEqual([
      'Be kind to Ana.',
      'first',
      'Hi',
    ]);
  });

  it('tells a reasoning model how much to think', async () => {
    const model = ScriptedChatModel.saying({ text: 'ok' });
    await turn(model, [], {
      assistant: assistantWith([], { model: { code: 'main', reasoningEffort: 'low' } }),
    });

    expect(model.requests[0]).toMatchObject({ model: 'main', reasoningEffort: 'low' });
  });

  it('adds the passages for the message to the instructions', async () => {
    const model = ScriptedChatModel.saying({ text: 'ok' });
    const asked: string[] = [];
    const search = (query: string) => {
      asked.push(query);
      return Promise.resolve([{ text: 'Open at 9.', source: 'Hours' }]);
    };
    await turn(model, [], { assistant: assistantWith([], { knowledge: { mode: 'prompt', search } }) });

    expect(asked).toEqual(['Hi']);
    expect(model.requests[0]?.messages[0]?.content).toMatch(/^Be kind to Ana\.[^]*Open at 9\./);
  });

  it('goes on without passages when they cannot be searched, and tells of it', async () => {
    const model = ScriptedChatModel.saying({ text: 'ok' });
    const broken = new Error('the database does not answer');
    const errors: unknown[] = [];
    const knowledge = { mode: 'prompt', search: () => Promise.reject(broken) } as const;
    await turn(model, [], {
      assistant: assistantWith([], { knowledge }),
      onToolError: (name, error) => errors.push([name, error]),
    });

    expect(errors).toEqual([['search_knowledge_base', broken]]);
    expect(model.requests[0]?.messages[0]?.content).toBe('Be kind to Ana.');
  });
});

describe('a turn with tools', () => {
  const weather = tool('weather', answering({ degrees: 21 }));

  it('gives the model what the tool answered and tells of the call', async () => {
    const model = ScriptedChatModel.saying(
      { calls: [{ name: 'weather', args: { city: 'Recife' } }] },
      { text: 'It is 21 degrees.' },
    );

    expect(await turn(model, [weather])).toEqual({
      text: 'It is 21 degrees.',
      functionCalls: [{ name: 'weather', arguments: { city: 'Recife' }, result: { degrees: 21 } }],
      effects: [],
    });
    expect(model.requests[1]?.messages.slice(2)).toEqual([
      {
        role: 'assistant',
        content: '',
        toolCalls: [{ id: 'call-0-0', name: 'weather', arguments: '{"city":"Recife"}' }],
      },
      { role: 'tool', toolCallId: 'call-0-0', name: 'weather', content: '{"degrees":21}' },
    ]);
    expect(model.requests.map(({ tools }) => tools.map(({ name }) => name))).toEqual([
      ['weather'],
      ['weather'],
    ]);
  });

  it('hands variables and the signal of the turn to the tool', async () => {
    const contexts: unknown[] = [];
    const { signal } = new AbortController();
    const spy = tool('spy', (_args, context) => {
      contexts.push(context);
      return Promise.resolve(objectOutcome({}));
    });
    await turn(ScriptedChatModel.saying({ calls: [{ name: 'spy' }] }, { text: 'ok' }), [spy], {
      signal,
      toolVariables: { name: '' },
    });

    expect(contexts).toEqual([{ variables: { name: '' }, spokenVariables: { name: 'Ana' }, signal }]);
  });

  it('runs the calls of a step at once and keeps their order', async () => {
    const running = { now: 0, most: 0 };
    const slow = (name: string, ms: number) =>
      tool(name, async () => {
        running.most = Math.max(running.most, ++running.now);
        await sleep(ms);
        running.now--;
        return objectOutcome({ name });
      });
    const model = ScriptedChatModel.saying(
      { calls: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] },
      { text: 'done' },
    );
    const { functionCalls } = await turn(model, [slow('a', 60), slow('b', 30), slow('c', 1)]);

    expect(running.most).toBe(3);
    expect(functionCalls.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(model.requests[1]?.messages.slice(3).map((message) => message.content)).toEqual([
      '{"name":"a"}',
      '{"name":"b"}',
      '{"name":"c"}',
    ]);
  });

  it('passes on what the platform has to do afterwards', async () => {
    const end = tool('end', () => Promise.resolve(objectOutcome({ ended: true }, 'end-conversation')));
    const model = ScriptedChatModel.saying({ calls: [{ name: 'end' }] }, { text: 'Bye' });

    expect((await turn(model, [end])).effects).toEqual(['end-conversation']);
  });

  it('keeps what the model said before its calls, in a paragraph of its own', async () => {
    const { heard, listener } = listening();
    const model = ScriptedChatModel.saying(
      { text: ['One ', 'moment.'], calls: [{ name: 'weather' }] },
      { text: ['Warm', '.'] },
    );
    const { text } = await turn(model, [weather], { listener });

    expect(text).toBe('One moment.\n\nWarm.');
    expect(heard).toEqual([
      'text "One "',
      'text "moment."',
      'call weather {"degrees":21}',
      'text "\\n\\nWarm"',
      'text "."',
    ]);
    expect(model.requests[1]?.messages[2]).toMatchObject({ role: 'assistant', content: 'One moment.' });
  });

  it('asks for words alone when the steps are used up', async () => {
    const model = new ScriptedChatModel(({ toolChoice }) =>
      toolChoice === 'none'
        ? { text: 'Enough.', calls: [{ name: 'weather' }] }
        : { calls: [{ name: 'weather' }] },
    );
    const { text, functionCalls } = await turn(model, [weather]);

    expect(model.requests.map(({ toolChoice }) => toolChoice)).toEqual([
      undefined,
      undefined,
      undefined,
      'none',
    ]);
    expect(text).toBe('Enough.');
    expect(functionCalls).toHaveLength(3);
  });

  it('refuses the calls of a step beyond the limit, and answers every one', async () => {
    let runs = 0;
    const counted = tool('counted', () => {
      runs++;
      return Promise.resolve(objectOutcome({ ok: true }));
    });
    const calls = Array.from({ length: 6 }, () => ({ name: 'counted' }));
    const model = ScriptedChatModel.saying({ calls }, { text: 'ok' });
    const { functionCalls } = await turn(model, [counted]);

    expect(runs).toBe(4);
    expect(functionCalls.slice(4).map(({ result }) => result)).toEqual([
      { error: 'Too many tools were called at once.' },
      { error: 'Too many tools were called at once.' },
    ]);
    const [asked, ...answers] = model.requests[1]?.messages.slice(2) ?? [];
    expect(asked).toMatchObject({ toolCalls: { length: 6 } });
    expect(answers).toHaveLength(6);
  });

  it('tells the model that a tool does not exist, and repeats a name model servers accept', async () => {
    const model = ScriptedChatModel.saying(
      { calls: [{ name: 'functions.drop tables' }, { name: '' }, { name: 'x'.repeat(500) }] },
      { text: 'Sorry.' },
    );
    const { functionCalls } = await turn(model, [weather]);

    expect(functionCalls.map(({ result }) => result)).toEqual(
      Array.from({ length: 3 }, () => ({ error: 'There is no tool of that name.' })),
    );
    expect(functionCalls[0]?.name).toBe('functions.drop tables');
    const asked = model.requests[1]?.messages[2];
    const names = asked?.role === 'assistant' ? asked.toolCalls?.map(({ name }) => name) : [];
    expect(names).toEqual(['functions_drop_tables', 'unknown', 'x'.repeat(64)]);
  });

  it.each([
    ['cut off', '{"a":'],
    ['a list', '[1]'],
    ['text', '"a"'],
    ['null', 'null'],
    ['a number', '12'],
    ['no JSON', 'undefined'],
    ['followed by more', '{"a":1}}'],
    ['too long', `{"a":"${'x'.repeat(100_000)}"}`],
  ])('tells the model that its arguments are no object it can use: %s', async (_what, args) => {
    let runs = 0;
    const counted = tool('counted', () => {
      runs++;
      return Promise.resolve(objectOutcome({}));
    });
    const model = ScriptedChatModel.saying({ calls: [{ name: 'counted', args }] }, { text: 'ok' });
    const { functionCalls } = await turn(model, [counted]);

    expect(runs).toBe(0);
    expect(functionCalls).toEqual([
      { name: 'counted', arguments: {}, result: { error: expect.stringContaining('not a JSON object') } },
    ]);
    expect(model.requests[1]?.messages[2]).toMatchObject({ toolCalls: [{ arguments: '{}' }] });
  });

  it('takes no arguments for an empty object', async () => {
    const given: unknown[] = [];
    const spy = tool('spy', (args) => {
      given.push(args);
      return Promise.resolve(objectOutcome({}));
    });
    await turn(ScriptedChatModel.saying({ calls: [{ name: 'spy', args: ' ' }] }, { text: 'ok' }), [spy]);

    expect(given).toEqual([{}]);
  });

  it('goes on when a tool breaks, and tells the operator why', async () => {
    const cause = new Error('secret detail');
    const errors: unknown[] = [];
    const broken = tool('broken', () => Promise.reject(cause));
    const model = ScriptedChatModel.saying(
      { calls: [{ name: 'broken' }, { name: 'weather' }] },
      { text: 'Sorry.' },
    );
    const result = await turn(model, [broken, weather], {
      onToolError: (name, error) => errors.push([name, error]),
    });

    expect(result.text).toBe('Sorry.');
    expect(result.functionCalls.map(({ result: one }) => one)).toEqual([
      { error: 'The tool failed.' },
      { degrees: 21 },
    ]);
    expect(JSON.stringify(model.requests)).not.toContain('secret detail');
    expect(errors).toEqual([['broken', cause]]);
  });

  it('keeps function calls that the database can store, of bounded size', async () => {
    const outcome: ToolOutcome = { content: 'x', result: { text: `\0${'x'.repeat(100_000)}` } };
    const big = tool('big', () => Promise.resolve(outcome));
    const model = ScriptedChatModel.saying(
      { calls: [{ name: 'big', args: { q: '\0'.repeat(20_000) } }] },
      { text: 'ok' },
    );
    const { functionCalls } = await turn(model, [big]);

    expect(JSON.stringify(functionCalls).length).toBeLessThan(20_000);
    expect(JSON.stringify(functionCalls)).not.toContain('\\u0000');
  });
});

describe('the length of an answer', () => {
  it('is bounded, and the stream left when it is reached', async () => {
    const { heard, listener } = listening();
    const model = ScriptedChatModel.saying({ text: Array.from({ length: 1_000 }, () => 'x'.repeat(1_000)) });
    const { text } = await turn(model, [], { listener });

    expect(text).toHaveLength(32_768);
    expect(heard).toHaveLength(33);
    expect(model.chunksRead).toBe(33);
  });

  it('is bounded over all steps of a turn', async () => {
    const model = new ScriptedChatModel(() => ({ text: 'x'.repeat(20_000), calls: [{ name: 'ping' }] }));

    expect((await turn(model, [tool('ping', answering({}))])).text.length).toBe(32_768);
    expect(model.requests).toHaveLength(2);
  });

  it('does not count characters the database refuses', async () => {
    expect(
      (await turn(ScriptedChatModel.saying({ text: ['a\0b', '\ud83d', '\ude00', '\ud800'] }))).text,
    ).toBe('ab😀\ufffd');
  });
});

describe('what a provider needs of a turn', () => {
  const FIELDS = {
    call: { extra_content: { google: { thought_signature: 'c2ln' } } },
    message: { reasoning_content: 'x' },
  };

  it('goes back to the model with the call, and into nothing else', async () => {
    const model = ScriptedChatModel.saying(
      { calls: [{ name: 'look up', providerFields: FIELDS }] },
      { text: 'Found.' },
    );
    const result = await turn(model);
    expect(model.requests[1]?.messages.at(-2)).toMatchObject({ toolCalls: [{ providerFields: FIELDS }] });
    expect(JSON.stringify(result)).not.toMatch(/c2ln|reasoning_content/);
  });

  it('takes back what turned out to be a thought, and keeps what was said in an earlier step', async () => {
    const { heard, listener } = listening();
    const model = ScriptedChatModel.saying(
      { text: 'One moment.', calls: [{ name: 'find' }] },
      { retracted: 'The customer is poor.', text: 'Found.' },
    );
    const { text } = await turn(model, [tool('find', answering({}))], { listener });
    expect(text).toBe('One moment.\n\nFound.');
    expect(heard.slice(-2)).toEqual(['restart "One moment."', 'text "\\n\\nFound."']);
  });
});

describe('cancelling', () => {
  it('reaches the tools that run', async () => {
    const controller = new AbortController();
    const waiting = tool('waiting', async (_args, { signal }) => {
      setTimeout(() => controller.abort(), 10);
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      return objectOutcome({ stopped: true });
    });
    const model = ScriptedChatModel.saying({ calls: [{ name: 'waiting' }] }, { text: 'late' });

    await expect(turn(model, [waiting], { signal: controller.signal })).rejects.toMatchObject({
      code: 'aborted',
    });
  });
});
