import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { WebSocket, WebSocketServer } from 'ws';
import type { CallAudio } from '@prosa/audio';
import type { CallEvent } from '../call/carrier-call.js';
import { WebCallCarrier } from './web-call-carrier.js';
import { WebSocketConnection } from './web-socket-connection.js';
import { bytesOfSamples, clientMessageOf, samplesOf, tokenOf } from './web-call-protocol.js';

const RECONNECT_MS = 300;
const QUIET_MS = 400;
const FRAME_SAMPLES = 480;

/** A page in a browser, as far as the wire is concerned. */
interface Page {
  readonly socket: WebSocket;
  readonly messages: { type: string }[];
  readonly sounds: Buffer[];
  readonly closed: Promise<number>;
}

describe('WebCallCarrier', () => {
  let carrier: WebCallCarrier;
  let http: Server;
  let sockets: WebSocketServer;
  let url: string;
  const pages: Page[] = [];

  beforeEach(async () => {
    carrier = new WebCallCarrier(undefined, { reconnectMs: RECONNECT_MS, quietMs: QUIET_MS });
    http = createServer();
    sockets = new WebSocketServer({ server: http });
    sockets.on('connection', (socket) => {
      if (!carrier.connect('key', new WebSocketConnection(socket))) socket.close(4401);
    });
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
    url = `ws://127.0.0.1:${(http.address() as AddressInfo).port}`;
  });

  afterEach(async () => {
    await carrier.close();
    for (const { socket } of pages.splice(0)) socket.terminate();
    sockets.close();
    http.close();
    await once(http, 'close');
  });

  async function openPage(): Promise<Page> {
    const socket = new WebSocket(url);
    const page: Page = {
      socket,
      messages: [],
      sounds: [],
      closed: once(socket, 'close').then(([code]) => code as number),
    };
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) page.sounds.push(data);
      else page.messages.push(JSON.parse(data.toString('utf8')) as { type: string });
    });
    pages.push(page);
    await once(socket, 'open');
    return page;
  }

  async function placeAndAnswer(): Promise<{ callId: string; page: Page; audio: CallAudio }> {
    const { callId } = await carrier.place(request());
    const page = await openPage();
    await until(() => page.messages.some(({ type }) => type === 'ready'));
    if (!('audio' in carrier.media)) throw new Error('no audio');
    const audio = await carrier.media.audio.open(callId, new AbortController().signal);
    return { callId, page, audio };
  }

  it('rings until the browser connects, which is the answer', async () => {
    const { callId } = await carrier.place(request());
    const events = carrier.watch(callId);
    expect((await next(events)).type).toBe('state');
    await openPage();
    expect((await next(events)).type).toBe('answered');
    await carrier.hangUp(callId);
    const ended = await next(events);
    expect(ended).toMatchObject({ type: 'ended', call: { end: { outcome: 'hung-up', by: 'platform' } } });
  });

  it('is not answered when no browser comes in time', async () => {
    const { callId } = await carrier.place({ ...request(), ringingTimeoutMs: 50 });
    const events = carrier.watch(callId);
    await next(events);
    expect(await next(events)).toMatchObject({ type: 'ended', call: { end: { outcome: 'no-answer' } } });
    const page = await openPage();
    expect(await page.closed).toBe(4401);
  });

  it('is the same call when the same key is placed again, and refuses it for another number', async () => {
    const { callId } = await carrier.place(request());
    expect(await carrier.place(request())).toEqual({ callId, repeated: true });
    await expect(carrier.place({ ...request(), to: 'other' })).rejects.toMatchObject({ code: 'rejected' });
  });

  it('carries sound both ways, in frames of 20 ms whatever the size of the messages', async () => {
    const { page, audio } = await placeAndAnswer();
    // 50 ms and 70 ms: six frames.
    page.socket.send(tone(1_200, 1_000));
    page.socket.send(tone(1_680, 1_000));
    const loud: number[] = [];
    let frames = 0;
    for await (const frame of audio.heard) {
      expect(frame).toHaveLength(FRAME_SAMPLES);
      if (frame[0] === 1_000) loud.push(frames);
      frames++;
      if (loud.length === 6) break;
      if (frames > 60) throw new Error('the sound did not come');
    }
    expect(loud.at(-1)! - loud[0]!).toBe(5);

    audio.send(new Int16Array(FRAME_SAMPLES).fill(-7));
    await until(() => page.sounds.length > 0);
    expect(page.sounds[0]).toHaveLength(960);
    expect(page.sounds[0]?.readInt16LE(0)).toBe(-7);
    audio.clear();
    await until(() => page.messages.some(({ type }) => type === 'clear'));
  });

  it('hears silence, at the pace of real time, while nothing comes', async () => {
    const { audio } = await placeAndAnswer();
    const startedAt = performance.now();
    let frames = 0;
    for await (const frame of audio.heard) {
      expect(frame.every((sample) => sample === 0)).toBe(true);
      if (++frames === 15) break;
    }
    expect(performance.now() - startedAt).toBeGreaterThan(200);
  });

  it('tells of keys, typed words and hanging up', async () => {
    const { callId, page } = await placeAndAnswer();
    const events = carrier.watch(callId);
    await next(events);
    page.socket.send(JSON.stringify({ type: 'key', digit: '5' }));
    expect(await next(events)).toEqual({ type: 'digits', digits: '5' });
    page.socket.send(JSON.stringify({ type: 'text', text: ' Bom dia ' }));
    expect(await next(events)).toEqual({ type: 'heard', text: 'Bom dia' });
    page.socket.send(JSON.stringify({ type: 'hangup' }));
    expect(await next(events)).toMatchObject({ type: 'ended', call: { end: { by: 'customer' } } });
    expect(await page.closed).toBe(1000);
    expect(page.messages.at(-1)).toEqual({ type: 'ended', reason: 'customer' });
  });

  it('shows what is said, and tells a turn as whole once the next one begins', async () => {
    const { callId, page } = await placeAndAnswer();
    const show = (speaker: 'assistant' | 'customer', text: string, startMs: number) =>
      carrier.showTurn(callId, { speaker, text, startMs });
    show('assistant', 'Olá!', 100);
    show('assistant', 'Olá! Tudo bem?', 100);
    show('customer', 'Tudo.', 2_000);
    show('assistant', 'Que bom.', 3_000);
    await until(() => page.messages.length === 6);
    expect(page.messages.slice(1)).toEqual([
      { type: 'turn', role: 'assistant', text: 'Olá!', final: false },
      { type: 'turn', role: 'assistant', text: 'Olá! Tudo bem?', final: false },
      { type: 'turn', role: 'assistant', text: 'Olá! Tudo bem?', final: true },
      { type: 'turn', role: 'customer', text: 'Tudo.', final: true },
      { type: 'turn', role: 'assistant', text: 'Que bom.', final: false },
    ]);
  });

  it('tells what the assistant does, once, and a turn as whole once it has been spoken', async () => {
    const { callId, page } = await placeAndAnswer();
    const turn = { speaker: 'assistant' as const, text: 'São duas', startMs: 900 };
    carrier.showState(callId, 'thinking');
    carrier.showState(callId, 'thinking');
    carrier.showState(callId, 'speaking');
    carrier.showTurn(callId, turn);
    // Heard while it goes on speaking.
    carrier.showTurn(callId, { speaker: 'customer', text: 'Aham', startMs: 1_200 });
    carrier.showTurn(callId, { ...turn, text: 'São duas horas.' });
    carrier.showState(callId, 'listening');
    await until(() => page.messages.length === 8);
    expect(page.messages.slice(1)).toEqual([
      { type: 'state', state: 'thinking' },
      { type: 'state', state: 'speaking' },
      { type: 'turn', role: 'assistant', text: 'São duas', final: false },
      { type: 'turn', role: 'customer', text: 'Aham', final: true },
      { type: 'turn', role: 'assistant', text: 'São duas horas.', final: false },
      { type: 'turn', role: 'assistant', text: 'São duas horas.', final: true },
      { type: 'state', state: 'listening' },
    ]);
  });

  it('ends the turn that is being spoken before it tells of the end of the call', async () => {
    const { callId, page } = await placeAndAnswer();
    carrier.showState(callId, 'speaking');
    carrier.showTurn(callId, { speaker: 'assistant', text: 'Até', startMs: 10 });
    await carrier.hangUp(callId);
    expect(await page.closed).toBe(1000);
    expect(page.messages.slice(-2)).toEqual([
      { type: 'turn', role: 'assistant', text: 'Até', final: true },
      { type: 'ended', reason: 'platform' },
    ]);
  });

  it('tells a browser that comes back what the assistant does and says', async () => {
    const { callId, page } = await placeAndAnswer();
    carrier.showState(callId, 'speaking');
    carrier.showTurn(callId, { speaker: 'assistant', text: 'Então', startMs: 10 });
    page.socket.terminate();
    await delay(RECONNECT_MS / 3);
    const again = await openPage();
    await until(() => again.messages.length === 3);
    expect(again.messages.slice(1)).toEqual([
      { type: 'state', state: 'speaking' },
      { type: 'turn', role: 'assistant', text: 'Então', final: false },
    ]);
  });

  it('goes on when a broken connection comes back in time', async () => {
    const { callId, page } = await placeAndAnswer();
    const events = carrier.watch(callId);
    await next(events);
    page.socket.terminate();
    await delay(RECONNECT_MS / 3);
    const again = await openPage();
    await until(() => again.messages.some(({ type }) => type === 'ready'));
    again.socket.send(JSON.stringify({ type: 'key', digit: '1' }));
    expect(await next(events)).toEqual({ type: 'digits', digits: '1' });
  });

  it('ends when a broken connection does not come back', async () => {
    const { callId, page } = await placeAndAnswer();
    const events = carrier.watch(callId);
    await next(events);
    page.socket.terminate();
    expect(await next(events)).toMatchObject({
      type: 'ended',
      call: { end: { by: 'customer', reason: 'connection-lost' } },
    });
  });

  it('closes the first connection when the same call connects a second time', async () => {
    const { page } = await placeAndAnswer();
    const second = await openPage();
    expect(await page.closed).toBe(4409);
    await until(() => second.messages.some(({ type }) => type === 'ready'));
  });

  it.each([
    ['an odd number of bytes', Buffer.alloc(961), 4400],
    ['less than 10 ms', Buffer.alloc(100), 4400],
    ['more than 100 ms', Buffer.alloc(4_802), 4400],
    ['text that is no JSON', 'hello', 4400],
    ['text of more than 8 kB', `{"type":"text","text":"${'a'.repeat(9_000)}"}`, 4400],
    ['an unknown message', '{"type":"transfer","to":"+5511"}', 4400],
    ['a key that is none', '{"type":"key","digit":"55"}', 4400],
  ])('cuts a connection that sends %s', async (_name, data, code) => {
    const { page } = await placeAndAnswer();
    page.socket.send(data);
    expect(await page.closed).toBe(code);
  });

  it('cuts a connection that sends sound much faster than it is heard, and leaves other calls alone', async () => {
    const { page } = await placeAndAnswer();
    for (let index = 0; index < 120; index++) page.socket.send(tone(2_400, 1));
    expect(await page.closed).toBe(4429);
  });

  it('leaves a connection alone whose first seconds of sound come at once', async () => {
    const { page } = await placeAndAnswer();
    for (let index = 0; index < 60; index++) page.socket.send(tone(2_400, 1));
    page.socket.send('{"type":"key","digit":"55"}');
    expect(await page.closed).toBe(4400);
  });

  it('cuts a connection that floods messages', async () => {
    const { page } = await placeAndAnswer();
    for (let index = 0; index < 60; index++) page.socket.send('{"type":"played","ms":1}');
    expect(await page.closed).toBe(4429);
  });

  it('cuts a connection from which nothing comes any more', async () => {
    const { page } = await placeAndAnswer();
    expect(await page.closed).toBe(4408);
  });

  it('reads frames back as they were written, and takes no token that is none', () => {
    const samples = Int16Array.from({ length: 240 }, (_, index) => index * 100 - 12_000);
    expect(samplesOf(bytesOfSamples(samples))).toEqual(samples);
    expect(tokenOf(Buffer.from('{"type":"start","token":"abc"}'))).toBe('abc');
    expect(tokenOf(Buffer.from('{"type":"start"}'))).toBeNull();
    expect(tokenOf(Buffer.from(`{"type":"start","token":"${'a'.repeat(500)}"}`))).toBeNull();
    expect(tokenOf(Buffer.from(`{"type":"start","token":"${'a'.repeat(9_000)}"}`))).toBeUndefined();
    for (const text of ['', 'hello', '{"type":"start","token":"abc"', "{'type':'start'}"])
      expect([text, tokenOf(Buffer.from(text))]).toEqual([text, undefined]);
    expect(clientMessageOf(Buffer.from('{"type":"text","text":"   "}'))).toBeNull();
  });
});

function request() {
  return { key: 'key', from: 'web', to: 'web', ringingTimeoutMs: 5_000 };
}

function tone(samples: number, value: number): Buffer {
  return bytesOfSamples(new Int16Array(samples).fill(value));
}

async function next(events: AsyncIterator<CallEvent>): Promise<CallEvent> {
  const { value, done } = await events.next();
  if (done) throw new Error('no more events');
  return value;
}

async function until(isTrue: () => boolean): Promise<void> {
  for (let tries = 0; !isTrue(); tries++) {
    if (tries > 400) throw new Error('it did not come');
    await delay(10);
  }
}
