import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { McpTestServer, reply } from '../../../test/support/mcp-server.js';
import { until } from '../../../test/support/until.js';
import { EgressClient } from '../../common/egress/egress-client.js';
import { McpClient } from './mcp-client.js';

type Rpc = Parameters<NonNullable<McpTestServer['behaviour']['call']>>[0];

let server: McpTestServer;
let egress: EgressClient;
let client: McpClient;
let waiting: { rpc: Rpc; response: ServerResponse }[];

beforeEach(async () => {
  server = await McpTestServer.start();
  egress = new EgressClient({ allowCidrs: ['127.0.0.1/32'] });
  client = new McpClient(egress);
  waiting = [];
});
afterEach(async () => {
  jest.restoreAllMocks();
  client.close();
  await egress.close();
  await server.stop();
});

const call = (name: string, signal = new AbortController().signal) =>
  client.call({ key: 'a', url: server.url, headers: {}, timeoutMs: 20_000 }, name, {}, signal);
const sessions = () => server.requests.filter(({ body }) => body.includes('"initialize"')).length;
const answer = ({ rpc, response }: { rpc: Rpc; response: ServerResponse }) =>
  reply(response, rpc, { content: [{ type: 'text', text: String(rpc.params?.name) }] });
const saying = (text: string) => ({ content: [{ type: 'text', text }] });

/** Calls of the tool `slow` are answered when the test does. */
function answerSlowly(others: (rpc: Rpc, response: ServerResponse) => void): void {
  server.behaviour.call = (rpc, response) => {
    if (rpc.params?.name === 'slow') waiting.push({ rpc, response });
    else others(rpc, response);
  };
}

describe('calls that share a session', () => {
  it('go on when one of them fails, and when one is cancelled', async () => {
    answerSlowly((rpc, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: rpc.id, error: { code: -32_602, message: 'no' } }));
    });
    const cancelled = new AbortController();
    const calls = [call('slow'), call('slow', cancelled.signal)] as const;
    await until(() => waiting.length === 2);

    await expect(call('bad')).rejects.toMatchObject({ code: 'refused', message: 'no' });
    cancelled.abort();
    await expect(calls[1]).rejects.toMatchObject({ code: 'aborted' });
    waiting.forEach(answer);
    expect(await calls[0]).toMatchObject(saying('slow'));
    expect(sessions()).toBe(1);
  });

  it('go on when the session is too old for others', async () => {
    answerSlowly((rpc, response) => answer({ rpc, response }));
    const slow = call('slow');
    await until(() => waiting.length === 1);

    const later = performance.now() + 6 * 60_000;
    jest.spyOn(performance, 'now').mockImplementation(() => later);
    expect(await call('quick')).toMatchObject(saying('quick'));
    waiting.forEach(answer);
    expect(await slow).toMatchObject(saying('slow'));
    expect(sessions()).toBe(2);
  });

  it('go on when the server has forgotten it, and are made again in one new session', async () => {
    answerSlowly((rpc, response) => answer({ rpc, response }));
    await call('quick');
    const slow = call('slow');
    await until(() => waiting.length === 1);
    let refusals = 0;
    answerSlowly((rpc, response) => {
      if (++refusals <= 2) response.writeHead(404).end();
      else answer({ rpc, response });
    });

    expect(await Promise.all([call('quick'), call('quick')])).toMatchObject([
      saying('quick'),
      saying('quick'),
    ]);
    waiting.forEach(answer);
    expect(await slow).toMatchObject(saying('slow'));
    expect(sessions()).toBe(2);
  });

  it('wait for it when the one that has opened it leaves', async () => {
    const opening: (() => void)[] = [];
    server.behaviour.any = ({ body }, response) => {
      const rpc = JSON.parse(body) as Rpc;
      const { protocolVersion } = rpc.params ?? {};
      const serverInfo = { name: 'test', version: '1' };
      opening.push(() => reply(response, rpc, { protocolVersion, serverInfo, capabilities: {} }));
    };
    const first = new AbortController();
    const calls = [call('one', first.signal), call('two')] as const;
    await until(() => opening.length === 1);

    first.abort();
    await expect(calls[0]).rejects.toMatchObject({ code: 'aborted' });
    server.behaviour = { call: (rpc, response) => answer({ rpc, response }) };
    opening.forEach((open) => open());
    expect(await calls[1]).toMatchObject(saying('two'));
    expect(sessions()).toBe(1);
  });
});

it('tells no NUL of an error of the server', async () => {
  server.behaviour.call = (rpc, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: rpc.id, error: { code: -32_602, message: 'a\0b' } }));
  };

  await expect(call('bad')).rejects.toMatchObject({ code: 'refused', message: 'ab' });
});

describe('numbers that no double holds', () => {
  const result =
    '{"content":[],"structuredContent":{"order":9876543210987654321,"lines":[1,12345678901234567890.5]}}';
  const structured = { order: '9876543210987654321', lines: [1, '12345678901234567890.5'] };

  it.each(['application/json', 'text/event-stream'])('keep their digits in an answer as %s', async (type) => {
    server.behaviour.call = (rpc, response) => {
      const json = `{"jsonrpc":"2.0","id":${String(rpc.id)},"result":${result}}`;
      response.writeHead(200, { 'Content-Type': type });
      const body = type === 'application/json' ? json : `event: message\r\ndata: ${json}\r\n\r\n`;
      // In pieces that cut numbers and lines.
      for (let at = 0; at < body.length; at += 7) response.write(body.slice(at, at + 7));
      response.end();
    };

    expect(await call('find')).toMatchObject({ structured });
  });
});
