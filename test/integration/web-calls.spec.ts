import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { WebSocket } from 'ws';
import { CallsConfig } from '../../src/config/config.js';
import { VoiceProcessesService } from '../../src/modules/voice-workers/voice-processes.service.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { until } from '../support/until.js';

interface Opened {
  readonly call_id: number;
  readonly token: string;
  readonly url: string;
}

/** A message of the server, as far as it is looked at. */
interface Shown {
  readonly state?: string;
  readonly role?: string;
  readonly final?: boolean;
}

describe('Calls from a browser', () => {
  let app: TestApp;
  let account: TestAccount;
  let assistant: { id: number; uuid: string };

  beforeAll(async () => {
    app = await TestApp.start({ PROSA_ROLES: 'api,worker,voice', RATE_LIMITS: 'on' });
    account = await app.account({ balanceUsd: 50 });
    assistant = await createAssistant(app, account);
  });
  afterAll(() => app.stop());

  async function openPublic(): Promise<Opened> {
    const { body } = await app.http.post('/api/web-calls').send({ assistant_id: assistant.uuid }).expect(201);
    return body as Opened;
  }

  async function openOwn(owner = account, { id } = assistant): Promise<Opened> {
    const path = `/api/user/assistant/${id}/web-call`;
    const { body } = await app.as(owner).post(path).send({}).expect(201);
    return body.data as Opened;
  }

  /** A connection that has sent its first message. */
  async function connect(url: string, first: string | Buffer): Promise<WebSocket> {
    const socket = new WebSocket(url);
    await once(socket, 'open');
    socket.send(first);
    return socket;
  }

  async function codeOf(socket: WebSocket): Promise<number> {
    const [code] = (await once(socket, 'close')) as [number];
    return code;
  }

  const callOf = async (id: number) =>
    (await app.as(account).get(`/api/user/calls/${id}`).expect(200)).body as {
      status: string;
      type: string;
      transcript: string | null;
      voice: object | null;
    };

  it('are opened by the owner, with an address and a token that is good once', async () => {
    const { body } = await app
      .as(account)
      .post(`/api/user/assistant/${assistant.id}/web-call`)
      .send({})
      .expect(201);
    expect(body).toEqual({
      message: 'Chamada criada com sucesso',
      data: {
        call_id: expect.any(Number),
        token: expect.stringMatching(/^prosa_call_\w{36}$/),
        url: expect.stringMatching(/^ws:\/\/127\.0\.0\.1:\d+\/api\/web-calls\/\d+\/media$/),
        sample_rate: 24_000,
        expires_at: expect.any(String),
      },
    });
    const { call_id: callId } = body.data;
    expect(await callOf(callId)).toMatchObject({ status: 'initiated', type: 'web', voice: null });
    const idsOf = async (type: string): Promise<number[]> => {
      const { body: page } = await app.as(account).get(`/api/user/calls?type=${type}`).expect(200);
      return page.data.map(({ id }: { id: number }) => id);
    };
    expect(await idsOf('web')).toContain(callId);
    expect(await idsOf('inbound')).toEqual([]);
  });

  it('begin when the browser has connected with the token, and end when it hangs up', async () => {
    const { call_id: callId, token, url } = await openPublic();
    const socket = await connect(url, JSON.stringify({ type: 'start', token }));
    const [first] = (await once(socket, 'message')) as [Buffer];
    expect(JSON.parse(first.toString('utf8'))).toEqual({ type: 'ready', sample_rate: 24_000, frame_ms: 20 });
    await until(async () => (await callOf(callId)).status === 'in-progress');
    socket.send(JSON.stringify({ type: 'hangup' }));
    expect(await codeOf(socket)).toBe(1000);
    await until(async () => ['ended_by_customer', 'completed'].includes((await callOf(callId)).status));
    // The token of a call that is over is refused.
    expect(await codeOf(await connect(url, JSON.stringify({ type: 'start', token })))).toBe(4401);
  });

  it('are heard: the assistant greets in sound as soon as the browser is there', async () => {
    const { call_id: callId, token, url } = await openPublic();
    const socket = await connect(url, JSON.stringify({ type: 'start', token }));
    let loudest = 0;
    let soundMs = 0;
    const shown: Shown[] = [];
    socket.on('message', (data: Buffer, isBinary) => {
      if (!isBinary) {
        shown.push(JSON.parse(data.toString('utf8')) as Shown);
        return;
      }
      expect(data).toHaveLength(960);
      const level = levelOf(data);
      loudest = Math.max(loudest, level);
      if (level > 300) soundMs += 20;
    });
    const silence = setInterval(() => socket.send(Buffer.alloc(960)), 20);
    try {
      await until(() => soundMs > 500, 20_000);
      // A turn is reported when it was heard, and as final when it has been spoken.
      const isSpoken = ({ role, final }: Shown) => role === 'assistant' && final === true;
      await until(() => shown.some(isSpoken) && shown.at(-1)?.state === 'listening', 20_000);
      const states = shown.flatMap(({ state }) => state ?? []);
      expect(states).toEqual(['speaking', 'listening']);
      expect(shown.findIndex(({ state }) => state === 'speaking')).toBeLessThan(
        shown.findIndex(({ role }) => role === 'assistant'),
      );
      expect(shown.findIndex(isSpoken)).toBeLessThan(shown.length - 1);
      // The voice that was heard is named, and whose place it took.
      await until(async () => (await callOf(callId)).voice !== null);
      const { voice } = await callOf(callId);
      expect(voice).toEqual({
        id: null,
        name: 'Sandbox',
        stood_in_for: { id: expect.any(Number), name: expect.any(String) },
        reason: 'no_key',
      });
      const { body: page } = await app.as(account).get('/api/user/calls').expect(200);
      expect(page.data.find(({ id }: { id: number }) => id === callId).voice).toEqual(voice);
    } finally {
      clearInterval(silence);
    }
    expect(loudest).toBeGreaterThan(1_000);
    socket.send(JSON.stringify({ type: 'hangup' }));
    await codeOf(socket);
    await until(async () => {
      const call = await callOf(callId);
      return call.status === 'completed' && call.transcript !== null && call.transcript.startsWith('AI: ');
    });
  });

  it('are refused to a wrong token, to that of another call, and to a first message that is none', async () => {
    const one = await openPublic();
    const other = await openPublic();
    const firsts: readonly (readonly [string | Buffer, number])[] = [
      [JSON.stringify({ type: 'start', token: other.token }), 4401],
      [JSON.stringify({ type: 'start', token: `prosa_call_${'0'.repeat(36)}` }), 4401],
      [JSON.stringify({ type: 'start' }), 4401],
      [JSON.stringify({ type: 'hangup' }), 4401],
      ['hello', 4400],
      ['', 4400],
      [`{"type":"start","token":"${one.token}"`, 4400],
      [`"${'a'.repeat(20_000)}"`, 4400],
      [Buffer.alloc(960), 4400],
      [Buffer.from(JSON.stringify({ type: 'start', token: one.token })), 4400],
    ];
    for (const [first, code] of firsts)
      expect([first, await codeOf(await connect(one.url, first))]).toEqual([first, code]);
    expect((await callOf(one.call_id)).status).toBe('initiated');
  });

  it('have a limit for each address, of which the owner takes no notice', async () => {
    const assistant = await createAssistant(app, account);
    const open = () => app.http.post('/api/web-calls').send({ assistant_id: assistant.uuid });
    await open().expect(201);
    await open().expect(201);
    const { body, headers } = await open().expect(429);
    expect(body).toEqual({
      status: false,
      error: 'This assistant is on too many calls right now. Try again in a moment',
      retry_after: 30,
    });
    expect(headers['retry-after']).toBe('30');
    await app.as(account).post(`/api/user/assistant/${assistant.id}/web-call`).send({}).expect(201);
  });

  it('count as a visitor’s messages, also where they cost nothing', async () => {
    const owner = await app.account({ balanceUsd: 1 });
    const { uuid } = await createAssistant(app, owner, { visitor_messages_per_hour: 1 });
    const open = () => app.http.post('/api/web-calls').send({ assistant_id: uuid });
    const prices = app.app.get(CallsConfig, { strict: false });
    const { pricePerMinuteMicros } = prices;
    Object.assign(prices, { pricePerMinuteMicros: 0 });
    try {
      await open().expect(201);
      await open().expect(429);
    } finally {
      Object.assign(prices, { pricePerMinuteMicros });
    }
  });

  it('are refused by English words, and from pages that the assistant does not name', async () => {
    const unknown = await app.http
      .post('/api/web-calls')
      .send({ assistant_id: '3b0f7a52-6d0e-4a43-9a58-0f5a3c1d2e4f' })
      .expect(404);
    expect(unknown.body).toEqual({ status: false, error: 'Assistant not found' });
    const { uuid } = await createAssistant(app, account, { allowed_origins: ['https://shop.example'] });
    const open = (origin: string) =>
      app.http.post('/api/web-calls').set('Origin', origin).send({ assistant_id: uuid });
    await open('https://other.example').expect(403);
    await open('https://shop.example').expect(201);
  });

  it('are offered to visitors where the owner allows them, and refused where not', async () => {
    const offer = (uuid: string, origin: string) =>
      app.http.get(`/api/web-calls/${uuid}`).set('Origin', origin);
    const shop = 'https://shop.example';
    expect((await offer(assistant.uuid, shop).expect(200)).body).toEqual({ status: true, available: true });
    const own = await createAssistant(app, account, {
      visitor_calls_enabled: false,
      allowed_origins: [shop],
    });
    expect((await offer(own.uuid, shop).expect(200)).body).toEqual({ status: true, available: false });
    await offer(own.uuid, 'https://other.example').expect(403);
    const off = await createAssistant(app, account, { web_chat_enabled: false });
    expect((await offer(off.uuid, shop).expect(200)).body).toEqual({ status: true, available: false });
    await app.http.post('/api/web-calls').send({ assistant_id: off.uuid }).expect(404);
    await app.as(account).post(`/api/user/assistant/${off.id}/web-call`).send({}).expect(201);
    await offer('3b0f7a52-6d0e-4a43-9a58-0f5a3c1d2e4f', shop).expect(404);
    const refused = await app.http
      .post('/api/web-calls')
      .set('Origin', shop)
      .send({ assistant_id: own.uuid })
      .expect(403);
    expect(refused.body).toEqual({
      status: false,
      error: 'This assistant does not accept calls from visitors',
    });
    // It is nothing to its owner.
    await app.as(account).post(`/api/user/assistant/${own.id}/web-call`).send({}).expect(201);
  });

  it('cannot be paid from an empty balance', async () => {
    const poor = await app.account({ balanceUsd: 0 });
    const own = await createAssistant(app, poor);
    await app.as(poor).post(`/api/user/assistant/${own.id}/web-call`).send({}).expect(422);
    await app.http.post('/api/web-calls').send({ assistant_id: own.uuid }).expect(400);
  });

  it('are given to a process when their browser connects, and no other call is', async () => {
    const give = jest.spyOn(app.app.get(VoiceProcessesService), 'give');
    const { call_id: callId, url } = await openOwn();
    const other = url.replace(`/${callId}/`, `/${callId + 1_000}/`);

    expect(await codeOf(await connect(other, 'hello'))).toBe(4400);
    expect(give).not.toHaveBeenCalled();
    expect(await codeOf(await connect(url, 'hello'))).toBe(4400);
    expect(give.mock.calls).toEqual([[callId]]);
    give.mockRestore();
  });

  it('are connected for a few of one address at a time that have not shown their token', async () => {
    const owner = await app.account({ balanceUsd: 1 });
    const { url } = await openOwn(owner, await createAssistant(app, owner));
    const silent = Array.from({ length: 20 }, () => new WebSocket(url));
    await Promise.all(silent.map((socket) => once(socket, 'open')));
    const [, response] = (await once(new WebSocket(url), 'unexpected-response')) as [
      unknown,
      { statusCode: number },
    ];
    expect(response.statusCode).toBe(429);
    for (const socket of silent) socket.close();
    await Promise.all(silent.map((socket) => once(socket, 'close')));
    expect(await codeOf(await connect(url, 'hello'))).toBe(4400);
  });

  it('answer other upgrades with 404', async () => {
    for (const path of ['/api/user/me', '/api/web-calls/0/media', '/api/web-calls/99999999999/media']) {
      const socket = new WebSocket(`${app.origin.replace('http', 'ws')}${path}`);
      const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }];
      expect([path, response.statusCode]).toEqual([path, 404]);
    }
  });
});

/** Root mean square of PCM16. */
function levelOf(data: Buffer): number {
  let sum = 0;
  for (let at = 0; at < data.length; at += 2) sum += data.readInt16LE(at) ** 2;
  return Math.sqrt(sum / (data.length / 2));
}
