import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FAST_TIMERS, loopbackTrunk, nextEvent, SipOperator } from '@prosa/sip/testing';
import type { InboundOffer } from '../../call/incoming-calls.js';
import { SipCallCarrier } from './sip-call-carrier.js';
import type { TrunkNumber } from './trunk-number.js';

const NUMBER = '+551130000001';
const CUSTOMER = '+5511987654321';
/** Of the operator that calls. */
const OPERATOR_ADDRESS = '127.0.0.3';

describe('A number that two accounts have connected, over SIP', () => {
  let carrier: SipCallCarrier;
  let operator: SipOperator;
  let offers: AsyncIterableIterator<InboundOffer>;
  const stop = new AbortController();

  const number = (phoneNumberId: number, changes: Partial<TrunkNumber> = {}): TrunkNumber => ({
    phoneNumberId,
    accountId: phoneNumberId,
    number: NUMBER,
    countryCode: 'BR',
    callingFormat: '+e164',
    target: { host: '127.0.0.1', port: 9, protocol: 'udp' },
    username: `user${phoneNumberId}`,
    password: `secret${phoneNumberId}`,
    inboundAddresses: null,
    srtp: 'off',
    provenAtMs: null,
    ...changes,
  });

  beforeEach(async () => {
    carrier = new SipCallCarrier({
      listen: { host: '127.0.0.1', port: 0 },
      rtpPorts: { from: 42_500, to: 42_598 },
      realm: 'prosa.test',
      timers: FAST_TIMERS,
      keepAliveMs: 0,
    });
    await carrier.open();
    offers = carrier.inboundOffers(stop.signal);
    operator = await SipOperator.open(42_600, { listen: { host: OPERATOR_ADDRESS, port: 0 } });
  });
  afterEach(async () => {
    await operator.close();
    await carrier.close();
  });

  afterAll(() => stop.abort());

  /** What the operator hears, whose trunk has this login. */
  function callWith(credentials: { username: string; password: string } | null) {
    operator.agent.addTrunk(loopbackTrunk(carrier.port, { id: 'platform', credentials }));
    return operator.call(CUSTOMER, NUMBER);
  }

  it.each([['0.0.0.0/0'], ['127.0.0.0/24'], [OPERATOR_ADDRESS]])(
    'asks for the login of the first account, and rings there, although a later one lists %s',
    async (range) => {
      carrier.serve([number(1), number(2, { inboundAddresses: [range] })]);
      const [refused] = await nextEvent(callWith(null), 'ended');
      expect(refused).toMatchObject({ outcome: 'failed', status: 401 });
      const call = callWith({ username: 'user1', password: 'secret1' });
      const { value: offer } = await offers.next();
      expect(offer).toMatchObject({ phoneNumberId: 1, to: NUMBER });
      call.hangUp();
    },
  );

  it('rings at the first account without a login, although a later one takes logins', async () => {
    carrier.serve([number(1, { inboundAddresses: [OPERATOR_ADDRESS] }), number(2)]);
    const call = callWith(null);
    const { value: offer } = await offers.next();
    expect(offer).toMatchObject({ phoneNumberId: 1 });
    call.hangUp();
  });

  it('leaves strangers within a range at the limit of strangers, also after a call', async () => {
    carrier.serve([number(1, { inboundAddresses: ['127.0.0.0/24', '127.0.0.4'] })]);
    const answersTo = async (address: string) => {
      const socket = createSocket('udp4');
      socket.bind(0, address);
      await once(socket, 'listening');
      let answers = 0;
      socket.on('message', (message) => {
        if (message.includes('CSeq: 1 OPTIONS')) answers++;
      });
      const send = (method: string, id: string) =>
        socket.send(
          `${method} sip:${NUMBER}@x SIP/2.0\r\nVia: SIP/2.0/UDP ${address};rport;branch=z9hG4bK${id}\r\nFrom: <sip:a@b>;tag=${id}\r\nTo: <sip:${NUMBER}@x>\r\nCall-ID: ${id}\r\nCSeq: 1 ${method}\r\nContact: <sip:a@${address}>\r\n\r\n`,
          carrier.port,
          '127.0.0.1',
        );
      send('INVITE', `call-${address}`);
      const { value: offer } = await offers.next();
      expect(offer).toMatchObject({ phoneNumberId: 1 });
      await carrier.accept(offer!.callId);
      await carrier.hangUp(offer!.callId);
      for (let index = 0; index < 200; index++) {
        send('OPTIONS', `ping-${address}-${index}`);
        if (index % 20 === 0) await sleep(1);
      }
      await sleep(300);
      socket.close();
      return answers;
    };
    expect(await answersTo('127.0.0.77')).toBeLessThanOrEqual(40);
    expect(await answersTo('127.0.0.4')).toBe(200);
  });
});
