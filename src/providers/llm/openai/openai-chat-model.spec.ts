import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LLMock } from '@copilotkit/aimock';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  collectTurn,
  describeChatModelConformance,
  failureOf,
} from '#test/conformance/chat-model.conformance.js';
import { asking, TOOLS } from '#test/support/model-servers/chat-requests.js';
import { OpenAiChatModel } from './openai-chat-model.js';

const mock = new LLMock({ port: 0, chunkSize: 8 });
let model: OpenAiChatModel;

beforeAll(async () => {
  mock
    .onMessage('good morning', { content: 'Good morning, how may I help you today?' })
    .onMessage('slowly', { content: 'word '.repeat(30) }, { latency: 20 })
    .onMessage('say nothing', { content: 'too late' }, { streamingProfile: { ttft: 400, tps: 1000 } })
    .on({ userMessage: 'order 42', hasToolResult: true }, { content: 'It was shipped on Monday.' })
    .onMessage('order 42', { toolCalls: [{ name: 'find_order', arguments: '{"number":42}' }] })
    .onMessage('both', {
      toolCalls: [
        { name: 'find_order', arguments: '{"number":7}' },
        { name: 'find_store', arguments: '{"city":"Recife"}' },
      ],
    });
  await mock.start();
  model = new OpenAiChatModel({ baseUrl: `${mock.url}/v1`, apiKey: 'secret-key', timeoutMs: 10_000 });
});

afterAll(async () => {
  await model.close();
  await mock.stop();
});

describeChatModelConformance('OpenAiChatModel', {
  model: () => model,
  textTurn: asking('good morning'),
  toolTurn: {
    request: asking('order 42', { tools: TOOLS }),
    toolName: 'find_order',
    arguments: { number: 42 },
  },
  toolResult: { content: '{"status":"shipped"}', answerContains: 'shipped' },
  parallelTurn: { request: asking('both', { tools: TOOLS }), toolNames: ['find_order', 'find_store'] },
  slowTurn: asking('slowly'),
  silentTurn: asking('say nothing'),
});

describe('the request to an OpenAI-compatible server', () => {
  beforeEach(() => mock.clearRequests());

  it('carries messages, tools and settings in the wire format', async () => {
    await collectTurn(model, {
      model: 'gpt-x',
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'order 42' },
        {
          role: 'assistant',
          content: '',
          toolCalls: [{ id: 'call_1', name: 'find_order', arguments: '{"number":42}' }],
        },
        { role: 'tool', toolCallId: 'call_1', name: 'find_order', content: 'shipped' },
      ],
      tools: TOOLS.slice(0, 1),
      toolChoice: 'none',
      temperature: 0.1,
      maxOutputTokens: 300,
    });

    expect(mock.getLastRequest()?.body).toMatchObject({
      model: 'gpt-x',
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0.1,
      max_tokens: 300,
      tool_choice: 'none',
      tools: [{ type: 'function', function: { name: 'find_order', parameters: { type: 'object' } } }],
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'order 42' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'find_order', arguments: '{"number":42}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'shipped' },
      ],
    });
  });

  it('leaves out what is not set, because servers refuse empty tools and unknown settings', async () => {
    await collectTurn(model, asking('good morning'));
    const body = mock.getLastRequest()?.body ?? {};

    expect(Object.keys(body)).toEqual(
      expect.not.arrayContaining([
        'tools',
        'tool_choice',
        'temperature',
        'max_tokens',
        'max_completion_tokens',
      ]),
    );
  });

  it('reports the tokens the provider counted', async () => {
    const { finish } = await collectTurn(model, asking('good morning'));

    expect(finish?.usage?.inputTokens).toBeGreaterThan(0);
    expect(finish?.usage?.outputTokens).toBeGreaterThan(0);
  });
});

describe('errors of the provider', () => {
  it.each([
    [500, 'unavailable', true],
    [503, 'unavailable', true],
    [408, 'timeout', true],
    [400, 'rejected', false],
    [404, 'rejected', false],
    [401, 'unauthorized', false],
    [403, 'rejected', false],
  ] as const)('reads status %i as %s', async (status, code, retryable) => {
    mock.nextRequestError(status, { message: 'secret detail', type: 'some_error' });
    const error = await failureOf(model, asking('good morning'));

    expect(error).toMatchObject({ code, retryable });
  });

  it('asks once, whatever fails', async () => {
    mock.clearRequests();
    mock.nextRequestError(500);
    await failureOf(model, asking('good morning'));

    expect(mock.getRequests()).toHaveLength(1);
  });

  it('shows neither the answer, the key nor the address, and keeps the original as cause', async () => {
    mock.nextRequestError(400, { message: `no, secret-key at ${mock.url}` });
    const error = await failureOf(model, asking('good morning'));

    expect(error.message).toBe('The model provider refused the request.');
    expect(String(error.cause)).toContain('secret-key at');
  });

  it('passes on how long to wait when requests are limited', async () => {
    mock.prependFixture({
      match: { userMessage: 'limited' },
      response: { error: { message: 'slow down', type: 'rate_limit_error' }, status: 429, retryAfter: 7 },
    });
    const error = await failureOf(model, asking('limited'));

    expect(error).toMatchObject({ code: 'rate-limited', retryable: true, retryAfterMs: 7000 });
  });

  it('does not take spent credit for a rate limit', async () => {
    mock.nextRequestError(429, { message: 'pay first', code: 'insufficient_quota' });

    expect(await failureOf(model, asking('good morning'))).toMatchObject({
      code: 'rejected',
      retryable: false,
    });
  });

  it('notices an answer that breaks off, after handing over what came before', async () => {
    mock.prependFixture({
      match: { userMessage: 'break off' },
      response: { content: 'one two three four five six' },
      chunkSize: 4,
      truncateAfterChunks: 3,
      latency: 10,
    });
    const texts: string[] = [];
    const reading = (async () => {
      for await (const chunk of model.stream(asking('break off'))) {
        if (chunk.type === 'text') texts.push(chunk.text);
      }
    })();

    await expect(reading).rejects.toMatchObject({ code: 'truncated', retryable: true });
    expect(texts.join('')).toMatch(/^one/);
  });

  it.each(['malformed', 'rateLimit', 'disconnect'] as const)('survives chaos: %s', async (kind) => {
    mock.setChaos({ [`${kind}Rate`]: 1 });
    const error = await failureOf(model, asking('good morning')).finally(() => mock.clearChaos());
    const expected = { malformed: 'malformed', rateLimit: 'rate-limited', disconnect: 'unavailable' };

    expect(error.code).toBe(expected[kind]);
  });

  it('reads a refused connection as unavailable', async () => {
    const closedServer = createServer();
    closedServer.listen(0, '127.0.0.1');
    await once(closedServer, 'listening');
    const { port } = closedServer.address() as AddressInfo;
    closedServer.close();
    await once(closedServer, 'close');
    const unreachable = new OpenAiChatModel({ baseUrl: `http://127.0.0.1:${port}/v1`, timeoutMs: 5000 });

    expect(await failureOf(unreachable, asking('hi'))).toMatchObject({
      code: 'unavailable',
      retryable: true,
    });
    await unreachable.close();
  });

  it('does not send a key that cannot be a header', async () => {
    const broken = new OpenAiChatModel({ baseUrl: mock.url, apiKey: 'two\nlines', timeoutMs: 5000 });

    expect(await failureOf(broken, asking('hi'))).toMatchObject({ code: 'rejected', retryable: false });
    await broken.close();
  });
});
