import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WebSocketServer, WebSocket } from 'ws';
import {
  carrierFailure,
  describeCallCarrierConformance,
  readUntil,
} from '#test/conformance/call-carrier.conformance.js';
import { FakeTwilio } from '#test/support/twilio/fake-twilio.js';
import { until } from '#test/support/until.js';
import { EgressClient } from '#src/common/egress/egress-client.js';
import { type OwnTwilioAccount, TwilioAccounts } from '../twilio-accounts.js';
import { TwilioCallCarrier } from './twilio-call-carrier.js';
import { isSignedByTwilio } from '../twilio-signature.js';

const numbers = {
  from: '+12125550100',
  human: '+5511987654300',
  busy: '+5511987654301',
  noAnswer: '+5511987654302',
  machine: '+5511987654303',
  failing: '+5511987654304',
  invalid: '+123',
};

let twilio: FakeTwilio;
let carrier: TwilioCallCarrier;
/** Has Twilio tell people from machines. */
let listening: TwilioCallCarrier;
let http: Server;
let address: string;
const egress = new EgressClient({ allowCidrs: ['127.0.0.0/8'] });
/** Accounts that others have brought, by their ids here. */
const own = new Map<string, OwnTwilioAccount>();

/** Serves the public address, as the API's port does. */
function publicServer(): Server {
  const sockets = new WebSocketServer({ noServer: true });
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const form = new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
      const url = `${address}${request.url}`;
      const signature = request.headers['x-twilio-signature'] as string | undefined;
      if (!isSignedByTwilio({ url, form, signature }, twilio.authToken)) return response.writeHead(403).end();
      const [, isListening, account = null, key] =
        /^(\/listening)?(?:\/accounts\/(.+))?\/calls\/(.+)$/.exec(request.url ?? '') ?? [];
      const called = isListening ? listening : carrier;
      if (key !== undefined)
        return response.writeHead(called.takeCallback(account, key, form) ? 204 : 404).end();
      return void carrier.offer(null, form).then((twiml) => response.end(twiml));
    });
  });
  server.on('upgrade', (request, socket, head) =>
    sockets.handleUpgrade(request, socket, head, (open) =>
      (request.url?.startsWith('/listening') ? listening : carrier).connect(
        /\/accounts\/([^/]+)\/media$/.exec(request.url ?? '')?.[1] ?? null,
        open,
      ),
    ),
  );
  return server;
}

beforeAll(async () => {
  twilio = await FakeTwilio.start();
  const { accountSid, authToken, url } = twilio;
  const accounts = new TwilioAccounts(egress, { accountSid, authToken }, { api: url, pricing: url });
  accounts.readOwnFrom({ findTwilio: async (id) => own.get(id) ?? null });
  const times = { pollMs: 300, lookMs: 10, doubtMs: 1_000, startMs: 200, returnMs: 1_000 };
  carrier = new TwilioCallCarrier(accounts, { machineDetection: false, times });
  listening = new TwilioCallCarrier(accounts, { machineDetection: true, times });
  http = publicServer();
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  address = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  carrier.serve(address);
  listening.serve(`${address}/listening`);
});
afterAll(async () => {
  await carrier.close();
  await listening.close();
  await egress.close();
  await twilio.stop();
  http.closeAllConnections();
  http.close();
});

const request = (to: string) => ({ key: randomUUID(), from: numbers.from, to, ringingTimeoutMs: 20_000 });
async function placeAnswered() {
  const order = request(numbers.human);
  const { callId } = await carrier.place(order);
  const events = carrier.watch(callId);
  await readUntil(
    events,
    (event) => event.type === 'answered' || (event.type === 'state' && event.call.progress === 'answered'),
  );
  return { order, callId, events };
}

