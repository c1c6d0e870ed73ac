import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { collectTurn } from '#test/conformance/chat-model.conformance.js';
import { answerJson, LocalServer } from '#test/support/http-server.js';
import { OpenAiChatModel, type OpenAiChatModelOptions } from './openai-chat-model.js';

describe('the model that an OpenAI-compatible server is asked for', () => {
  let listed: unknown[] | null;
  /** In place of the list. */
  let body: object | null;
  let server: LocalServer;
  const open: OpenAiChatModel[] = [];

  beforeEach(async () => {
    body = null;
    listed = ['nomic-embed-text', 'qwen3:8b', 'llama3.2:latest'];
    server = await LocalServer.start(({ path }, response) => {
      if (path !== '/v1/models') {
        answerJson(response, {
          choices: [{ index: 0, message: { content: 'Hi.' }, finish_reason: 'stop' }],
        });
      } else if (body) answerJson(response, body);
      else if (listed) answerJson(response, { object: 'list', data: listed.map((id) => id && { id }) });
      else answerJson(response, { error: { message: 'no such route' } }, 404);
    });
  });
  afterEach(async () => {
    for (const model of open.splice(0)) await model.close();
    await server.stop();
  });

  function modelWith(options: Partial<OpenAiChatModelOptions> = {}): OpenAiChatModel {
    const model = new OpenAiChatModel({
      baseUrl: `${server.url}/v1`,
      timeoutMs: 5_000,
      replacesUnknownModels: true,
      ...options,
    });
    open.push(model);
    return model;
  }

  async function askedFor(model: OpenAiChatModel, wanted: string): Promise<Record<string, unknown>> {
    await collectTurn(model, {
      model: wanted,
      reasoningEffort: 'none',
      messages: [{ role: 'user', content: 'Hello' }],
      tools: [],
    });
    return JSON.parse(server.requests.at(-1)?.body ?? '') as Record<string, unknown>;
  }

  it('is the first listed chat model, without the settings of the model that it replaces', async () => {
    const asked = await askedFor(modelWith(), 'gpt-5.1');
    expect(asked).toMatchObject({ model: 'qwen3:8b' });
    expect(asked).not.toHaveProperty('reasoning_effort');
  });

  it.each(['qwen3:8b', 'llama3.2', 'llama3.2:latest'])('stays %s, which the server has', async (wanted) => {
    expect(await askedFor(modelWith(), wanted)).toMatchObject({ model: wanted, reasoning_effort: 'none' });
  });

  it('is none that is no name, nor one of a list beyond all measure', async () => {
    listed = [null, { name: 'x' }, 7, '', 'x'.repeat(201), 'qwen3:8b'];
    expect(await askedFor(modelWith(), 'gpt-5.1')).toMatchObject({ model: 'qwen3:8b' });
    listed = Array.from({ length: 1_001 }, (_, index) => `model-${index}`);
    expect(await askedFor(modelWith(), 'model-999')).toMatchObject({ model: 'model-999' });
    expect(await askedFor(modelWith(), 'model-1000')).toMatchObject({ model: 'model-0' });
  });

  it.each([
    'all-minilm:latest',
    'paraphrase-multilingual:latest',
    'mxbai-embed-large',
    'snowflake-arctic-embed2',
    'bge-m3',
    'intfloat/e5-large-v2',
    'multilingual-e5-base',
    'thenlper/gte-large',
    'jina-v3',
    'BAAI/bge-reranker',
    'whisper-large-v3',
    'text-embedding-nomic-embed-text-v1.5',
    'llama-guard-4',
    'flux-1',
    'sentence-transformers/all-mpnet-base-v2',
  ])('is none that embeds or hears: %s', async (name) => {
    listed = [name, 'phi4:14b'];
    expect(await askedFor(modelWith(), 'gpt-5.1')).toMatchObject({ model: 'phi4:14b' });
  });

  it.each([
    ['a bare list', [{ id: 'a-embed' }, { id: 'flan', type: 'language' }, { id: 'mixtral', type: 'chat' }]],
    ['models', { models: [{ name: 'vec', type: 'embeddings' }, { name: 'mixtral' }] }],
    ['names', { models: ['mixtral'] }],
    [
      'capabilities',
      { data: [{ id: 'ocr-2', capabilities: { completion_chat: false } }, { id: 'mixtral' }] },
    ],
    [
      'modalities',
      { data: [{ id: 'pix', architecture: { output_modalities: ['image'] } }, { id: 'mixtral' }] },
    ],
  ])('is read from a list of another form: %s', async (_form, list) => {
    body = list;
    expect(await askedFor(modelWith(), 'gpt-5.1')).toMatchObject({ model: 'mixtral' });
  });

  it('has the prefix with which Gemini lists it', async () => {
    listed = ['models/gemini-2.5-pro', 'models/gemini-2.5-flash'];
    expect(await askedFor(modelWith(), 'gemini-2.5-flash')).toMatchObject({ model: 'gemini-2.5-flash' });
  });

  it('stays as it is where the server lists nothing', async () => {
    listed = null;
    expect(await askedFor(modelWith(), 'gpt-5.1')).toMatchObject({ model: 'gpt-5.1' });
  });

  it('is the configured one without asking for a list', async () => {
    expect(await askedFor(modelWith({ model: 'mine' }), 'qwen3:8b')).toMatchObject({ model: 'mine' });
    expect(server.requests.map(({ path }) => path)).toEqual(['/v1/chat/completions']);
  });

  it('is looked up once for many turns', async () => {
    const model = modelWith();
    await Promise.all([1, 2, 3].map(() => askedFor(model, 'gpt-5.1')));
    expect(server.requests.filter(({ path }) => path === '/v1/models')).toHaveLength(1);
  });
});
