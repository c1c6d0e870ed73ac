import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { until } from '@prosa/testing';
import { refuseUpgrade } from './media-upgrades.js';

const UPGRADE = 'GET / HTTP/1.1\r\nHost: prosa\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';

let server: Server;

beforeEach(async () => {
  server = createServer();
  server.on('upgrade', (_request, socket) => refuseUpgrade(socket, 404));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => void server.close());

const connections = () =>
  new Promise<number>((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );

it('closes a refused connection whose client keeps its side open', async () => {
  const { port } = server.address() as AddressInfo;
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let answer = '';
  client.on('data', (data: Buffer) => (answer += data.toString()));
  client.write(UPGRADE);
  await once(client, 'end');
  expect(answer).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/);
  await until(async () => (await connections()) === 0);
  client.destroy();
});