describe('TwilioCallCarrier', () => {
  it('finds a call whose answer was lost by what Twilio calls back', async () => {
    twilio.troubles.push({ method: 'POST', trouble: { kind: 'lost-answer' } });
    const order = request(numbers.human);
    const error = await carrierFailure(carrier.place(order));
    const found = await carrier.findCall(order.key);

    expect(error.sent).toBe('maybe');
    expect(found).toMatchObject({ found: 'yes', call: { key: order.key, to: numbers.human } });
    expect(found.found === 'yes' && twilio.calls.calls.has(found.call.callId)).toBe(true);
    if (found.found === 'yes') await carrier.hangUp(found.call.callId);
  });

  it.each([
    [429, { 'Retry-After': '7' }, { code: 'rate-limited', sent: 'no', retryAfterMs: 7_000 }],
    [503, {}, { code: 'unavailable', sent: 'maybe' }],
    // Of the credentials, not of the call, which may be asked for again.
    [401, {}, { code: 'unavailable', sent: 'no' }],
  ])('tells how far a call came that was answered with %i', async (status, headers, wanted) => {
    twilio.troubles.push({ method: 'POST', trouble: { kind: 'answer', status, headers } });
    expect(await carrierFailure(carrier.place(request(numbers.human)))).toMatchObject(wanted);
  });

  it('takes callbacks in any order and more than once', async () => {
    const { order, callId, events } = await placeAnswered();
    const say = (status: string) =>
      carrier.takeCallback(null, order.key, new URLSearchParams({ CallSid: callId, CallStatus: status }));
    for (const status of [
      'ringing',
      'in-progress',
      'initiated',
      'completed',
      'completed',
      'in-progress',
      'busy',
    ]) {
      expect(say(status)).toBe(true);
    }
    const seen: string[] = [];
    for await (const { type } of events) seen.push(type);

    expect(seen).toEqual(['ended']);
    expect(await carrier.findCall(order.key)).toMatchObject({
      call: { end: { outcome: 'hung-up', by: 'customer' } },
    });
    twilio.calls.hangUp(callId);
  });

  it('takes no callback for a call of another id, or of no call here', async () => {
    const { order, callId } = await placeAnswered();
    const foreign = new URLSearchParams({ CallSid: `CA${'f'.repeat(32)}`, CallStatus: 'completed' });

    expect(carrier.takeCallback(null, order.key, foreign)).toBe(false);
    expect(
      carrier.takeCallback(null, randomUUID(), new URLSearchParams({ CallSid: callId, CallStatus: 'busy' })),
    ).toBe(false);
    expect(await carrier.findCall(order.key)).toMatchObject({ call: { progress: 'answered' } });
    await carrier.hangUp(callId);
  });

  it('hears of the end of a call whose callbacks are lost', async () => {
    const { callId, events } = await placeAnswered();
    twilio.calls.isMute = true;
    twilio.calls.hangUp(callId);
    const last = (await readUntil(events, 'ended')).at(-1);
    twilio.calls.isMute = false;

    expect(last).toMatchObject({ call: { end: { outcome: 'hung-up', by: 'customer' } } });
  });

  it('tells of keys the customer presses', async () => {
    const { callId, events } = await placeAnswered();
    await twilio.calls.press(callId, '5');

    expect((await readUntil(events, 'digits')).at(-1)).toEqual({ type: 'digits', digits: '5' });
    await carrier.hangUp(callId);
  });

  it('has Twilio play keys one order after the other, and goes on hearing when the stream is back', async () => {
    const { callId } = await placeAnswered();
    if (!('audio' in carrier.media)) throw new Error('no audio');
    const audio = await carrier.media.audio.open(callId, new AbortController().signal);
    twilio.calls.played.length = 0;
    await Promise.all([carrier.sendDigits(callId, '12W#'), carrier.sendDigits(callId, '3')]);
    await until(() => twilio.calls.calls.get(callId)?.twiml.includes('<Play digits="3"/>') ?? false);
    await sleep(100);
    twilio.calls.say(callId, Buffer.alloc(160, 0x80));
    for await (const frame of audio.heard) if ((frame[80] ?? 0) > 30_000) break;

    expect(twilio.calls.played).toEqual(['12w#', '3']);
    await carrier.hangUp(callId);
  });

  it('plays keys that Twilio has not as tones in the sound', async () => {
    const { callId } = await placeAnswered();
    await carrier.sendDigits(callId, 'A');
    await until(() => (twilio.calls.heard.get(callId) ?? []).length >= 10);
    const tone = Buffer.from(twilio.calls.heard.get(callId)?.[0] ?? '', 'base64');

    expect(tone).toHaveLength(160);
    expect(new Set(tone).size).toBeGreaterThan(20);
    await carrier.hangUp(callId);
  });

  it('hears on over its stream when Twilio refuses to play keys', async () => {
    const { callId, events } = await placeAnswered();
    twilio.troubles.push({ method: 'POST', trouble: { kind: 'answer', status: 400 } });
    expect(await carrierFailure(carrier.sendDigits(callId, '1'))).toMatchObject({ code: 'rejected' });
    await twilio.calls.press(callId, '5');

    expect((await readUntil(events, 'digits')).at(-1)).toEqual({ type: 'digits', digits: '5' });
    await carrier.hangUp(callId);
  });

  it.each([
    [numbers.human, 'human'],
    [numbers.machine, 'machine'],
  ])('tells what Twilio has heard of who answered, where that is wished (%s: %s)', async (to, answeredBy) => {
    const { callId } = await listening.place(request(to));
    const seen = await readUntil(listening.watch(callId), 'answering-machine-detection');

    expect(listening.capabilities.machineDetection).toBe(true);
    expect(seen.at(-1)).toEqual({ type: 'answering-machine-detection', answeredBy });
    await listening.hangUp(callId);
  });

  it('asks for no detection where it is not wished', async () => {
    const { callId } = await placeAnswered();
    expect(twilio.calls.calls.get(callId)?.detectionCallback).toBeNull();
    await carrier.hangUp(callId);
  });

  it('ends a call of a process that is gone', async () => {
    const { callId } = await listening.place(request(numbers.noAnswer));
    await carrier.hangUp(callId);

    expect(twilio.calls.calls.get(callId)?.status).toBe('canceled');
    await expect(carrier.hangUp(`CA${'f'.repeat(32)}`)).resolves.toBeUndefined();
  });

  it('reports a forward of a process that is gone, with the seconds that Twilio counts', async () => {
    const stop = new AbortController();
    const offers = carrier.inboundOffers(stop.signal);
    const callId = twilio.calls.callIn(numbers.human, numbers.from, `${address}/voice`);
    await offers.next();
    stop.abort();
    await carrier.forward(callId, {
      to: '+12025550100',
      from: numbers.from,
      ringingTimeoutMs: 5_000,
      maxMs: 60_000,
    });
    await readUntil(carrier.watch(callId), ({ type }) => type === 'answered');
    await expect(listening.watch(callId).next()).rejects.toMatchObject({ code: 'no-such-call' });

    await sleep(1_200);
    await listening.adopt(callId);
    await listening.adopt(callId);
    const events = listening.watch(callId);
    expect((await events.next()).value).toMatchObject({
      type: 'state',
      call: { progress: 'answered', direction: 'inbound', from: numbers.human, to: numbers.from },
    });
    await sleep(800);
    twilio.calls.hangUp(callId);
    const seen = await readUntil(events, ({ type }) => type === 'ended');
    // It is answered some seconds before this process has heard of it.
    expect(seen.at(-1)).toMatchObject({
      call: { end: { outcome: 'hung-up', by: 'customer', answeredMs: 2_000 } },
    });
  });

  it('carries sound both ways as mu-law, and drops what Twilio has not played', async () => {
    const { callId } = await placeAnswered();
    if (!('audio' in carrier.media)) throw new Error('no audio');
    const audio = await carrier.media.audio.open(callId, new AbortController().signal);
    audio.send(new Int16Array(160).fill(8_000));
    audio.clear();
    await until(() => twilio.calls.otherMessages.includes('clear'));
    // 30 ms and 10 ms: two frames.
    twilio.calls.say(callId, Buffer.alloc(240, 0x80));
    twilio.calls.say(callId, Buffer.alloc(80, 0x80));
    let loud = 0;
    for await (const frame of audio.heard) {
      if ((frame[80] ?? 0) > 30_000) loud++;
      if (loud === 2) break;
    }

    expect(Buffer.from(twilio.calls.heard.get(callId)?.[0] ?? '', 'base64')).toEqual(Buffer.alloc(160, 0xa0));
    await carrier.hangUp(callId);
  });

  it('closes a stream without the token of a call, or with one that was used', async () => {
    const { order, callId } = await placeAnswered();
    const twiml = twilio.calls.calls.get(callId)?.twiml ?? '';
    const token = /value="([^"]+)"/.exec(twiml)?.[1] ?? '';
    const closeCode = async (shown: string) => {
      const socket = new WebSocket(`${address.replace('http', 'ws')}/media`);
      await once(socket, 'open');
      const mediaFormat = { encoding: 'audio/x-mulaw', sampleRate: 8_000 };
      const start = { callSid: callId, accountSid: 'AC', customParameters: { token: shown }, mediaFormat };
      socket.send(JSON.stringify({ event: 'start', streamSid: 'MZ1', start }));
      const [code] = (await once(socket, 'close')) as [number];
      return code;
    };

    expect([await closeCode('guess'), await closeCode(token)]).toEqual([1008, 1008]);
    expect(await carrier.findCall(order.key)).toMatchObject({ call: { progress: 'answered' } });
    await carrier.hangUp(callId);
  });

  it('closes a stream that does not begin', async () => {
    const socket = new WebSocket(`${address.replace('http', 'ws')}/media`);
    await once(socket, 'open');
    socket.send(JSON.stringify({ event: 'connected', protocol: 'Call', version: '1.0.0' }));

    expect((await once(socket, 'close'))[0]).toBe(1008);
  });

  it('does nothing on a callback with a wrong signature', async () => {
    const { order, callId } = await placeAnswered();
    const answer = await fetch(`${address}/calls/${order.key}`, {
      method: 'POST',
      headers: { 'X-Twilio-Signature': 'bm90IGl0', 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ CallSid: callId, CallStatus: 'completed' }).toString(),
    });

    expect(answer.status).toBe(403);
    expect(await carrier.findCall(order.key)).toMatchObject({ call: { progress: 'answered' } });
    await carrier.hangUp(callId);
  });

  it('rejects calls while no process takes them', async () => {
    const callId = twilio.calls.callIn(numbers.human, numbers.from, `${address}/voice`);
    await until(() => twilio.calls.calls.get(callId)?.status === 'busy');
  });

  it('leaves the line when the assistant has hung up', async () => {
    const { callId } = await placeAnswered();
    await carrier.hangUp(callId);
    await sleep(20);
    expect(twilio.calls.calls.get(callId)?.status).toBe('completed');
  });
});

