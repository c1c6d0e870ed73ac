import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LocalServer, type ReceivedRequest } from '../../../test/support/http-server.js';
import { EgressClient } from '../../common/egress/egress-client.js';
import { httpTool, type HttpTool } from './http-tool.js';
import type { ToolOutcome } from './tool.js';

const egress = new EgressClient({ allowCidrs: ['127.0.0.1/32'] });
const ZIP = { name: 'zip', type: 'number', description: 'Postal code', required: true } as const;
let server: LocalServer;

/** Answers by path, as each test asks. */
const ANSWERS: Readonly<Record<string, (response: ServerResponse, request: ReceivedRequest) => void>> = {
  '/object': (response) => json(response, '{"temperature":21,"sky":"clear"}'),
  '/array': (response) => json(response, '[1,2]'),
  '/number': (response) => json(response, '42'),
  '/text': (response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('It is sunny.'),
  '/empty': (response) => response.writeHead(204).end(),
  '/missing': (response) => json(response, '{"error":null,"message":"No such order."}', 404),
  '/broken': (response) => response.writeHead(500).end(),
  '/page': (response) => response.writeHead(502).end('x'.repeat(50_000)),
  '/long': (response) => json(response, JSON.stringify({ text: 'é'.repeat(20_000) })),
  '/latin': (response) => {
    const text = `<?xml version="1.0" encoding="ISO-8859-1"?><a>${'ã'.repeat(9_000)}</a>`;
    response.writeHead(200, { 'content-type': 'text/xml' }).end(Buffer.from(text, 'latin1'));
  },
  '/ids': (response) => json(response, '{"id":9007199254740993,"keys":[12345678901234567890.5],"count":2}'),
  '/exact': (response) => response.writeHead(200).end('x'.repeat(16 * 1024)),
  '/endless': (response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('x'.repeat(8_192)), 1);
    response.on('close', () => clearInterval(timer));
  },
  '/silent': () => {},
  '/away': (response) => response.writeHead(302, { location: 'http://127.0.0.9/secret' }).end(),
  '/metadata': (response) => response.writeHead(307, { location: 'http://169.254.169.254/latest/' }).end(),
  '/file': (response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  '/round': (response) => response.writeHead(302, { location: '/round' }).end(),
  '/moved': (response) => response.writeHead(302, { location: '/object' }).end(),
  '/echo': (response, request) => json(response, JSON.stringify(request)),
};

function json(response: ServerResponse, body: string, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}

beforeAll(async () => {
  server = await LocalServer.start((request, response) => {
    const { pathname } = new URL(request.path, 'http://localhost');
    (ANSWERS[pathname] ?? ((missing) => missing.writeHead(404).end()))(response, request);
  });
});

afterAll(async () => {
  await egress.close();
  await server.stop();
});

async function run(
  tool: Partial<HttpTool>,
  args: Record<string, unknown> = {},
  signal: AbortSignal = AbortSignal.timeout(20_000),
): Promise<ToolOutcome> {
  const complete: HttpTool = {
    name: 'weather',
    description: 'Tells the weather',
    endpoint: `${server.url}/object`,
    method: 'GET',
    bodyFormat: 'json',
    headers: [],
    staticFields: [],
    timeoutMs: 5_000,
    parameters: [{ name: 'city', type: 'string', description: 'City', required: false }],
    ...tool,
  };
  return httpTool(complete, egress).run(args, { variables: { key: 's3cret' }, signal });
}

function at(path: string, tool: Partial<HttpTool> = {}): Promise<ToolOutcome> {
  return run({ ...tool, endpoint: server.url + path });
}

describe('a tool that answers', () => {
  it.each([
    ['/object', '{"temperature":21,"sky":"clear"}', { temperature: 21, sky: 'clear' }],
    ['/array', '[1,2]', { data: [1, 2] }],
    ['/number', '42', { data: 42 }],
    ['/text', 'It is sunny.', { text: 'It is sunny.' }],
    ['/empty', '{"ok":true}', { ok: true }],
    ['/moved', '{"temperature":21,"sky":"clear"}', { temperature: 21, sky: 'clear' }],
  ])('gives the model what it said: %s', async (path, content, result) => {
    expect(await at(path)).toEqual({ content, result });
  });

  it('is sent what the model and the tenant decided', async () => {
    const outcome = await run(
      {
        endpoint: `${server.url}/echo?v=1`,
        method: 'POST',
        headers: [{ name: 'Authorization', value: 'Bearer {{key}}' }],
        staticFields: [{ key: 'source', value: 'prosa' }],
      },
      { city: 'Recife', admin: true },
    );

    expect(outcome.result).toMatchObject({
      method: 'POST',
      path: '/echo?v=1',
      headers: { authorization: 'Bearer s3cret', 'content-type': 'application/json' },
      body: '{"city":"Recife","source":"prosa"}',
    });
  });

  it('is cut at 16 KiB, between characters, and says so to the model', async () => {
    const { content, result } = await at('/long');

    expect(Buffer.byteLength(content)).toBeGreaterThan(16 * 1024 - 4);
    expect(Buffer.byteLength(content)).toBeLessThanOrEqual(16 * 1024);
    expect(content).toMatch(/^\{"text":"é+\n\[The answer was cut here: .*the rest is missing\.\]$/);
    expect(result).toEqual({ truncated: true, text: expect.stringMatching(/^\{"text":"é+$/) });
  });

  it('is not cut at 16 KiB exactly', async () => {
    expect((await at('/exact')).content).toBe('x'.repeat(16 * 1024));
  });

  it('is read no further than 16 KiB though it never ends', async () => {
    const { content } = await at('/endless');
    expect(content).toHaveLength(16 * 1024);
    expect(content).toContain('cut here');
  });

  it('says that it was cut also where its own charset needs fewer bytes', async () => {
    const { content } = await at('/latin');
    expect(Buffer.byteLength(content)).toBeLessThanOrEqual(16 * 1024);
    expect(content).toMatch(/^<\?xml .*><a>ã+\n\[The answer was cut here/);
  });

  it('keeps the digits of its numbers, for the model and as they are shown', async () => {
    expect(await at('/ids')).toEqual({
      content: '{"id":9007199254740993,"keys":[12345678901234567890.5],"count":2}',
      result: { id: '9007199254740993', keys: ['12345678901234567890.5'], count: 2 },
    });
  });

  it.each([
    [
      'GET',
      'json',
      { number: '1234567890123456789', amount: 1e-7 },
      '/echo?number=1234567890123456789&amount=0.0000001',
      '',
    ],
    [
      'POST',
      'json',
      { number: '1234567890123456789', amount: 12.5 },
      '/echo',
      '{"number":1234567890123456789,"amount":12.5}',
    ],
    [
      'POST',
      'json',
      { number: '0.12345678901234567890123', amount: '+5' },
      '/echo',
      '{"number":0.12345678901234567890123,"amount":5}',
    ],
    [
      'PUT',
      'form',
      { number: '-35261112345678000199550010000012341000012345', amount: '1e3' },
      '/echo',
      'number=-35261112345678000199550010000012341000012345&amount=1000',
    ],
    ['DELETE', 'json', { number: '01310100', amount: 0 }, '/echo?number=01310100&amount=0', ''],
  ] as const)('is sent all digits of a number: %s %s %j', async (method, bodyFormat, args, path, body) => {
    const parameters = (['number', 'amount'] as const).map((name) => {
      return { name, type: 'number' as const, description: name, required: true };
    });
    const { result } = await run({ endpoint: `${server.url}/echo`, method, bodyFormat, parameters }, args);
    expect(result).toMatchObject({ path, body });
  });
});

describe('a tool that fails', () => {
  it.each([
    [
      '/missing',
      {
        error: 'The tool answered with HTTP status 404.',
        answer: '{"error":null,"message":"No such order."}',
      },
    ],
    ['/broken', { error: 'The tool answered with HTTP status 500.' }],
    ['/page', { error: 'The tool answered with HTTP status 502.', answer: 'x'.repeat(1024) }],
  ])('tells the model its status and the beginning of its answer: %s', async (path, result) => {
    expect(await at(path)).toEqual({ content: JSON.stringify(result), result });
  });

  it('tells the model that it took too long', async () => {
    const startedAt = performance.now();
    const { result } = await at('/silent', { timeoutMs: 100 });

    expect(result).toEqual({ error: 'The server did not answer within 0.1 s.' });
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });

  it('ends with the turn', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 50);

    expect((await run({ endpoint: `${server.url}/silent` }, {}, controller.signal)).result).toEqual({
      error: 'The request was cancelled.',
    });
  });

  it.each([
    'http://127.0.0.9/',
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[::1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://0x7f.0.0.9/',
    'http://localhost.:1/',
  ])('does not reach %s', async (endpoint) => {
    const { content, result } = await run({ endpoint });

    expect(Object.keys(result)).toEqual(['error']);
    expect(content.length).toBeLessThan(200);
    expect(content).not.toMatch(/127\.0\.0|169\.254|10\.0/);
  });

  it.each(['/away', '/metadata', '/file'])('is not followed to a forbidden place: %s', async (path) => {
    const { result } = await at(path);

    expect(Object.keys(result)).toEqual(['error']);
  });

  it('is not followed in circles', async () => {
    expect((await at('/round')).result).toEqual({ error: 'The server redirected more than 3 times.' });
  });

  it('does not ask when the arguments are wrong', async () => {
    const before = server.requests.length;
    const outcomes = [
      await run({}, { city: { name: 'Recife' } }),
      await run({ endpoint: `${server.url}/{city}` }, { city: '..' }),
      await run({ endpoint: `${server.url}/{city}` }, {}),
      await run({}, { city: Number('1234567890123456789') }),
      await run({ method: 'POST', parameters: [ZIP] }, { zip: '01310100' }),
    ];

    expect(outcomes.map(({ result }) => result)).toEqual([
      { error: 'The argument "city" must be a string.' },
      { error: 'An argument is not allowed in the URL.' },
      { error: 'The value of "city" is missing.' },
      { error: 'The argument "city" has lost digits. Give it as a string with all its digits.' },
      { error: 'The argument "zip" begins with a zero, which a number cannot keep.' },
    ]);
    // Nothing was done: another model may give other arguments.
    expect(outcomes.map(({ refusedArguments }) => refusedArguments)).toEqual(
      outcomes.map(({ result }) => result['error']),
    );
    expect(server.requests).toHaveLength(before);
  });

  it('never shows the model the headers of the tenant', async () => {
    const headers = [{ name: 'x-key', value: 's3cret' }];
    const outcomes = [
      await at('/missing', { headers }),
      await at('/away', { headers }),
      await at('/silent', { headers, timeoutMs: 50 }),
    ];

    expect(JSON.stringify(outcomes)).not.toContain('s3cret');
  });
});
