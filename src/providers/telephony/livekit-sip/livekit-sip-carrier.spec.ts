import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { carrierFailure, readUntil } from '#test/conformance/call-carrier.conformance.js';
import { MemoryRooms, press } from '#test/support/livekit/memory-rooms.js';
import { SIP_NUMBERS, sipCarrierOf } from '#test/support/livekit/sip-carrier.js';
import { FakeSipService } from '#test/support/livekit/sip-service.js';
import { until } from '#test/support/until.js';
import type { CallEnd, CallEvent } from '../call/carrier-call.js';
import type { PlaceCall } from '../call/call-placing.js';
import type { LiveKitSipCarrier } from './livekit-sip-carrier.js';
import { endOfFailure, endOfLeaving, endOfSipStatus } from './sip-end.js';

const KEY = { apiKey: 'key', apiSecret: 'secret' };
const TONE = Int16Array.from({ length: 480 }, (_, at) => Math.round(8_000 * Math.sin(at / 5)));

describe('Calls by the SIP service of a LiveKit server', () => {
  let rooms: MemoryRooms;
  let service: FakeSipService;
  let carrier: LiveKitSipCarrier;
  /** The same installation in another process. */
  let other: LiveKitSipCarrier;

  beforeEach(async () => {
    rooms = new MemoryRooms();
    service = await FakeSipService.start(KEY, rooms);
    carrier = sipCarrierOf(service.config, rooms.join);
    other = sipCarrierOf(service.config, rooms.join);
  });
  afterEach(async () => {
    await Promise.all([carrier.close(), other.close()]);
    await service.stop();
  });

  const requestTo = (to: string, extra: Partial<PlaceCall> = {}): PlaceCall => ({
    key: randomUUID(),
    from: SIP_NUMBERS.from,
    to,
    phoneNumberId: SIP_NUMBERS.fromId,
    ringingTimeoutMs: 20_000,
    ...extra,
  });
  const place = async (to: string, extra: Partial<PlaceCall> = {}) => {
    const request = requestTo(to, extra);
    const { callId } = await carrier.place(request);
    return { request, callId, events: carrier.watch(callId) };
  };
  const answered = async () => {
    const call = await place(SIP_NUMBERS.human);
    await readUntil(call.events, 'answered');
    return call;
  };
  const endOf = async (events: AsyncIterator<CallEvent>): Promise<CallEnd | null> => {
    const last = (await readUntil(events, 'ended')).at(-1);
    return last?.type === 'ended' ? last.call.end : null;
  };

  it('are asked for with the trunk of the number, written as its operator wants, and nothing is kept there', async () => {
    const { callId } = await answered();

    expect(service.created).toEqual([
      {
        trunk: {
          hostname: 'sip.operator.example:5080',
          transport: 'SIP_TRANSPORT_TCP',
          auth_username: 'prosa',
          auth_password: 'a password',
        },
        sip_number: '12125550100',
        sip_call_to: '5511987654300',
        room_name: callId,
        participant_identity: 'callee',
        participant_name: 'callee',
        ringing_timeout: '20.000s',
        media_encryption: 'SIP_MEDIA_ENCRYPT_ALLOW',
        wait_until_answered: true,
      },
    ]);
  });

  it('go elsewhere without the operator’s password, and never to an address of its own network', async () => {
    await place('sip:ana@pbx.example:5070;transport=tls', { isSecondLeg: true });

    expect(service.created[0]).toMatchObject({
      trunk: { hostname: 'pbx.example:5070', transport: 'SIP_TRANSPORT_TLS' },
      sip_call_to: 'ana',
    });
    expect(service.created[0]?.trunk).not.toHaveProperty('auth_password');
    for (const to of ['sip:ana@10.0.0.5', 'sip:ana@localhost', 'sip:ana@2130706433']) {
      const refused = carrier.place(requestTo(to, { isSecondLeg: true }));
      expect(await carrierFailure(refused)).toMatchObject({ code: 'rejected', sent: 'no' });
    }
    expect(service.created).toHaveLength(1);
  });

  it('tell that it rings before they are answered, and carry sound both ways', async () => {
    const { callId, events } = await place(SIP_NUMBERS.human);
    const types = (await readUntil(events, 'answered')).map(({ type }) => type);
    const { media } = carrier;
    if (!('audio' in media)) throw new Error('no sound');
    const audio = await media.audio.open(callId, new AbortController().signal);
    audio.send(TONE);
    const speaking = setInterval(() => rooms.room(callId).connection?.onSound(TONE), 20);
    let loud = 0;
    for await (const frame of audio.heard) if (frame.some((sample) => sample > 5_000) && ++loud === 10) break;
    clearInterval(speaking);

    expect(types.slice(-2)).toEqual(['ringing', 'answered']);
    expect(rooms.room(callId).sent).toEqual([TONE]);
    expect(loud).toBe(10);
  });

  it('are heard again by who opens them next, as the briefing and the talk of a second leg do', async () => {
    const { callId } = await answered();
    const { media } = carrier;
    if (!('audio' in media)) throw new Error('no sound');
    const first = await media.audio.open(callId, new AbortController().signal);
    const second = await media.audio.open(callId, new AbortController().signal);
    for await (const _frame of first.heard);

    expect(await second.heard[Symbol.asyncIterator]().next()).toMatchObject({ done: false });
    first.send(TONE);
    expect(rooms.room(callId).sent).toEqual([]);
  });

  it('take keys, and play them with pauses', async () => {
    const { callId, events } = await answered();
    press(rooms.room(callId), '4');
    press(rooms.room(callId), '#');
    await carrier.sendDigits(callId, '1w*a');
    const seen = await readUntil(events, (event) => event.type === 'digits' && event.digits === '#');

    expect(seen.filter(({ type }) => type === 'digits')).toHaveLength(2);
    expect(rooms.room(callId).keys).toEqual(['1', '*', 'A']);
  });

  it('end, room included, when who was called hangs up', async () => {
    const { callId, events } = await answered();
    await service.answered.get(callId)?.leave(1);

    expect(await endOf(events)).toMatchObject({ outcome: 'hung-up', by: 'customer', reason: null });
    await until(() => rooms.names.length === 0);
  });

  it('end before anybody was called, though LiveKit calls after that', async () => {
    service.delayMs = 500;
    const request = requestTo(SIP_NUMBERS.human);
    const placing = carrier.place(request);
    await until(() => service.created.length === 1);
    const callId = rooms.names[0]!;
    const events = carrier.watch(callId);
    await carrier.hangUp(callId);
    await placing;

    expect(await endOf(events)).toMatchObject({ outcome: 'no-answer', by: 'platform' });
    await until(() => service.answered.has(callId));
    await until(() => rooms.names.length === 0);
  });

  it('end as failed, busy or unanswered according to the operator’s response', async () => {
    const ends = await Promise.all(
      [SIP_NUMBERS.busy, SIP_NUMBERS.failing].map(async (to) => endOf((await place(to)).events)),
    );

    expect(ends).toEqual([
      { outcome: 'busy', by: 'carrier', reason: '486 Busy Here', answeredMs: 0 },
      { outcome: 'failed', by: 'carrier', reason: '500 Server Internal Error', answeredMs: 0 },
    ]);
  });

  it('follow the events of the room when LiveKit’s answer is lost', async () => {
    service.losesAnswers = true;
    const busy = await place(SIP_NUMBERS.busy);
    const human = await answered();

    expect(await endOf(busy.events)).toMatchObject({ outcome: 'busy', by: 'carrier' });
    await carrier.hangUp(human.callId);
    expect(await endOf(human.events)).toMatchObject({ outcome: 'hung-up', by: 'platform' });
  });

  it.each([
    [401, 'unauthenticated', 'unavailable', 'no'],
    [503, 'unavailable', 'unavailable', 'no'],
    [429, 'resource_exhausted', 'rate-limited', 'no'],
    [400, 'invalid_argument', 'rejected', 'no'],
    [500, 'internal', 'unavailable', 'maybe'],
    [412, 'failed_precondition', 'unavailable', 'maybe'],
  ])('are not made where LiveKit refuses: %i %s', async (status, code, reported, sent) => {
    service.refusal = { status, code };
    const request = requestTo(SIP_NUMBERS.human);

    expect(await carrierFailure(carrier.place(request))).toMatchObject({ code: reported, sent });
    expect(await carrier.findCall(request.key)).toEqual({ found: 'unknown' });
    await until(() => rooms.names.length === 0);
  });

  it('are not sent where the room cannot be joined, or the server is away', async () => {
    rooms.refusal = new Error('no');
    const noRoom = await carrierFailure(carrier.place(requestTo(SIP_NUMBERS.human)));
    rooms.refusal = null;
    await service.stop();
    const away = await carrierFailure(carrier.place(requestTo(SIP_NUMBERS.human)));

    expect([noRoom, away]).toEqual([
      expect.objectContaining({ code: 'unavailable', sent: 'no' }),
      expect.objectContaining({ code: 'unavailable', sent: 'no' }),
    ]);
    expect(service.created).toEqual([]);
  }, 20_000);

  it('of unknown state are found once they begin, and ended when they are not looked up', async () => {
    service.delayMs = 3_500;
    const request = requestTo(SIP_NUMBERS.human);

    expect(await carrierFailure(carrier.place(request))).toMatchObject({ code: 'timeout', sent: 'maybe' });
    expect(await carrier.findCall(request.key)).toEqual({ found: 'unknown' });
    const callId = rooms.names[0]!;
    await until(() => service.answered.has(callId));
    expect(await carrier.findCall(request.key)).toMatchObject({ found: 'yes', call: { callId } });
    await until(() => rooms.names.length === 0);
  }, 20_000);

  it('of a process that died are found by their key, and hung up', async () => {
    const { callId, request } = await answered();
    const found = await other.findCall(request.key);
    await other.hangUp(callId);

    expect(found).toMatchObject({
      found: 'yes',
      call: { callId, key: request.key, progress: 'answered', to: '5511987654300', end: null },
    });
    expect(rooms.names).toEqual([]);
    expect(await carrierFailure(other.hangUp('prosa-of-others-sip-1'))).toMatchObject({
      code: 'no-such-call',
    });
  });

  it('tell who ended them when another process did', async () => {
    const [ringing, talking] = [await place(SIP_NUMBERS.noAnswer), await answered()];
    await other.hangUp(ringing.callId);
    await other.hangUp(talking.callId);

    expect(await endOf(ringing.events)).toMatchObject({ outcome: 'no-answer', by: 'platform' });
    expect(await endOf(talking.events)).toMatchObject({ outcome: 'hung-up', by: 'platform' });
  });

  it('are transferred to what the operator understands', async () => {
    const { callId, events } = await answered();
    const transfer = {
      transferId: '1',
      to: '+5511987650000',
      from: SIP_NUMBERS.from,
      ringingTimeoutMs: 5_000,
      briefing: null,
      holdMusicVolume: null,
    };
    await carrier.transfer(callId, transfer);
    await readUntil(events, 'transfer');

    expect(service.transfers).toEqual(['sip:5511987650000@sip.operator.example:5080']);
    expect(await endOf(events)).toMatchObject({ outcome: 'hung-up', by: 'customer' });
  });

  it('go on where the far end does not transfer', async () => {
    service.refusesRefer = 405;
    const { callId } = await answered();
    const transfer = {
      transferId: '1',
      to: SIP_NUMBERS.human,
      from: SIP_NUMBERS.from,
      ringingTimeoutMs: 5_000,
      briefing: null,
      holdMusicVolume: null,
    };

    expect(await carrierFailure(carrier.transfer(callId, transfer))).toMatchObject({ code: 'not-supported' });
    const [first] = await readUntil(carrier.watch(callId), 'state');
    expect(first).toMatchObject({ call: { progress: 'answered', transfer: 'none' } });
  });

  it('are placed by no process that does not serve trunks', async () => {
    await carrier.close();

    expect(carrier.placesHere).toBe(false);
    expect(await carrierFailure(carrier.place(requestTo(SIP_NUMBERS.human)))).toMatchObject({
      code: 'unavailable',
      sent: 'no',
    });
  });
});

