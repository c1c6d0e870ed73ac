import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';
import { createCampaign, createOutboundAssistant, phoneNumber } from '../support/campaign-builders.js';
import { until } from '../support/until.js';

const MAX_CONNECTIONS = 30;
const SECOND_MS = 1_000;

let app: TestApp;
let owner: TestAccount;
let campaign: number;

beforeAll(async () => {
  app = await TestApp.start({
    RATE_LIMITS: 'on',
    RATE_LIMIT_PER_KEY_PER_MINUTE: '100000',
    RATE_LIMIT_PER_ADDRESS_PER_MINUTE: '100000',
    HTTP_MAX_CONNECTIONS: String(MAX_CONNECTIONS),
    HTTP_HEADERS_TIMEOUT_SECONDS: '1',
    HTTP_BODY_TIMEOUT_SECONDS: '1',
    HTTP_KEEP_ALIVE_SECONDS: '4',
    STREAMS_PER_ACCOUNT: '3',
    STREAMS_PER_ADDRESS: '5',
  });
  owner = await app.account({ balanceUsd: 10 });
  campaign = await createCampaign(app, owner);
});

afterAll(() => app.stop());

/** A socket with everything it was sent. */
class Wire {
  text = '';
  isClosed = false;

  private constructor(readonly socket: Socket) {
    socket.on('data', (chunk) => (this.text += String(chunk)));
    socket.on('error', () => undefined);
    socket.on('close', () => (this.isClosed = true));
  }

  static async open(): Promise<Wire> {
    const socket = connect(Number(new URL(app.origin).port), '127.0.0.1');
    const wire = new Wire(socket);
    await once(socket, 'connect');
    return wire;
  }

  /** The body of the last answer. */
  get body(): unknown {
    return JSON.parse(this.text.slice(this.text.lastIndexOf('\r\n\r\n')));
  }

  async closed(timeoutMs = 10 * SECOND_MS): Promise<number> {
    const startedAt = performance.now();
    await until(() => this.isClosed, timeoutMs);
    return performance.now() - startedAt;
  }
}

