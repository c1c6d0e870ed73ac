import { afterAll, beforeAll } from '@jest/globals';
import { describeCallCarrierConformance } from '#test/conformance/call-carrier.conformance.js';
import { MemoryRooms } from '#test/support/livekit/memory-rooms.js';
import { SIP_NUMBERS, sipCarrierOf } from '#test/support/livekit/sip-carrier.js';
import { FakeSipService } from '#test/support/livekit/sip-service.js';
import type { LiveKitSipCarrier } from './livekit-sip-carrier.js';

const rooms = new MemoryRooms();
let service: FakeSipService;
let carrier: LiveKitSipCarrier;

beforeAll(async () => {
  service = await FakeSipService.start({ apiKey: 'key', apiSecret: 'secret' }, rooms);
  carrier = sipCarrierOf(service.config, rooms.join);
});
afterAll(() => service.stop());

describeCallCarrierConformance('The SIP service of a LiveKit server', {
  carrier: () => carrier,
  numbers: SIP_NUMBERS,
});
