import { describe, expect, it } from '@jest/globals';
import { assistantWith, listening, turn } from '../../test/support/chat-turns.js';
import { ScriptedChatModel } from '../../test/support/scripted-chat-model.js';
import { ModelError } from '../providers/llm/model-error.js';
import { handoffTools } from './handoff/handoff-tool.js';
import { Handoffs } from './handoff/handoffs.js';
import type { Variables } from './variables.js';
import type { CompiledAssistant } from './compile-assistant.js';

describe('a turn in which another assistant takes over', () => {
  const target = {
    assistantId: 2,
    name: 'Sales',
    description: 'Who wants to buy',
    message: 'One moment, {{name}}.',
  };
  const sales = (extra: Partial<CompiledAssistant> = {}) => ({
    assistant: assistantWith([], {
      id: 2,
      name: 'Sales',
      model: { code: 'sales' },
      instructions: ({ shop }) => `Sell for ${String(shop)}.`,
      ...extra,
    }),
    variables: { shop: 'Ana & Co' },
    toolVariables: { shop: 'Ana & Co' },
  });
  const handOver = { name: 'handoff_to_assistant', args: { assistant: 'Sales' } };
  const offering = (find: () => ReturnType<typeof sales> | null, count = 0) => {
    return new Handoffs({ count, find: async () => find() });
  };
  const tools = handoffTools([target]);

  it('goes on with its prompt, its variables and its model, after the words of the hand-over', async () => {
    const model = ScriptedChatModel.saying({ text: 'Sure.', calls: [handOver] }, { text: 'A cake?' });
    const { heard, listener } = listening();
    const { text, handedTo } = await turn(model, tools, { handoffs: offering(sales), listener });

    expect(text).toBe('Sure.\n\nOne moment, Ana.\n\nA cake?');
    expect(handedTo?.assistant.name).toBe('Sales');
    expect(heard.filter((each) => each.startsWith('text'))).toHaveLength(3);
    const [, second] = model.requests;
    expect(second).toMatchObject({ model: 'sales', tools: [] });
    expect(second?.messages[0]).toEqual({ role: 'system', content: 'Sell for Ana & Co.' });
    expect(second?.messages.at(-1)).toMatchObject({ role: 'tool', name: 'handoff_to_assistant' });
  });

  it.each([
    [true, 'Begin with this greeting: "Hello from Ana & Co!" Then go on with what the customer wants.'],
    [false, 'Go on with what the customer wants, and do not greet again.'],
  ])('asks the one that takes over to greet only where the tool says so: %s', async (greets, next) => {
    const greeting = ({ shop }: Variables) => `Hello from ${String(shop)}!`;
    const model = ScriptedChatModel.saying({ calls: [handOver] }, { text: 'A cake?' });
    const greetingTools = handoffTools([{ ...target, greets }]);
    await turn(model, greetingTools, { handoffs: offering(() => sales({ greeting })) });

    const result = JSON.parse(String(model.requests[1]?.messages.at(-1)?.content)) as { next: string };
    expect(result.next).toBe(`You are Sales now. ${next}`);
  });

  it('falls back to the other model of the one that has taken over, and keeps the words of the hand-over', async () => {
    const model = ScriptedChatModel.saying(
      { calls: [handOver] },
      { text: 'A c', fails: new ModelError('unavailable') },
      { text: 'A cake?' },
    );
    const { heard, listener } = listening();
    const found = () => sales({ fallbackModel: { code: 'spare' } });
    const { text } = await turn(model, tools, { handoffs: offering(found), listener });

    expect(text).toBe('One moment, Ana.\n\nA cake?');
    expect(model.requests.map((request) => request.model)).toEqual(['main', 'sales', 'spare']);
    expect(heard.slice(-2)).toEqual(['restart "One moment, Ana."', 'text "\\n\\nA cake?"']);
  });

  it('falls back to it as well when the one that has taken over says nothing', async () => {
    const model = ScriptedChatModel.saying({ text: 'Sure.', calls: [handOver] }, {}, { text: 'A cake?' });
    const found = () => sales({ fallbackModel: { code: 'spare' } });
    const { text } = await turn(model, tools, { handoffs: offering(found) });

    expect(text).toBe('One moment, Ana.\n\nA cake?');
  });

  it('takes the first of several at once, and tells the model of the others', async () => {
    const model = ScriptedChatModel.saying({ calls: [handOver, handOver] }, { text: 'A cake?' });
    const handoffs = offering(sales);
    const { functionCalls } = await turn(model, tools, { handoffs });

    expect(functionCalls.map(({ result }) => result)).toEqual([
      { handed_over: true, assistant_id: 2, assistant_name: 'Sales' },
      { error: 'The customer is being handed over already.' },
    ]);
    expect(handoffs.count).toBe(1);
  });

  it.each([
    ['is not there', () => null, 0, 'Sales is not available. Go on with the customer yourself.'],
    [
      'was the tenth',
      sales,
      10,
      'The customer has been handed over too often. Go on with the customer yourself.',
    ],
  ])('stays with its assistant when the other one %s', async (_case, find, count, error) => {
    const model = ScriptedChatModel.saying({ calls: [handOver] }, { text: 'I can help.' });
    const { text, functionCalls, handedTo } = await turn(model, tools, { handoffs: offering(find, count) });

    expect({ text, handedTo }).toEqual({ text: 'I can help.', handedTo: undefined });
    expect(functionCalls[0]?.result).toEqual({ error });
    expect(model.requests[1]?.model).toBe('main');
  });

  it('refuses a name that is not in its list, and names those that are', async () => {
    const model = ScriptedChatModel.saying(
      { calls: [{ ...handOver, args: { assistant: 'Boss' } }] },
      { text: 'No.' },
    );
    const { functionCalls } = await turn(model, tools, { handoffs: offering(sales) });

    expect(functionCalls[0]?.result).toEqual({ error: 'The assistant is one of: Sales.' });
  });
});
