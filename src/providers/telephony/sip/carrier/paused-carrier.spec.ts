import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { operatorTrunk } from '#test/support/operator-trunk.js';
import { FAST_TIMERS, nextEvent, SipOperator } from '@prosa/sip/testing';
import { SipCallCarrier } from './sip-call-carrier.js';
import type { TrunkNumber } from './trunk-number.js';

const NUMBER = '+12125550100';

describe('The SIP carrier of a paused installation', () => {
  let operator: SipOperator;
  let number: TrunkNumber;
  let carrier: SipCallCarrier;

  async function serve(isPaused: boolean, trunk = number): Promise<void> {
    carrier = new SipCallCarrier({
      listen: { host: '127.0.0.1', port: 0 },
      rtpPorts: { from: 43_700, to: 43_798 },
      realm: 'prosa.test',
      timers: FAST_TIMERS,
      isPaused,
    });
    await carrier.open();
    operator.connect(carrier.port);
    carrier.serve([trunk]);
  }

  beforeAll(async () => {
    operator = await SipOperator.open(43_600);
    number = operatorTrunk(operator.port, { number: NUMBER });
  });
  afterEach(() => carrier.close());
  afterAll(() => operator.close());

  it('registers no trunk', async () => {
    const registering = { ...number, inboundAddresses: null };
    await serve(true, registering);
    expect(carrier.trunkStatus(7)).toMatchObject({ registration: null });
    await carrier.close();
    await serve(false, registering);
    expect(carrier.trunkStatus(7)?.registration).not.toBeNull();
  });

  it('answers calls with 480, as no process listens for them', async () => {
    await serve(true);
    const call = operator.call('+5511987650000', NUMBER);
    expect((await nextEvent(call, 'ended'))[0]).toMatchObject({ status: 480 });
  });
});
