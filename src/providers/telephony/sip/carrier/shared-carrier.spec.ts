import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { operatorTrunk } from '#test/support/operator-trunk.js';
import { FAST_TIMERS, loopbackTrunk, nextEvent, SipOperator } from '@prosa/sip/testing';
import { until } from '#test/support/until.js';
import { SipCallCarrier } from './sip-call-carrier.js';
import type { TrunkNumber } from './trunk-number.js';

const PROCESS_PORTS = { from: 43_500, to: 43_503 };
const NUMBER = '+12125550100';

describe('SIP carriers of several processes', () => {
  let operator: SipOperator;
  let number: TrunkNumber;
  let main: SipCallCarrier;
  let second: SipCallCarrier;
  const open: SipCallCarrier[] = [];

  function makeCarrier(port = 0): SipCallCarrier {
    const carrier = new SipCallCarrier({
      listen: { host: '127.0.0.1', port },
      rtpPorts: { from: 43_000, to: 43_098 },
      processPorts: PROCESS_PORTS,
      realm: 'prosa.test',
      timers: FAST_TIMERS,
    });
    open.push(carrier);
    return carrier;
  }

  beforeAll(async () => {
    operator = await SipOperator.open(43_200);
    number = operatorTrunk(operator.port, { number: NUMBER });
  });
  beforeEach(async () => {
    main = makeCarrier();
    await main.open();
    operator.connect(main.port);
    main.serve([number]);
    second = makeCarrier(main.port);
    await second.openSecondary();
    second.serveSecondary([number]);
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((carrier) => carrier.close()));
  });
  afterAll(() => operator.close());

  async function placed(carrier: SipCallCarrier, to: string) {
    const { callId } = await carrier.place({
      key: `${to}-${carrier.secondaryPort}`,
      from: NUMBER,
      to,
      phoneNumberId: 7,
      ringingTimeoutMs: 5_000,
    });
    const call = await operator.answeredAt(to);
    return { callId, call, contact: call.getDialog().snapshot().remoteTarget };
  }

  it('place calls, each from its own port', async () => {
    expect([main.placesHere, second.placesHere]).toEqual([true, true]);
    expect((await placed(main, '+5511987654310')).contact).toContain(`:${main.port}`);
    expect((await placed(second, '+5511987654311')).contact).toContain(`:${PROCESS_PORTS.from}`);
  });

  it('have one that takes calls and tells how trunks stand: the other refuses them', async () => {
    expect(main.trunkStatus(7)).not.toBeNull();
    expect(second.trunkStatus(7)).toBeNull();
    operator.agent.addTrunk(loopbackTrunk(second.secondaryPort, { id: 'second' }));
    const call = operator.agent.call('second', { from: '+1', to: NUMBER, ringingTimeoutMs: 5_000 })!;
    expect((await nextEvent(call, 'ended'))[0]).toMatchObject({ status: 403 });
  });

  it('take the next two ports where the first are taken, and none where there is none', async () => {
    const third = makeCarrier(main.port);
    await third.openSecondary();
    expect(third.secondaryPort).toBe(PROCESS_PORTS.from + 2);
    await expect(makeCarrier(main.port).openSecondary()).rejects.toThrow('EADDRINUSE');
  });

  it('notify that calls may be taken over as soon as they place calls', () => {
    let notifications = 0;
    const late = makeCarrier();
    late.takeover.onReady(() => notifications++);
    second.takeover.onReady(() => notifications++);
    expect([late.takeover.isReady, second.takeover.isReady, notifications]).toEqual([false, true, 1]);
  });

  it('go on with their calls when the trunks become theirs, and give up the port with the last one', async () => {
    const { callId, call } = await placed(second, '+5511987654312');
    const { port } = main;
    await main.close();
    await second.open();
    second.serve([number]);
    second.serveSecondary(null);
    expect([second.port, second.secondaryPort]).toEqual([port, PROCESS_PORTS.from]);
    expect((await placed(second, '+5511987654313')).contact).toContain(`:${port}`);
    expect(call.state).toBe('up');
    const ended = nextEvent(call, 'ended');
    await second.hangUp(callId);
    expect((await ended)[0]).toMatchObject({ by: 'remote' });
    await until(() => {
      second.serveSecondary(null);
      return second.secondaryPort === 0;
    });
    expect(second.placesHere).toBe(true);
  });

  /** As if the main process had died in a call with a second leg. */
  async function orphaned(to: string, secondTo: string) {
    const caller = await placed(main, to);
    const farEnd = await placed(main, secondTo);
    const [one, other] = [caller.callId, farEnd.callId];
    const save = () => main.takeover.save(one, [other]);
    await until(() => save() !== null && main.takeover.save(other, []) !== null);
    const state = save() ?? '';
    for (const callId of [one, other]) main.takeover.release(callId);
    return { caller, farEnd, kept: { callId: one, state, lastHeardMs: 0 } };
  }

  it('take a line over with its second leg, which ends with it', async () => {
    const { caller, farEnd, kept } = await orphaned('+5511987654315', '+5511987654316');
    const agreed = [caller, farEnd].map(({ call }) => nextEvent(call, 'changed'));
    await second.takeover.resume({ ...kept, keepsSecondLeg: true });
    await Promise.all(agreed);
    for (const { callId, contact } of [caller, farEnd]) {
      const key = callId.replace('prosa-', '');
      expect(await second.findCall(key)).toMatchObject({ found: 'yes', call: { progress: 'answered' } });
      expect(contact).toContain(`:${main.port}`);
    }
    const over = nextEvent(farEnd.call, 'ended');
    caller.call.hangUp();
    expect((await over)[0]).toMatchObject({ outcome: 'hung-up', by: 'remote' });
  });

  it('hang up the second leg of a line that they take over without it', async () => {
    const { caller, farEnd, kept } = await orphaned('+5511987654317', '+5511987654318');
    const over = nextEvent(farEnd.call, 'ended');
    await second.takeover.resume(kept);
    expect((await over)[0]).toMatchObject({ outcome: 'hung-up', by: 'remote' });
    expect(caller.call.state).toBe('up');
  });

  it('send nothing on a second leg that they release with its line', async () => {
    const { caller, farEnd, kept } = await orphaned('+5511987654319', '+5511987654320');
    await second.takeover.resume({ ...kept, keepsSecondLeg: true });
    for (const { callId } of [caller, farEnd]) second.takeover.release(callId);
    await expect(nextEvent(farEnd.call, 'ended', 500)).rejects.toThrow();
    expect([caller.call.state, farEnd.call.state]).toEqual(['up', 'up']);
  });

  it('place no more calls from the second process once it serves no trunks', async () => {
    second.serveSecondary(null);
    expect(second.placesHere).toBe(false);
    await expect(placed(second, '+5511987654314')).rejects.toMatchObject({ code: 'unavailable' });
  });
});
