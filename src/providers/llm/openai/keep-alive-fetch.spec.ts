import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { guardedConnector } from '../../../common/egress/guarded-connector.js';
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

describe('requests to a provider that a customer has named', () => {
  let provider: Server;
  let connections: KeepAliveFetch;
  let asked: number;
  let url: string;
  let address: string;

  beforeEach(async () => {
    asked = 0;
    provider = createServer((_request, response) => {
      asked += 1;
      response.writeHead(200, { Connection: 'close' }).end('{}');
    });
    provider.listen(0, '0.0.0.0');
    await once(provider, 'listening');
    url = `http://llm.example.com:${(provider.address() as AddressInfo).port}/v1/models`;
    connections = new KeepAliveFetch(
      guardedConnector({ allowCidrs: ['127.0.0.2/32'], lookup: async () => [{ address }] }),
    );
  });
  afterEach(async () => {
    await connections.close();
    provider.closeAllConnections();
    provider.close();
  });

  const ways: [string, () => Promise<unknown>][] = [
    [
      'a completion',
      async () => (await connections.post(url, {}, '{}', AbortSignal.timeout(10_000))).body.text(),
    ],
    [
      'the list of models',
      async () => (await connections.get(url, {}, AbortSignal.timeout(10_000))).body.text(),
    ],
    ["the SDK's", async () => (await connections.fetch(url, { method: 'GET' })).text()],
  ];

  it.each(ways)(
    'do not reach an address inside, also when its name comes to mean one later: %s',
    async (_way, ask) => {
      address = '127.0.0.2';
      expect(await ask()).toBe('{}');
      address = '127.0.0.1';
      await expect(ask()).rejects.toMatchObject({ name: 'EgressError', code: 'forbidden-address' });
      url = url.replace('llm.example.com', '127.0.0.1');
      await expect(ask()).rejects.toMatchObject({ name: 'EgressError', code: 'forbidden-address' });
      expect(asked).toBe(1);
    },
  );
});
