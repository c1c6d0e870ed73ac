// An OpenAI-compatible server with one fixed answer. `POST /delay/600` sets how long it thinks, in milliseconds.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { announce } from '../support/child-server.js';

let delayMs = 0;

const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 0, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

const words = 'Olá! Tudo bem por aqui, e com você?'.split(' ').map((word) => chunk({ content: `${word} ` }));
const answer = `${words.join('')}${chunk({}, 'stop')}data: [DONE]\n\n`;
const headers = { 'Content-Type': 'text/event-stream', 'Content-Length': Buffer.byteLength(answer) };

const server = createServer((request, response) => {
  const delay = /^\/delay\/(\d+)$/.exec(request.url ?? '')?.[1];
  if (delay) delayMs = Number(delay);
  request.resume();
  request.on('end', () => {
    if (delay) response.end();
    else if (delayMs === 0) response.writeHead(200, headers).end(answer);
    else setTimeout(() => response.writeHead(200, headers).end(answer), delayMs);
  });
});
// A pause between two scenarios must not close a connection that the next one uses.
server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', () => announce((server.address() as AddressInfo).port));
process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
});
