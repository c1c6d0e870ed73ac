import { initializeLogger, llm } from '@livekit/agents';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ScriptedChatModel, type ScriptedTurn } from '../../../test/support/scripted-chat-model.js';
import type { ChatModel } from '../../providers/llm/chat-model.js';
import { ModelError } from '../../providers/llm/model-error.js';
import type { RuntimeTool } from '../../runtime/tools/tool.js';
import { ChatModelLlm, type ChatModelLlmOptions } from './chat-model-llm.js';

const WEATHER: RuntimeTool = {
  definition: {
    name: 'weather',
    description: 'Tells the weather.',
    parameters: { type: 'object', properties: { city: { type: 'string' } } },
  },
  run: async () => ({ content: '{}', result: {} }),
};
const AWAY = new ModelError('unavailable');

function setUp(chatModel: ChatModel, changes: Partial<ChatModelLlmOptions> = {}) {
  const heard = { usage: [] as unknown[], errors: [] as unknown[], failures: [] as unknown[] };
  const model = new ChatModelLlm({
    chatModel,
    model: { code: 'first' },
    fallbackModel: { code: 'second' },
    temperature: 0.3,
    instructions: () => 'You are kind.',
    tools: new Map([['weather', WEATHER]]),
    knowledge: null,
    onUsage: (code, usage) => heard.usage.push([code, usage]),
    onError: (error) => heard.errors.push(error),
    onFailure: (error) => heard.failures.push(error),
    ...changes,
  });
  return { model, heard };
}

function conversation(): llm.ChatContext {
  const chatCtx = llm.ChatContext.empty();
  chatCtx.addMessage({ role: 'system', content: 'You are kind.', createdAt: 1 });
  chatCtx.addMessage({ role: 'user', content: 'Bom dia', createdAt: 2 });
  return chatCtx;
}

async function answerOf(model: llm.LLM, chatCtx = conversation(), toolCtx?: llm.ToolContextLike) {
  return model.chat({ chatCtx, ...(toolCtx ? { toolCtx } : {}) }).collect();
}

