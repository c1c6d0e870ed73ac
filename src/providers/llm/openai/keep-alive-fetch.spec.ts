import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { KeepAliveFetch } from './keep-alive-fetch.js';

describe('requests to a provider of models', () => {
  let provider: Server;
  let connections: KeepAliveFetch;
  let url: string;
  let asked: Socket[];
  let answer: (request: IncomingMessage, response: ServerResponse) => void;

  beforeEach(async () => {
    asked = [];
    provider = createServer((request, response) => {
      asked.push(request.socket);
      answer(request, response);
    });
    provider.listen(0, '127.0.0.1');
    await once(provider, 'listening');
    url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/`;
    connections = new KeepAliveFetch();
  });
  afterEach(async () => {
    await connections.close();
    provider.closeAllConnections();
    provider.close();
  });

  const ways: [string, () => Promise<string>][] = [
    ['ours', async () => (await connections.post(url, {}, '{}', AbortSignal.timeout(10_000))).body.text()],
    ["the SDK's", async () => (await connections.fetch(url, { method: 'POST', body: '{}' })).text()],
  ];

  it.each(ways)('go out once more when a kept connection closes under them: %s', async (_way, ask) => {
    answer = (_request, response) => void response.end('first');
    expect(await ask()).toBe('first');
    // The connection is free again a turn of the event loop later.
    await nextTurn();
    const kept = asked[0];
    answer = (request, response) => {
      if (request.socket === kept) request.socket.destroy();
      else response.end('second');
    };
    expect(await ask()).toBe('second');
    expect(asked.map((socket) => socket === kept)).toEqual([true, true, false]);
  });

  it.each(ways)('fail when the connection is lost twice: %s', async (_way, ask) => {
    answer = ({ socket }) => void socket.destroy();
    await expect(ask()).rejects.toThrow();
    expect(asked).toHaveLength(2);
  });

  it('are not sent again once an answer has begun', async () => {
    answer = ({ socket }, response) => {
      response.writeHead(200, { 'Content-Length': '100' });
      response.write('be', () => socket.destroy());
    };
    const { body } = await connections.post(url, {}, '{}', AbortSignal.timeout(10_000));
    await expect(body.text()).rejects.toThrow();
    expect(asked).toHaveLength(1);
  });
});
