import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LLMock } from '@copilotkit/aimock';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeEmbeddingsConformance } from '#test/conformance/embeddings.conformance.js';
import { OpenAiEmbeddings } from './openai-embeddings.js';

/** aimock speaks OpenAI's protocol and gives each text a vector of 1,536 values of its own. */
const mock = new LLMock({ port: 0 });
let embeddings: OpenAiEmbeddings;

beforeAll(async () => {
  await mock.start();
  embeddings = new OpenAiEmbeddings({
    baseUrl: `${mock.url}/v1`,
    apiKey: 'secret-key',
    model: 'text-embedding-3-small',
    dimensions: 1_536,
    timeoutMs: 10_000,
  });
});

afterAll(async () => {
  await mock.stop();
});

describeEmbeddingsConformance('OpenAiEmbeddings', () => embeddings);

describe('the request to an OpenAI-compatible server', () => {
  it('names the model and sends the texts and the key', async () => {
    mock.clearRequests();

    await embeddings.embed(['um', 'dois']);

    const [entry] = mock.getRequests();
    expect(entry).toMatchObject({ path: '/v1/embeddings' });
    expect(JSON.stringify(entry)).toContain('text-embedding-3-small');
  });
});

describe('a server that answers otherwise', () => {
  let server: Server;
  let baseUrl: string;
  let answer: (response: ServerResponse) => void;

  beforeAll(async () => {
    server = createServer((request, response) => {
      request.resume().on('end', () => answer(response));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  });

  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const embed = (dimensions: number, timeoutMs = 5_000) =>
    new OpenAiEmbeddings({ baseUrl, model: 'm', dimensions, timeoutMs }).embed(['x']);
  const withBody = (body: unknown) => (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
  const withVector = (embedding: unknown) => {
    const data = [{ object: 'embedding', index: 0, embedding }];
    return withBody({ object: 'list', data, model: 'm', usage: {} });
  };

  it('is cut to the dimensions wanted, and has unit length again', async () => {
    answer = withVector([3, 4, 12]);

    expect(await embed(2)).toEqual([[0.6, 0.8]]);
  });

  it.each([
    ['too few values', withVector([1, 0]), 'rejected', false],
    ['a vector of zeros', withVector([0, 0, 0]), 'rejected', false],
    [
      'a bad key',
      (response: ServerResponse) => void response.writeHead(401).end('{"error":{"message":"no"}}'),
      'rejected',
      false,
    ],
    [
      'too many requests',
      (response: ServerResponse) => void response.writeHead(429).end('{}'),
      'unavailable',
      true,
    ],
    ['a fault', (response: ServerResponse) => void response.writeHead(503).end('busy'), 'unavailable', true],
    ['a lost connection', (response: ServerResponse) => void response.destroy(), 'unavailable', true],
    [
      'no JSON',
      (response: ServerResponse) =>
        void response.writeHead(200, { 'content-type': 'application/json' }).end('<html>'),
      'malformed',
      true,
    ],
    ['an error with status 200', withBody({ error: 'loading' }), 'malformed', true],
    ['null', withBody(null), 'malformed', true],
    ['a list of something else', withBody({ data: [null] }), 'malformed', true],
    ['a vector in base64', withVector('AACAPwAAAAAAAAAA'), 'malformed', true],
    ['a vector of something else', withVector([1, null, 'a']), 'malformed', true],
  ])('is an error by its meaning: %s', async (_, given, code, retryable) => {
    answer = given;

    await expect(embed(3)).rejects.toThrow(expect.objectContaining({ code, retryable }));
  });

  it('is not waited for longer than the time given', async () => {
    answer = () => {};

    await expect(embed(3, 200)).rejects.toThrow(
      expect.objectContaining({ code: 'timeout', retryable: true }),
    );
  });
});