describe('The end of a call through LiveKit', () => {
  it.each([
    [486, 'busy'],
    [600, 'busy'],
    [603, 'busy'],
    [480, 'no-answer'],
    [408, 'no-answer'],
    [403, 'failed'],
    [404, 'failed'],
    [503, 'failed'],
  ])('by SIP %i is %s', (status, outcome) => {
    expect(endOfSipStatus(status)).toMatchObject({ outcome, by: 'carrier', answeredMs: 0 });
  });

  it('without a SIP answer is unanswered only where the time was over', () => {
    expect(endOfFailure('canceled', true).outcome).toBe('no-answer');
    expect(endOfFailure('deadline_exceeded', false).outcome).toBe('no-answer');
    expect(endOfFailure('canceled', false).outcome).toBe('failed');
    expect(endOfFailure('internal', true)).toMatchObject({ outcome: 'failed', reason: 'LiveKit: internal' });
  });

  it.each([
    [1, null, 'failed', 'carrier'],
    [11, null, 'no-answer', 'carrier'],
    [12, null, 'busy', 'carrier'],
    [13, null, 'failed', 'carrier'],
    [5, null, 'no-answer', 'platform'],
    [1, 900, 'hung-up', 'customer'],
    [5, 900, 'hung-up', 'platform'],
    [15, 900, 'hung-up', 'carrier'],
    [undefined, 900, 'hung-up', 'carrier'],
  ] as const)('by leaving the room for %s, after %s ms, is %s by the %s', (reason, ms, outcome, by) => {
    expect(endOfLeaving(reason, ms)).toMatchObject({ outcome, by, answeredMs: ms ?? 0 });
  });
});
