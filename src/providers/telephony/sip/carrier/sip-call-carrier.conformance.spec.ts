import { afterAll, beforeAll } from '@jest/globals';
import { describeCallCarrierConformance } from '#test/conformance/call-carrier.conformance.js';
import { operatorTrunk } from '#test/support/operator-trunk.js';
import { FAST_TIMERS, SipOperator } from '@prosa/sip/testing';
import { SipCallCarrier } from './sip-call-carrier.js';

const numbers = {
  from: '+12125550100',
  fromId: 7,
  human: '+5511987654300',
  busy: '+5511987654301',
  noAnswer: '+5511987654302',
  machine: '+5511987654303',
  failing: '+5511987654304',
  invalid: '+123',
};

const carrier = new SipCallCarrier({
  listen: { host: '127.0.0.1', port: 0 },
  rtpPorts: { from: 42_000, to: 42_098 },
  realm: 'prosa.test',
  timers: FAST_TIMERS,
});
let operator: SipOperator;

beforeAll(async () => {
  operator = await SipOperator.open(42_100);
  await carrier.open();
  operator.connect(carrier.port);
  carrier.serve([
    operatorTrunk(operator.port, { phoneNumberId: numbers.fromId, number: numbers.from, srtp: 'optional' }),
  ]);
});
afterAll(() => operator.close());

describeCallCarrierConformance('The SIP user agent', {
  carrier: () => carrier,
  numbers,
  callIn: async (from, to) => {
    const stop = new AbortController();
    const offers = carrier.inboundOffers(stop.signal);
    operator.call(from, to);
    const { value: offer } = await offers.next();
    stop.abort();
    if (!offer) throw new Error('the call did not come in');
    return offer.callId;
  },
});
