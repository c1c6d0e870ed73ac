import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dispose } from '@livekit/rtc-node';
import { rmsOf } from '@prosa/audio';
import { LiveKitApi } from '../../src/providers/telephony/livekit/livekit-api.js';
import { LiveKitRooms } from '../../src/providers/telephony/livekit/livekit-rooms.js';
import { joinCalleeRoom } from '../../src/providers/telephony/livekit-sip/callee-room.js';
import type { LiveKitSipCarrier } from '../../src/providers/telephony/livekit-sip/livekit-sip-carrier.js';
import { describeCallCarrierConformance, readUntil } from '../conformance/call-carrier.conformance.js';
import { RealRooms } from '../support/livekit/real-rooms.js';
import { SIP_NUMBERS, sipCarrierOf } from '../support/livekit/sip-carrier.js';
import { FakeSipService } from '../support/livekit/sip-service.js';
import { LiveKitServer } from '../support/livekit-server.js';
import { until } from '../support/until.js';
import { tone } from '@prosa/testing';

const PROGRAM = process.env.LIVEKIT_SERVER;

// Counted as skipped where no server is named; `npm run test:livekit` builds one.
(PROGRAM ? describe : describe.skip)('A call by LiveKit SIP through a room of a LiveKit server', () => {
  let livekit: LiveKitServer;
  let rooms: RealRooms;
  let list: LiveKitRooms;
  let service: FakeSipService;
  const carriers: LiveKitSipCarrier[] = [];
  /** The rooms are on a real server; its SIP service is a fake. */
  const open = () => {
    const carrier = sipCarrierOf(service.config, (_url, token, listener) =>
      joinCalleeRoom(livekit.url, token, listener),
    );
    carriers.push(carrier);
    return carrier;
  };

  beforeAll(async () => {
    livekit = await LiveKitServer.start(PROGRAM!);
    rooms = new RealRooms(livekit.config);
    list = new LiveKitRooms(new LiveKitApi(livekit.config));
    service = await FakeSipService.start(livekit.config, rooms);
  }, 60_000);
  afterAll(async () => {
    await Promise.all(carriers.map((carrier) => carrier.close()));
    await service.stop();
    await livekit.stop();
    await dispose();
  }, 60_000);

  describeCallCarrierConformance('LiveKit SIP with real rooms', {
    carrier: open,
    numbers: SIP_NUMBERS,
  });

  const answered = async (carrier: LiveKitSipCarrier) => {
    const key = randomUUID();
    const { from, fromId, human } = SIP_NUMBERS;
    const request = { key, from, to: human, phoneNumberId: fromId, ringingTimeoutMs: 20_000 };
    const { callId } = await carrier.place(request);
    const events = carrier.watch(callId);
    await readUntil(events, (event) =>
      event.type === 'state' ? event.call.progress === 'answered' : event.type === 'answered',
    );
    return { key, callId, events, callee: await rooms.callee(callId) };
  };

  it('carries sound and keys both ways, and ends when who was called leaves', async () => {
    const carrier = open();
    const { callId, events, callee } = await answered(carrier);
    const { media } = carrier;
    if (!('audio' in media)) throw new Error('no sound');
    const audio = await media.audio.open(callId, new AbortController().signal);
    const hum = tone(1_500, audio.sampleRateHz, 20, 0.25);
    const saying = setInterval(() => audio.send(hum), 20);
    const speaking = callee.speak(tone(500, 48_000, 3_000, 0.25));
    let loud = 0;
    for await (const frame of audio.heard) if (rmsOf(frame) > 0.05 && ++loud === 50) break;
    await until(() => callee.soundMs > 500);
    clearInterval(saying);
    await carrier.sendDigits(callId, '7*');
    await callee.pressKey('5');
    await readUntil(events, (event) => event.type === 'digits' && event.digits === '5');
    await until(() => callee.keys.join('') === '7*');
    await speaking;
    await callee.leave();
    const last = (await readUntil(events, 'ended')).at(-1);

    expect(last).toMatchObject({ call: { end: { outcome: 'hung-up', by: 'customer' } } });
    await until(async () => !(await list.list()).includes(callId));
  }, 60_000);

  it('plays keys as soon as it is answered', async () => {
    const carrier = open();
    const { callId, callee } = await answered(carrier);
    await carrier.sendDigits(callId, '12w#');
    await until(() => callee.keys.join('') === '12#');

    expect(callee.keys).toEqual(['1', '2', '#']);
    await carrier.hangUp(callId);
  }, 60_000);

  it('is found by its key and hung up from another process, and its own process gets the event', async () => {
    const { key, callId, events, callee } = await answered(open());
    const other = open();
    const found = await other.findCall(key);
    await other.hangUp(callId);
    await callee.gone;

    expect(found).toMatchObject({
      found: 'yes',
      call: { callId, progress: 'answered', to: '5511987654300' },
    });
    expect((await readUntil(events, 'ended')).at(-1)).toMatchObject({
      call: { end: { outcome: 'hung-up', by: 'platform' } },
    });
    expect(await other.findCall(randomUUID())).toEqual({ found: 'unknown' });
  }, 60_000);
});
