// What Prosa is measured against: node:http and pg.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { announce } from '../support/child-server.js';
import { answer, type Body, pool } from './statements.js';

const server = createServer((request, response) => {
  bodyOf(request)
    .then((body) => answer(request.method ?? '', request.url ?? '', body))
    .then((row) => {
      const json = JSON.stringify(row);
      response.writeHead(request.method === 'POST' ? 201 : 200, {
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(json),
      });
      response.end(json);
    })
    .catch((error: unknown) => response.writeHead(500).end(String(error)));
});

async function bodyOf(request: IncomingMessage): Promise<Body> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
  return text === '' ? {} : (JSON.parse(text) as Body);
}

server.listen(0, '127.0.0.1', () => announce((server.address() as AddressInfo).port));
process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
  void pool.end();
});
