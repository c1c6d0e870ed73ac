import { llm } from '@livekit/agents';
import { describe, expect, it } from '@jest/globals';
import { ScriptedChatModel, type ScriptedTurn } from '../../../test/support/scripted-chat-model.js';
import { ModelError } from '../../providers/llm/model-error.js';
import { ArgumentsRepair } from './arguments-repair.js';

const TOOL = { name: 'book', description: 'Books a day.', parameters: { type: 'object' } };

function setUp(turn: ScriptedTurn) {
  const chatModel = ScriptedChatModel.saying(turn);
  const heard = { usage: [] as unknown[], errors: [] as unknown[] };
  const repair = new ArgumentsRepair({
    chatModel,
    model: { code: 'fallback', reasoningEffort: 'low' },
    temperature: 0.2,
    instructions: 'You are kind.',
    onUsage: (model, usage) => heard.usage.push([model, usage]),
    onError: (error) => heard.errors.push(error),
  });
  const chatCtx = llm.ChatContext.empty();
  chatCtx.addMessage({ role: 'system', content: 'Of the engine.', createdAt: 1 });
  chatCtx.addMessage({ role: 'user', content: 'Segunda-feira.', createdAt: 2 });
  const call = { tool: TOOL, given: { dia: 2 }, problem: 'The day is missing.', conversation: chatCtx.items };
  const repaired = (signal = new AbortController().signal) => repair.repaired(call, signal);
  return { chatModel, heard, repaired };
}

describe('ArgumentsRepair', () => {
  it('asks the fallback LLM with the conversation, the tool alone and what was wrong', async () => {
    const { chatModel, heard, repaired } = setUp({ calls: [{ name: 'book', args: { day: 'monday' } }] });
    await expect(repaired()).resolves.toEqual({ day: 'monday' });
    expect(chatModel.requests).toEqual([
      {
        model: 'fallback',
        reasoningEffort: 'low',
        temperature: 0.2,
        tools: [TOOL],
        toolChoice: 'auto',
        messages: [
          { role: 'system', content: 'You are kind.' },
          { role: 'user', content: 'Segunda-feira.' },
          { role: 'system', content: expect.stringMatching(/\{"dia":2\}.*The day is missing\./) },
        ],
      },
    ]);
    expect(heard).toEqual({ usage: [['fallback', null]], errors: [] });
  });

  it.each([
    ['answers in words', { text: 'Which day?' }],
    ['calls another tool', { calls: [{ name: 'pay' }] }],
    ['writes no object', { calls: [{ name: 'book', args: '[1]' }] }],
    ['writes no JSON', { calls: [{ name: 'book', args: '{day' }] }],
  ])('has no other arguments where that model %s', async (_what, turn) => {
    await expect(setUp(turn).repaired()).resolves.toBeNull();
  });

  it('tells of a model that fails, and has no other arguments then', async () => {
    const failure = new ModelError('unavailable');
    const { heard, repaired } = setUp({ fails: failure });
    await expect(repaired()).resolves.toBeNull();
    expect(heard.errors).toEqual([failure]);
  });

  it('is silent about a call that is over', async () => {
    const { heard, repaired } = setUp({ text: 'x' });
    await expect(repaired(AbortSignal.abort())).resolves.toBeNull();
    expect(heard.errors).toEqual([]);
  });
});
