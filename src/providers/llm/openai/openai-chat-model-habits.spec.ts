import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { collectTurn, failureOf } from '#test/conformance/chat-model.conformance.js';
import { answerJson, LocalServer } from '#test/support/http-server.js';
import { asking, TOOLS } from '#test/support/model-servers/chat-requests.js';
import { OpenAiChatModel } from './openai-chat-model.js';

describe('servers with habits of their own', () => {
  let server: Server;
  let odd: OpenAiChatModel;
  let respond: (response: ServerResponse) => void;
  let authorization: string | undefined;

  beforeAll(async () => {
    server = createServer((request, response) => {
      authorization = request.headers.authorization;
      request.resume().on('end', () => respond(response));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    odd = new OpenAiChatModel({ baseUrl: `http://127.0.0.1:${port}/v1/`, timeoutMs: 5000 });
  });

  afterEach(() => {
    authorization = undefined;
  });

  afterAll(async () => {
    await odd.close();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  function serveEvents(...events: unknown[]): void {
    respond = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const event of events) {
        response.write(`data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`);
      }
      response.end('data: [DONE]\n\n');
    };
  }

  function serveJson(body: unknown, status = 200, headers: Record<string, string> = {}): void {
    respond = (response) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    };
  }

  function delta(content: unknown, finishReason: string | null = null): unknown {
    return { choices: [{ index: 0, delta: content, finish_reason: finishReason }] };
  }

  function calls(...pieces: unknown[]): unknown {
    return delta({ tool_calls: pieces });
  }

  const stop = delta({}, 'stop');

  it('sends no authorization when it has no key', async () => {
    serveEvents(delta({ content: 'hi' }), stop);
    await collectTurn(odd, asking('hi'));

    expect(authorization).toBeUndefined();
  });

  it('joins arguments that arrive in pieces, interleaved by index', async () => {
    serveEvents(
      calls({ index: 0, id: 'a', type: 'function', function: { name: 'find_order', arguments: '' } }),
      calls({ index: 1, id: 'b', type: 'function', function: { name: 'find_store', arguments: '{"ci' } }),
      calls({ index: 0, function: { arguments: '{"num' } }),
      calls(
        { index: 0, function: { arguments: 'ber":1}' } },
        { index: 1, function: { arguments: 'ty":"X"}' } },
      ),
      delta({}, 'tool_calls'),
    );
    const { toolCalls } = await collectTurn(odd, asking('hi', { tools: TOOLS }));

    expect(toolCalls).toEqual([
      { id: 'a', name: 'find_order', arguments: '{"number":1}' },
      { id: 'b', name: 'find_store', arguments: '{"city":"X"}' },
    ]);
  });

  it('tells calls apart that carry neither index nor id, and gives them ids', async () => {
    serveEvents(
      calls({ function: { name: 'find_order', arguments: '{"number":1}' } }),
      calls({ function: { name: 'find_order', arguments: '{"number":2}' } }),
      calls({ function: { name: 'find_store', arguments: { city: 'X' } } }),
      stop,
    );
    const { toolCalls, finish } = await collectTurn(odd, asking('hi', { tools: TOOLS }));

    expect(toolCalls.map((call) => call.arguments)).toEqual(['{"number":1}', '{"number":2}', '{"city":"X"}']);
    expect(new Set(toolCalls.map((call) => call.id)).size).toBe(3);
    expect(finish?.reason).toBe('tool-calls');
  });

  it('tells calls apart that all carry index 0', async () => {
    serveEvents(
      calls(
        { index: 0, id: 'a', function: { name: 'find_order', arguments: '{"number":1}' } },
        { index: 0, id: 'b', function: { name: 'find_order', arguments: '{"number":2}' } },
      ),
      stop,
    );
    const { toolCalls } = await collectTurn(odd, asking('hi', { tools: TOOLS }));

    expect(toolCalls.map((call) => call.id)).toEqual(['a', 'b']);
  });

  it('accepts an id and a name repeated with every piece, and a call without arguments', async () => {
    serveEvents(
      calls({ index: 0, id: 'a', function: { name: 'find_order', arguments: '{"number"' } }),
      calls({ index: 0, id: 'a', function: { name: 'find_order', arguments: ':3}' } }),
      calls({ index: 1, id: 'b', function: { name: 'find_store', arguments: '' } }),
      delta({}, 'tool_calls'),
    );
    const { toolCalls } = await collectTurn(odd, asking('hi', { tools: TOOLS }));

    expect(toolCalls.map((call) => call.arguments)).toEqual(['{"number":3}', '{}']);
  });

  it('passes over empty choices, null deltas and keep-alive comments', async () => {
    respond = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
      response.write(': keep-alive\n\ndata: {"choices":[],"prompt_filter_results":[]}\n\n');
      response.write('data: {"choices":[{"delta":null,"finish_reason":""}]}\r\n\r\n');
      for (const event of [delta({ role: 'assistant', content: null }), delta({ content: 'olá' }), stop]) {
        response.write(`data: ${JSON.stringify(event)}\n\n`);
      }
      response.end();
    };

    expect(await collectTurn(odd, asking('hi'))).toMatchObject({ text: 'olá', finish: { usage: null } });
  });

  it.each([
    ['with those from the cache', { prompt_tokens_details: { cached_tokens: 3 } }, 3],
    ['without them where they are no count', { prompt_tokens_details: { cached_tokens: '3' } }, null],
  ])('counts tokens %s', async (_what, details, cachedInputTokens) => {
    serveEvents(delta({ content: 'olá' }, 'stop'), {
      choices: [],
      usage: { prompt_tokens: 5, completion_tokens: 6, ...details },
    });
    expect((await collectTurn(odd, asking('hi'))).finish?.usage).toEqual({
      inputTokens: 5,
      cachedInputTokens,
      outputTokens: 6,
    });
  });

  it.each([
    ['negative', -1],
    ['broken', 1.5],
    ['as text', '5'],
    ['beyond measure', 1e300],
    ['left out', undefined],
  ])('knows no tokens that are %s', async (_what, count) => {
    serveEvents(delta({ content: 'olá' }, 'stop'), {
      choices: [],
      usage: { prompt_tokens: count, completion_tokens: 6 },
    });
    expect((await collectTurn(odd, asking('hi'))).finish?.usage).toBeNull();
  });

  it('keeps a letter whole whose bytes arrive apart', async () => {
    const bytes = Buffer.from(`data: ${JSON.stringify(delta({ content: 'ação' }, 'stop'))}\n\n`);
    const cut = bytes.indexOf('ç') + 1;
    respond = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(bytes.subarray(0, cut));
      setTimeout(() => response.end(bytes.subarray(cut)), 20);
    };

    expect((await collectTurn(odd, asking('hi'))).text).toBe('ação');
  });

  it('reads a server that ignores streaming and sends the whole completion', async () => {
    const call = { id: 'a', type: 'function', function: { name: 'find_order', arguments: '{}' } };
    serveJson({
      choices: [
        { message: { role: 'assistant', content: 'One moment.', tool_calls: [call] }, finish_reason: 'stop' },
      ],
      usage: { prompt_tokens: 5, completion_tokens: 6 },
    });
    const turn = await collectTurn(odd, asking('hi', { tools: TOOLS }));

    expect(turn.chunks).toEqual([
      { type: 'text', text: 'One moment.' },
      { type: 'tool-call', toolCall: { id: 'a', name: 'find_order', arguments: '{}' } },
      {
        type: 'finish',
        reason: 'tool-calls',
        usage: { inputTokens: 5, cachedInputTokens: null, outputTokens: 6 },
      },
    ]);
  });

  it('reads a call that is written in the text, once, and only where it may be made', async () => {
    const call = { id: 'a', type: 'function', function: { name: 'find_order', arguments: '{"number":7}' } };
    const written = '<tool_call>{"name": "find_order", "arguments": {"number": 7}}</tool_call>';
    const asked = asking('hi', { tools: TOOLS });
    serveEvents(delta({ content: written }), stop);
    expect(await collectTurn(odd, asked)).toMatchObject({ text: '', toolCalls: [{ name: 'find_order' }] });
    expect(await collectTurn(odd, { ...asked, toolChoice: 'none' })).toMatchObject({
      text: '',
      toolCalls: [],
    });
    serveEvents(delta({ content: written }), calls({ index: 0, ...call }), stop);
    expect(await collectTurn(odd, asked)).toMatchObject({ text: '', toolCalls: [{ id: 'a' }] });
  });

  it('reads one answer that is spread over two choices, and no variant of it', async () => {
    const choice = (index: number, message: object) => ({ index, message, finish_reason: 'tool_calls' });
    const call = (id: string) => ({
      id,
      type: 'function',
      function: { name: 'find_order', arguments: '{}' },
    });
    serveJson({
      choices: [
        choice(0, { content: 'One moment.' }),
        choice(1, { content: 'Just a second.', tool_calls: [call('a')] }),
        choice(2, { content: null, tool_calls: [call('b')] }),
      ],
    });
    const { text, toolCalls } = await collectTurn(odd, asking('hi', { tools: TOOLS }));
    expect([text, toolCalls.map(({ id }) => id)]).toEqual(['One moment.', ['a', 'b']]);
  });

  it.each([
    ['JSON in a string', JSON.stringify('{"number":9007199254740993}')],
    ['JSON in a string in a string', JSON.stringify(JSON.stringify('{"number":9007199254740993}'))],
    ['an empty object first', '{}{"number":9007199254740993}'],
  ])('reads arguments that are %s', async (_form, args) => {
    serveEvents(calls({ index: 0, id: 'a', function: { name: 'find_order', arguments: args } }), stop);
    const { toolCalls } = await collectTurn(odd, asking('hi', { tools: TOOLS }));
    expect(toolCalls[0]?.arguments).toBe('{"number":9007199254740993}');
  });

  it('reads the calls of the time before there were tools', async () => {
    const pieces = [{ name: 'find_order', arguments: '{"num' }, { arguments: 'ber":1}' }];
    serveEvents(...pieces.map((piece) => delta({ function_call: piece })), delta({}, 'function_call'));
    const { toolCalls } = await collectTurn(odd, asking('hi', { tools: TOOLS }));
    expect(toolCalls).toMatchObject([{ name: 'find_order', arguments: '{"number":1}' }]);
  });

  it('asks once more where Gemini could not read the call of its model', async () => {
    let asked = 0;
    const answer = () => delta({ content: 'Done.' }, 'stop');
    respond = (response) => {
      const event = asked++ === 0 ? delta({}, 'function_call_filter: MALFORMED_FUNCTION_CALL') : answer();
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`data: ${JSON.stringify(event)}\n\ndata: [DONE]\n\n`);
    };
    expect((await collectTurn(odd, asking('hi', { tools: TOOLS }))).text).toBe('Done.');
    expect(asked).toBe(2);
  });

  it('keeps the first answer of a model back until it is known to be no thought, and streams the next', async () => {
    serveEvents(delta({ content: 'Well, ' }), delta({ content: 'yes.' }), stop);
    const texts = async () => {
      const { chunks } = await collectTurn(odd, { ...asking('hi'), model: 'house-alias' });
      return chunks.flatMap((chunk) => (chunk.type === 'text' ? [chunk.text] : []));
    };
    expect([await texts(), await texts()]).toEqual([['Well, yes.'], ['Well, ', 'yes.']]);
  });

  it.each(['llama3.1:8b', 'gpt-4o-mini', 'google/gemma-3-27b-it', 'claude-sonnet-4'])(
    'streams the first answer of a model whose family does not think: %s',
    async (name) => {
      serveEvents(delta({ content: 'Well, ' }), delta({ content: 'yes.' }), stop);
      const { chunks } = await collectTurn(odd, { ...asking('hi'), model: name });
      expect(chunks).toHaveLength(3);
    },
  );

  it('says when the text was cut at the limit or withheld', async () => {
    serveEvents(delta({ content: 'and then' }, 'length'));
    expect((await collectTurn(odd, asking('hi'))).finish?.reason).toBe('length');

    serveEvents(delta({ content: 'and' }, 'content_filter'));
    expect((await collectTurn(odd, asking('hi'))).finish?.reason).toBe('content-filter');
  });

  it('reads arguments cut at the output limit as truncated', async () => {
    serveEvents(
      calls({ index: 0, id: 'a', function: { name: 'find_order', arguments: '{"num' } }),
      delta({}, 'length'),
    );

    expect((await failureOf(odd, asking('hi', { tools: TOOLS }))).code).toBe('truncated');
  });

  it('leaves arguments that are no JSON to the caller, who can tell the model', async () => {
    serveEvents(calls({ index: 0, id: 'a', function: { name: 'find_order', arguments: '{oops' } }), stop);

    expect((await collectTurn(odd, asking('hi', { tools: TOOLS }))).toolCalls[0]?.arguments).toBe('{oops');
  });

  it.each([
    ['a chunk that is no JSON', '{"choices":[{"delta"'],
    ['a chunk of another shape', '{"choices":"none"}'],
    ['a bare number', '5'],
    ['text that is no string', JSON.stringify({ choices: [{ delta: { content: { a: 1 } } }] })],
    [
      'a tool call without a name',
      JSON.stringify(calls({ index: 0, id: 'a', function: { arguments: '{}' } })),
    ],
  ])('reads %s as malformed', async (_what, event) => {
    serveEvents(event, stop);

    expect((await failureOf(odd, asking('hi'))).code).toBe('malformed');
  });

  it('reads a web page and a broken completion as malformed', async () => {
    respond = (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html></html>');
    expect((await failureOf(odd, asking('hi'))).code).toBe('malformed');

    serveJson('{"choices":[{"mess');
    expect((await failureOf(odd, asking('hi'))).code).toBe('malformed');
  });

  it.each([
    [{ message: 'too long', type: 'BadRequestError', code: 400 }, 'rejected'],
    [{ message: 'busy', type: 'rate_limit_error' }, 'rate-limited'],
    [{ message: 'boom', type: 'server_error' }, 'unavailable'],
  ])('understands an error sent after status 200: %j', async (error, code) => {
    serveEvents(delta({ content: 'I ' }), { error });
    expect((await failureOf(odd, asking('hi'))).code).toBe(code);

    serveJson({ error });
    expect((await failureOf(odd, asking('hi'))).code).toBe(code);
  });

  it('hands over the words that came together with an error', async () => {
    serveEvents(delta({ content: 'I ' }), delta({ content: 'was' }), { error: { type: 'server_error' } });
    const texts: string[] = [];
    const reading = (async () => {
      for await (const chunk of odd.stream(asking('hi'))) if (chunk.type === 'text') texts.push(chunk.text);
    })();

    await expect(reading).rejects.toMatchObject({ code: 'unavailable' });
    expect(texts).toEqual(['I ', 'was']);
  });

  it('reads a stream without a finish reason as truncated, even after [DONE]', async () => {
    serveEvents(delta({ content: 'I was about to' }));

    expect((await failureOf(odd, asking('hi'))).code).toBe('truncated');
  });

  it('keeps an answer whose connection breaks after the finish reason', async () => {
    respond = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify(delta({ content: 'whole' }, 'stop'))}\n\n`);
      setTimeout(() => response.destroy(), 20);
    };

    expect(await collectTurn(odd, asking('hi'))).toMatchObject({ text: 'whole', finish: { reason: 'stop' } });
  });

  it('gives up on a server that falls silent in the middle', async () => {
    respond = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify(delta({ content: 'well' }))}\n\n`);
    };

    expect((await failureOf(odd, asking('hi'), { timeoutMs: 100 })).code).toBe('timeout');
  });

  it('hands over nothing after a cancellation, though more has already arrived', async () => {
    const events = ['one', 'two', 'three'].map(
      (content) => `data: ${JSON.stringify(delta({ content }))}\n\n`,
    );
    respond = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(events.join(''));
    };
    const controller = new AbortController();
    const texts: string[] = [];
    const reading = (async () => {
      for await (const chunk of odd.stream(asking('hi'), { signal: controller.signal })) {
        if (chunk.type === 'text') texts.push(chunk.text);
        controller.abort();
      }
    })();

    await expect(reading).rejects.toMatchObject({ code: 'aborted' });
    expect(texts).toEqual(['one']);
  });

  it('closes the connection of a turn whose reader leaves', async () => {
    const closed = new Promise<void>((resolve) => {
      respond = (response) => {
        response.on('close', resolve);
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(`data: ${JSON.stringify(delta({ content: 'well' }))}\n\n`);
      };
    });
    for await (const chunk of odd.stream(asking('hi'))) {
      expect(chunk).toEqual({ type: 'text', text: 'well' });
      break;
    }

    await closed;
  });

  it('stops reading a text without end', async () => {
    let sent = 0;
    respond = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const event = `data: ${JSON.stringify(delta({ content: 'x'.repeat(10_000) }))}\n\n`;
      const pump = (): void => {
        while (!response.destroyed && response.write(event)) sent += 1;
      };
      response.on('drain', pump);
      pump();
    };

    expect((await failureOf(odd, asking('hi'))).code).toBe('malformed');
    expect(sent).toBeLessThan(2000);
  });

  it('stops reading a line without end', async () => {
    respond = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const block = Buffer.alloc(256 * 1024, 0x20);
      const pump = (): void => {
        while (!response.destroyed && response.write(block));
      };
      response.on('drain', pump);
      pump();
    };

    expect((await failureOf(odd, asking('hi'))).code).toBe('malformed');
  });

  it('follows no redirect with the prompt and the key', async () => {
    const elsewhere = await LocalServer.start((_request, response) => answerJson(response, {}));
    serveJson({}, 307, { location: `${elsewhere.url}/v1/chat/completions` });

    expect((await failureOf(odd, asking('good morning'))).code).toBe('rejected');
    expect(elsewhere.requests).toHaveLength(0);
    await elsewhere.stop();
  });

  it('uses one connection for turns that follow one another', async () => {
    let connections = 0;
    const count = (): void => {
      connections += 1;
    };
    serveEvents(delta({ content: 'hi' }), stop);
    await collectTurn(odd, asking('hi'));
    server.on('connection', count);
    for (let turn = 0; turn < 5; turn += 1) await collectTurn(odd, asking('hi'));
    server.off('connection', count);

    expect(connections).toBeLessThanOrEqual(1);
  });
});
