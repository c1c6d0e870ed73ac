import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { operatorTrunk } from '#test/support/operator-trunk.js';
import { FAST_TIMERS, openScriptedPeer, SipOperator } from '@prosa/sip/testing';
import { until } from '#test/support/until.js';
import type { CallEvent } from '../../call/carrier-call.js';
import { SipCallCarrier } from './sip-call-carrier.js';

const OWN = '+551130000001';
const HUMAN = '+5511987654300';
let keys = 0;

describe('second legs of transfers over SIP', () => {
  const carrier = new SipCallCarrier({
    listen: { host: '127.0.0.1', port: 0 },
    rtpPorts: { from: 24_400, to: 24_498 },
    realm: 'prosa.test',
    timers: FAST_TIMERS,
  });
  let operator: SipOperator;

  beforeAll(async () => {
    operator = await SipOperator.open(24_500);
    await carrier.open();
    operator.connect(carrier.port);
    carrier.serve([
      operatorTrunk(operator.port, {
        number: OWN,
        countryCode: 'BR',
        callingFormat: 'national',
        srtp: 'optional',
      }),
    ]);
  });
  beforeEach(() => {
    operator.refusesRefer = null;
  });
  afterAll(async () => {
    await carrier.close();
    await operator.close();
  });

  const place = (to: string, from = OWN, isSecondLeg = true) =>
    carrier.place({
      key: `leg-${++keys}`,
      from,
      to,
      phoneNumberId: 7,
      ringingTimeoutMs: 5_000,
      isSecondLeg,
    });

  async function answered(callId: string): Promise<AsyncIterableIterator<CallEvent>> {
    const events = carrier.watch(callId);
    for (;;) {
      const { value: event, done } = await events.next();
      if (done || event.type === 'ended') throw new Error('the call was not answered');
      const isUp = event.type === 'state' && event.call.progress === 'answered';
      if (event.type === 'answered' || isUp) return events;
    }
  }

  it.each([
    ['a number', '+5511987654300', '11987654300'],
    ['an extension', '1000', '1000'],
    ['a SIP address of the operator', 'sip:boss@127.0.0.1', 'boss'],
  ])('go to %s by the trunk', async (_what, to, written) => {
    const { callId } = await place(to);
    await answered(callId);
    expect(operator.dialled.at(-1)).toBe(written);
    await carrier.hangUp(callId);
  });

  it('show the requested caller, in the format that the operator wants', async () => {
    const froms = ['+5511987650000', '200', 'anonymous'];
    for (const from of froms) {
      const { callId } = await place(HUMAN, from);
      await answered(callId);
      await carrier.hangUp(callId);
    }
    expect(operator.callers.slice(-3)).toEqual(['11987650000', '200', 'anonymous']);
  });

  it('go to a SIP address elsewhere without the operator, and never show it the trunk’s password', async () => {
    const stranger = await openScriptedPeer();
    try {
      const { callId } = await place(`boss@127.0.0.1:${stranger.port}`);
      const invite = await stranger.next('INVITE');
      expect(invite.uri).toBe(`sip:boss@127.0.0.1:${stranger.port}`);
      stranger.reply(invite, 401, {
        'www-authenticate': 'Digest realm="elsewhere", nonce="abc", algorithm=MD5, qop="auth"',
      });
      const watched = carrier.watch(callId);
      for await (const event of watched) if (event.type === 'ended') break;
      expect(stranger.received).not.toContain('REGISTER');
      expect(stranger.received.filter((method) => method === 'INVITE')).toHaveLength(1);
    } finally {
      stranger.close();
    }
  });

  it('alone go to extensions and SIP addresses', async () => {
    const before = operator.dialled.length;
    for (const to of ['1000', 'boss@127.0.0.1', 'sip:boss@127.0.0.1'])
      await expect(place(to, OWN, false)).rejects.toMatchObject({ code: 'rejected' });
    for (const to of ['', 'boss me', 'sip:a"b@127.0.0.1', '<sip:a@b>'])
      await expect(place(to)).rejects.toMatchObject({ code: 'rejected' });
    expect(operator.dialled).toHaveLength(before);
  });

  it.each([405, 501, 603])('are needed where the operator answers REFER with %i', async (status) => {
    operator.refusesRefer = status;
    const { callId } = await place(HUMAN);
    const events = await answered(callId);
    const request = { to: '1000', from: OWN, ringingTimeoutMs: 5_000, briefing: null, holdMusicVolume: null };
    await expect(carrier.transfer(callId, { transferId: 'a', ...request })).rejects.toMatchObject({
      code: 'not-supported',
    });
    // The refusal leaves nothing behind: the next one is tried.
    operator.refusesRefer = null;
    await carrier.transfer(callId, { transferId: 'b', ...request });
    const received: CallEvent[] = [];
    void (async () => {
      for await (const event of events) received.push(event);
    })();
    await until(() => received.some(({ type }) => type === 'transfer'));
    expect(received.find(({ type }) => type === 'transfer')).toMatchObject({
      transferId: 'b',
      outcome: 'answered',
    });
    await carrier.hangUp(callId);
  });
});