const head = (method: string, path: string, headers: Record<string, string | number> = {}) =>
  [
    `${method} ${path} HTTP/1.1`,
    'Host: prosa',
    `Authorization: Bearer ${owner.token}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n');

async function runningCampaign(account: TestAccount): Promise<number> {
  const id = await createCampaign(app, account, {
    assistant_id: await createOutboundAssistant(app, account),
  });
  await app.query("UPDATE campaigns SET status = 'in-progress' WHERE id = $1", [id]);
  return id;
}

describe('connections', () => {
  it('are bounded: those beyond the limit are closed at once, and there is room again afterwards', async () => {
    const wires = await Promise.all(Array.from({ length: MAX_CONNECTIONS + 20 }, () => Wire.open()));
    await until(() => wires.filter(({ isClosed }) => isClosed).length >= 20);
    for (const { socket } of wires) socket.destroy();
    await until(async () => (await fetch(`${app.origin}/health/live`).catch(() => null))?.status === 200);
  });

  it.each([
    ['says nothing', ''],
    ['does not end its headers', 'GET /api/user/me HTTP/1.1\r\nHost: prosa\r\n'],
  ])('one that %s is closed after the header time-out, with 408', async (_what, start) => {
    const wire = await Wire.open();
    wire.socket.write(start);
    expect(await wire.closed()).toBeGreaterThan(0.9 * SECOND_MS);
    expect(wire.text).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(wire.body).toEqual({ message: 'A requisição demorou demais para chegar' });
  });

  it.each([
    ['is not HTTP', 'hello\r\n\r\n', 400, 'Requisição inválida'],
    ['has a header without a name', 'GET / HTTP/1.1\r\n: x\r\n\r\n', 400, 'Requisição inválida'],
    [
      'has a body whose chunks are none',
      'POST /api/auth/login HTTP/1.1\r\nHost: prosa\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      400,
      'Requisição inválida',
    ],
    [
      'has endless headers',
      `GET / HTTP/1.1\r\nHost: prosa\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'Os cabeçalhos da requisição são grandes demais',
    ],
  ])('one whose request %s is closed with an answer', async (_what, start, status, message) => {
    const wire = await Wire.open();
    wire.socket.write(start);
    await wire.closed();
    expect(wire.text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(wire.text).toMatch(/\r\nContent-Type: application\/json; charset=utf-8\r\n/i);
    expect(wire.text).toMatch(/\r\nConnection: close\r\n/i);
    expect(wire.body).toEqual({ message });
  });

  it('one with an answer under way is cut without a second answer in the middle of it', async () => {
    const id = await runningCampaign(owner);
    const wire = await Wire.open();
    wire.socket.write(head('GET', `/api/user/campaigns/${id}/progress`, { Accept: 'text/event-stream' }));
    await until(() => wire.text.includes('event: progress'));
    wire.socket.write('hello\r\n\r\n');
    await wire.closed();
    expect(wire.text.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  it('one that is idle between two requests is kept for longer than the header time-out', async () => {
    const wire = await Wire.open();
    wire.socket.write(head('GET', '/api/user/me'));
    await until(() => wire.text.includes('total_balance'));
    await sleep(2.5 * SECOND_MS);
    wire.socket.write(head('GET', '/api/user/me'));
    await until(() => wire.text.split('total_balance').length === 3);
    wire.socket.destroy();
  }, 20_000);
});

describe('a body that does not come', () => {
  it.each([
    ['POST', '/api/user/lead', { message: 'O corpo da requisição demorou demais para chegar' }],
    ['PUT', '/api/user/knowledgebases/1', { message: 'O corpo da requisição demorou demais para chegar' }],
    [
      'POST',
      '/api/conversations/00000000-0000-4000-8000-000000000000/messages',
      { status: false, error: 'The request body took too long to arrive' },
    ],
  ])('is answered 408 on %s %s, and the connection closed', async (method, path, body) => {
    const wire = await Wire.open();
    wire.socket.write(head(method, path, { 'Content-Type': 'application/json', 'Content-Length': 100 }));
    const drip = setInterval(() => wire.socket.write(' '), 100);
    await wire.closed();
    clearInterval(drip);
    expect(wire.text).toMatch(/^HTTP\/1\.1 408 /);
    expect(wire.text).toMatch(/connection: close/i);
    expect(wire.body).toEqual(body);
  });

  it.each(['text/csv', 'multipart/form-data; boundary=b'])(
    'is cut in a %s upload that makes no progress',
    async (type) => {
      const wire = await Wire.open();
      const path = `/api/user/campaigns/${campaign}/leads/import`;
      wire.socket.write(head('POST', path, { 'Content-Type': type, 'Content-Length': 100_000 }));
      wire.socket.write(
        `${type === 'text/csv' ? '' : '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'}phone_number\n`,
      );
      const drip = setInterval(() => wire.socket.write('x'), 100);
      await wire.closed();
      clearInterval(drip);
      expect(wire.text).toMatch(/^HTTP\/1\.1 408 /);
      const path2 = `/api/user/campaigns/${campaign}/leads/imports`;
      await until(async () => (await app.as(owner).get(path2)).body[0]?.status === 'failed');
    },
  );

  it('is waited for in an upload that comes on, for longer than the time-out', async () => {
    const upload = request(`${app.origin}/api/user/campaigns/${campaign}/leads/import`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${owner.token}`, 'Content-Type': 'text/csv' },
    });
    const answer = once(upload, 'response');
    upload.write('phone_number,note\n');
    for (let n = 0; n < 8; n++) {
      upload.write(`${phoneNumber(n)},${'x'.repeat(60_000)}\n`);
      upload.write(`${phoneNumber(100 + n)},${'x'.repeat(60_000)}\n`);
      await sleep(300);
    }
    upload.end();
    const [response] = (await answer) as [{ statusCode: number; resume(): void }];
    response.resume();
    expect(response.statusCode).toBe(200);
  }, 20_000);
});

describe('open event streams', () => {
  /** Opens a stream that goes on for as long as its campaign runs. */
  async function openStream(account: TestAccount, id: number) {
    const gone = new AbortController();
    const response = await fetch(`${app.origin}/api/user/campaigns/${id}/progress`, {
      headers: { Authorization: `Bearer ${account.token}`, Accept: 'text/event-stream' },
      signal: gone.signal,
    });
    return { response, close: () => gone.abort() };
  }

  it('are bounded for each account and for each address, on campaigns and on conversations', async () => {
    const other = await app.account({ balanceUsd: 10 });
    const [mine, theirs] = [await runningCampaign(owner), await runningCampaign(other)];
    const open = [];
    for (let n = 0; n < 3; n++) open.push(await openStream(owner, mine));
    expect(open.map(({ response }) => response.status)).toEqual([200, 200, 200]);

    const beyond = await openStream(owner, mine);
    expect(beyond.response.status).toBe(429);
    expect(beyond.response.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await beyond.response.json()).toEqual({
      message: 'Muitas conexões de eventos abertas ao mesmo tempo. Feche uma e tente novamente',
      retry_after: Number(beyond.response.headers.get('retry-after')),
    });
    // The same as one answer, a stream is refused and an answer is not.
    await app.as(owner).get(`/api/user/campaigns/${mine}/progress`).expect(200);

    for (let n = 0; n < 2; n++) open.push(await openStream(other, theirs));
    const another = await openStream(other, theirs);
    expect(another.response.status).toBe(429);

    const assistant = await createOutboundAssistant(app, other);
    const { body: read } = await app.as(other).get(`/api/user/assistant/${assistant}`).expect(200);
    const { body: conversation } = await app.http
      .post('/api/conversations')
      .send({ assistant_id: read.uuid })
      .expect(200);
    const chat = await fetch(`${app.origin}/api/conversations/${conversation.conversation_id}/messages`, {
      method: 'POST',
      headers: { Accept: 'text/event-stream', 'Content-Type': 'application/json' },
      body: '{"message":"Olá"}',
    });
    expect(chat.status).toBe(429);
    expect(await chat.json()).toEqual({
      status: false,
      error: 'Too many event streams are open at the same time. Close one and try again',
      retry_after: Number(chat.headers.get('retry-after')),
    });

    for (const { close } of open) close();
    await until(async () => {
      const again = await openStream(owner, mine);
      again.close();
      return again.response.status === 200;
    });
  }, 30_000);
});