describe('a signature of Twilio', () => {
  // The example of Twilio's own documentation of its libraries.
  const url = 'https://mycompany.com/myapp.php?foo=1&bar=2';
  const form = new URLSearchParams({
    Digits: '1234',
    To: '+18005551212',
    From: '+14158675309',
    CallSid: 'CA1234567890ABCDE',
    Caller: '+14158675309',
  });
  const signature = 'RSOYDt4T1cUTdK1PDd93/VVr8B8=';

  it('is right for the documented example', () => {
    expect(isSignedByTwilio({ url, form, signature }, '12345')).toBe(true);
  });

  it.each([
    ['another token', { url, form, signature }, '12346'],
    ['another address', { url: `${url}&baz=3`, form, signature }, '12345'],
    ['another form', { url, form: new URLSearchParams({ Digits: '1' }), signature }, '12345'],
    ['no signature', { url, form, signature: undefined }, '12345'],
    ['half of one', { url, form, signature: 'RSOYDt4T' }, '12345'],
  ])('is wrong with %s', (_name, request, token) => {
    expect(isSignedByTwilio(request, token)).toBe(false);
  });
});

describe('a call of an account with credentials of its own', () => {
  const id = '3f0c5a1e-7a55-4a3b-9d1b-0f5f7d1c9b22';
  const stranger = '8a4f0f3e-52a7-4c0c-8c0a-2f6f0d9e1a77';
  const known = () => {
    const { accountSid, authToken } = twilio;
    own.set(id, { accountSid, authToken, signingTokens: [authToken] });
  };

  it('is asked with these, and found, followed and ended by its own name', async () => {
    known();
    const mine = carrier.ofAccount(id);
    const order = request(numbers.human);
    const { callId } = await mine.place(order);
    await readUntil(mine.watch(callId), ({ type }) => type === 'answered');

    expect([mine.name, mine.family]).toEqual([`twilio:${id}`, 'twilio']);
    expect(twilio.calls.calls.get(callId)?.callback).toBe(`${address}/accounts/${id}/calls/${order.key}`);
    expect(await mine.findCall(order.key)).toMatchObject({ found: 'yes', call: { callId } });
    await mine.hangUp(callId);
    expect(twilio.calls.calls.get(callId)?.status).toBe('completed');
  });

  it('accepts status callbacks and media streams only from its own account', async () => {
    known();
    const mine = carrier.ofAccount(id);
    const order = request(numbers.noAnswer);
    const { callId } = await mine.place(order);
    const over = new URLSearchParams({ CallSid: callId, CallStatus: 'completed' });

    for (const account of [null, stranger]) {
      expect(carrier.takeCallback(account, order.key, over)).toBe(false);
      expect(await carrier.offer(account, new URLSearchParams({ CallSid: callId, To: '+123' }))).toBeNull();
    }
    expect(await mine.findCall(order.key)).toMatchObject({ call: { end: null } });
    await mine.hangUp(callId);
  });

  it('is not placed without credentials', async () => {
    own.clear();
    const failure = await carrierFailure(carrier.ofAccount(id).place(request(numbers.human)));
    expect(failure).toMatchObject({ code: 'unavailable', sent: 'no' });
    expect(failure.isUndelivered).toBe(true);
  });

  it('ends calls of other processes with its own credentials', async () => {
    own.set(id, { accountSid: twilio.accountSid, authToken: 'wrong', signingTokens: [] });
    const { body } = twilio.calls.create(new URLSearchParams({ To: numbers.noAnswer, Timeout: '5' }));
    const { sid } = body as { sid: string };
    expect(await carrierFailure(carrier.ofAccount(id).hangUp(sid))).toMatchObject({ code: 'unavailable' });
    known();
    await carrier.ofAccount(id).hangUp(sid);
    expect(twilio.calls.calls.get(sid)?.status).toBe('canceled');
  });
});

describeCallCarrierConformance('Twilio', {
  carrier: () => carrier,
  numbers,
  callIn: async (from, to) => {
    const stop = new AbortController();
    const offers = carrier.inboundOffers(stop.signal);
    const callId = twilio.calls.callIn(from, to, `${address}/voice`);
    await offers.next();
    stop.abort();
    return callId;
  },
});