describe('ChatModelLlm', () => {
  beforeAll(() => initializeLogger({ pretty: false, level: 'silent' }));

  it('asks the model as a chat does, and passes on its words, calls and usage', async () => {
    const chatModel = ScriptedChatModel.saying({
      text: ['Um ', 'momento.'],
      calls: [{ name: 'weather', args: { city: 'Rio' } }],
    });
    const { model, heard } = setUp(chatModel);
    const tool = llm.tool({ name: 'weather', description: '', execute: async () => '' });
    const answer = await answerOf(model, conversation(), [tool]);
    expect(answer.text).toBe('Um momento.');
    expect(answer.toolCalls).toMatchObject([{ name: 'weather', args: '{"city":"Rio"}' }]);
    expect(chatModel.requests).toMatchObject([
      {
        model: 'first',
        temperature: 0.3,
        tools: [WEATHER.definition],
        messages: [
          { role: 'system', content: 'You are kind.' },
          { role: 'user', content: 'Bom dia' },
        ],
      },
    ]);
    expect(heard).toEqual({ usage: [['first', null]], errors: [], failures: [] });
  });

  it('keeps the digits of numbers that the engine would change, as strings', async () => {
    const args = '{"order":9876543210987654321,"count":2}';
    const chatModel = ScriptedChatModel.saying({ calls: [{ name: 'weather', args }] });
    const { toolCalls } = await answerOf(setUp(chatModel).model);
    expect(toolCalls).toMatchObject([{ args: '{"order":"9876543210987654321","count":2}' }]);
  });

  it('shows the model its calls with their results, and the calls that were interrupted', async () => {
    const chatModel = ScriptedChatModel.saying({ text: 'Sol.' });
    const chatCtx = conversation();
    const call = (callId: string, createdAt: number) =>
      llm.FunctionCall.create({ callId, name: 'weather', args: '{}', createdAt });
    const output = (callId: string, createdAt: number) =>
      llm.FunctionCallOutput.create({ callId, output: `of ${callId}`, isError: false, createdAt });
    chatCtx.addMessage({ role: 'assistant', content: 'Vou ver.', createdAt: 3 });
    chatCtx.insert([call('a', 4), call('b', 5), output('a', 6), output('unknown', 7)]);
    chatCtx.addMessage({ role: 'user', content: 'E então?', createdAt: 8 });
    await answerOf(setUp(chatModel).model, chatCtx);
    expect(chatModel.requests[0]!.messages.slice(2)).toMatchObject([
      { role: 'assistant', content: 'Vou ver.', toolCalls: [{ id: 'a' }, { id: 'b' }] },
      { role: 'tool', toolCallId: 'a', content: 'of a' },
      { role: 'tool', toolCallId: 'b', content: expect.stringContaining('interrupted') },
      { role: 'user', content: 'E então?' },
    ]);
  });

  it('gives a call back with what the provider had sent with it', async () => {
    const providerFields = { call: { extra_content: { google: { thought_signature: 'c2ln' } } } };
    const chatModel = ScriptedChatModel.saying(
      { calls: [{ name: 'weather', providerFields }] },
      { text: 'Sol.' },
    );
    const { model } = setUp(chatModel);
    const tool = llm.tool({ name: 'weather', description: '', execute: async () => '' });
    const { toolCalls } = await answerOf(model, conversation(), [tool]);
    const chatCtx = conversation();
    // As the engine keeps it.
    chatCtx.insert(
      toolCalls.map(({ callId, name, args, extra }) =>
        llm.FunctionCall.create({ callId, name, args, extra, createdAt: 3 }),
      ),
    );
    await answerOf(model, chatCtx, [tool]);
    expect(chatModel.requests[1]?.messages.at(-2)).toMatchObject({ toolCalls: [{ providerFields }] });
  });

  it('looks a question up in the knowledge base where passages belong into the prompt', async () => {
    const chatModel = ScriptedChatModel.saying({ text: 'Às nove.' });
    const search = async (query: string) => [{ text: `Opens at nine (${query}).`, source: 'hours.txt' }];
    await answerOf(setUp(chatModel, { knowledge: { mode: 'prompt', search } }).model);
    expect(chatModel.requests[0]!.messages[0]!.content).toContain('Opens at nine (Bom dia).');
  });

  it('answers without passages when they cannot be searched, and reports why', async () => {
    const broken = new Error('the database does not answer');
    const knowledge = { mode: 'prompt', search: () => Promise.reject(broken) } as const;
    const { model, heard } = setUp(ScriptedChatModel.saying({ text: 'Não sei.' }), { knowledge });
    expect((await answerOf(model)).text).toBe('Não sei.');
    expect(heard).toMatchObject({ errors: [broken], failures: [] });
  });

  it('asks the second model when the first fails, and lets the speech go on', async () => {
    const script: ScriptedTurn[] = [{ text: 'Claro, ', fails: AWAY }, { text: 'às três.' }];
    const chatModel = ScriptedChatModel.saying(...script);
    const { model, heard } = setUp(chatModel);
    expect((await answerOf(model)).text).toBe('Claro, às três.');
    expect(chatModel.requests.map((request) => request.model)).toEqual(['first', 'second']);
    expect(chatModel.requests[1]!.messages.slice(-2)).toMatchObject([
      { role: 'assistant', content: 'Claro, ' },
      { role: 'system', content: expect.stringContaining('Go on') },
    ]);
    expect(heard).toMatchObject({ errors: [AWAY], failures: [] });
  });

  it('asks the second model when the first says nothing for too long, also in the middle of a sentence', async () => {
    const script: ScriptedTurn[] = [{ text: 'Claro, ', isSilentAfter: true }, { text: 'às três.' }];
    const chatModel = ScriptedChatModel.saying(...script);
    const { model, heard } = setUp(chatModel, { silentModelMs: 50 });
    expect((await answerOf(model)).text).toBe('Claro, às três.');
    expect(chatModel.requests.map((request) => request.model)).toEqual(['first', 'second']);
    expect(heard).toMatchObject({ errors: [{ code: 'timeout' }], failures: [] });
  });

  it('asks the only model once more', async () => {
    const chatModel = ScriptedChatModel.saying({ fails: AWAY }, { text: 'Sim.' });
    expect((await answerOf(setUp(chatModel, { fallbackModel: null }).model)).text).toBe('Sim.');
    expect(chatModel.requests.map((request) => request.model)).toEqual(['first', 'first']);
  });

  it('does not ask again once a tool was called, which may have done its work', async () => {
    const chatModel = ScriptedChatModel.saying({ calls: [{ name: 'weather' }], fails: AWAY });
    const { model } = setUp(chatModel);
    await answerOf(model);
    expect(chatModel.requests).toHaveLength(1);
  });

  it('tells when no model answers', async () => {
    const { model, heard } = setUp(ScriptedChatModel.saying({ fails: AWAY }, { fails: AWAY }));
    expect((await answerOf(model)).text).toBe('');
    expect(heard).toMatchObject({ errors: [AWAY], failures: [AWAY] });
  });

  it('fails on an unexpected error too, so that the customer does not wait for an answer that never comes', async () => {
    const broken = new Error('broken');
    const { model, heard } = setUp(
      new ScriptedChatModel(() => {
        throw broken;
      }),
    );
    expect((await answerOf(model)).text).toBe('');
    expect(heard.failures).toEqual([broken]);
  });

  it('puts a note for one turn behind the conversation, and before what the turn has done', async () => {
    const chatModel = ScriptedChatModel.saying({ text: 'Olá?' }, { text: 'Olá?' });
    const { model } = setUp(chatModel);
    const chatCtx = llm.ChatContext.empty();
    chatCtx.addMessage({ role: 'system', content: 'You are kind.\nAsk for a sign.', createdAt: 1 });
    chatCtx.addMessage({ role: 'user', content: 'Um momento.', createdAt: 2 });
    await answerOf(model, chatCtx);
    chatCtx.insert(llm.FunctionCall.create({ callId: 'x', name: 'weather', args: '{}', createdAt: 3 }));
    chatCtx.insert(
      llm.FunctionCallOutput.create({
        callId: 'x',
        name: 'weather',
        output: '{}',
        isError: false,
        createdAt: 4,
      }),
    );
    await answerOf(model, chatCtx);
    const [unasked, afterTool] = chatModel.requests.map(({ messages }) => messages);
    const before = [
      { role: 'system', content: 'You are kind.' },
      { role: 'user', content: 'Um momento.' },
      { role: 'system', content: 'Ask for a sign.' },
    ];
    expect(unasked).toEqual(before);
    expect(afterTool).toMatchObject([...before, { role: 'assistant', content: '' }, { role: 'tool' }]);
  });

  it('joins words of one side that follow each other', async () => {
    const chatModel = ScriptedChatModel.saying({ text: 'Sim.' });
    const chatCtx = conversation();
    chatCtx.addMessage({ role: 'user', content: 'Alguém aí?', createdAt: 3 });
    await answerOf(setUp(chatModel).model, chatCtx);
    expect(chatModel.requests[0]!.messages.slice(1)).toEqual([
      { role: 'user', content: 'Bom dia\nAlguém aí?' },
    ]);
  });

  it('stops asking when the customer interrupts, and calls that no failure', async () => {
    const chatModel = ScriptedChatModel.saying({ text: Array.from({ length: 1_000 }, () => 'e ') });
    const { model, heard } = setUp(chatModel);
    const stream = model.chat({ chatCtx: conversation() });
    await stream.next();
    stream.close();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(chatModel.chunksRead).toBeLessThan(1_000);
    expect(heard.failures).toEqual([]);
  });
});
