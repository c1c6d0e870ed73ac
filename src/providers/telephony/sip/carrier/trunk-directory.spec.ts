import { describe, expect, it } from '@jest/globals';
import { answerChallenge, chooseChallenge, SipRequest, TrunkDirectory } from '@prosa/sip/testing';
import type { TrunkNumber } from './trunk-number.js';
import { TrunkNumbers } from './trunk-numbers.js';

const NUMBER = '+551130000001';
const OPERATOR = '192.0.2.10';
const ELSEWHERE = '203.0.113.99';

function trunkNumber(phoneNumberId: number, changes: Partial<TrunkNumber> = {}): TrunkNumber {
  return {
    phoneNumberId,
    accountId: 1,
    number: NUMBER,
    countryCode: 'BR',
    callingFormat: '+e164',
    target: { host: 'sip.example.com', port: null, protocol: null },
    username: `user${phoneNumberId}`,
    password: `secret${phoneNumberId}`,
    inboundAddresses: null,
    srtp: 'optional',
    contactUser: `contact${phoneNumberId}`,
    provenAtMs: null,
    ...changes,
  };
}

/** The trunks of these numbers, as the carrier serves them. */
function directoryOf(...all: TrunkNumber[]) {
  const numbers = new TrunkNumbers();
  const directory = new TrunkDirectory('prosa.test', undefined, numbers);
  for (const trunk of numbers.replace(all).changed) directory.add(trunk, trunk.contactUser ?? '');
  let calls = 0;

  function invite(to: string, wanted = to): SipRequest {
    const request = new SipRequest('INVITE', `sip:${to}@prosa.test`);
    request.headers
      .set('from', '<sip:+5511987654321@op.example>;tag=a')
      .set('to', `<sip:${wanted}@prosa.test>`)
      .set('call-id', `call${++calls}`)
      .set('cseq', '1 INVITE');
    return request;
  }

  /** The id of the number that is called; 401, 403 or 404 where none takes the call. */
  function identify(request: SipRequest, source: string): number {
    const identity = directory.identify(request, source);
    if (identity.kind !== 'trunks') return { challenge: 401, refused: 403, unassigned: 404 }[identity.kind];
    const { user: to = '' } = /sip:(?<user>[^@]*)@/.exec(request.uri)?.groups ?? {};
    const { user: wanted = '' } = /sip:(?<user>[^@]*)@/.exec(request.headers.get('to') ?? '')?.groups ?? {};
    const called = numbers.called({ trunkIds: identity.trunks.map(({ id }) => id), to, wanted });
    return called?.phoneNumberId ?? 404;
  }

  return {
    directory,
    call: (source: string, to = NUMBER, wanted = to) => identify(invite(to, wanted), source),
    /** Answers the challenge with the login of a number. */
    callWith: ({ username, password }: TrunkNumber, source: string, to = NUMBER) => {
      const request = invite(to);
      const challenged = directory.identify(request, source);
      if (challenged.kind !== 'challenge') return identify(request, source);
      const challenge = chooseChallenge(challenged.challenges)!;
      const credentials = { username, password };
      request.headers.set(
        'authorization',
        answerChallenge(challenge, { method: 'INVITE', uri: request.uri }, credentials),
      );
      return identify(request, source);
    },
  };
}

describe('A number that several accounts have connected', () => {
  const wide = { inboundAddresses: ['0.0.0.0/0', '::/0'] };
  const listed = { inboundAddresses: [OPERATOR] };

  it.each([['0.0.0.0/0'], ['192.0.2.0/24'], [OPERATOR], ['::ffff:192.0.2.0/120']])(
    'is asked for the login of its first account, although a later one lists %s',
    (range) => {
      const victim = trunkNumber(1);
      const thief = trunkNumber(2, { accountId: 2, inboundAddresses: [range] });
      const { call, callWith } = directoryOf(victim, thief);
      expect(call(OPERATOR)).toBe(401);
      expect(callWith(victim, OPERATOR)).toBe(1);
      expect(call(OPERATOR, NUMBER.slice(1))).toBe(401);
      expect(call(OPERATOR, NUMBER.slice(3))).toBe(401);
      expect(call(OPERATOR, 'prosa', NUMBER)).toBe(401);
    },
  );

  it('takes the calls of its first account from the addresses of that account, whatever a later one has', () => {
    const later = [trunkNumber(2, { accountId: 2 }), trunkNumber(3, { accountId: 3, ...wide })];
    const { call } = directoryOf(trunkNumber(1, listed), ...later);
    expect(call(OPERATOR)).toBe(1);
    expect(call(`::ffff:${OPERATOR}`)).toBe(1);
  });

  it('is the one of a later account that has proven it', () => {
    const owner = trunkNumber(2, { accountId: 2, provenAtMs: 1_000 });
    const { call, callWith } = directoryOf(trunkNumber(1, { inboundAddresses: ['0.0.0.0/0'] }), owner);
    expect(call(OPERATOR)).toBe(401);
    expect(callWith(owner, OPERATOR)).toBe(2);
  });

  it('takes no call for an account that has not proven it, from an address that its owner does not list', () => {
    const owner = trunkNumber(1, { ...listed, provenAtMs: 1_000 });
    const { call } = directoryOf(owner, trunkNumber(2, { accountId: 2, inboundAddresses: [ELSEWHERE] }));
    expect(call(ELSEWHERE)).toBe(403);
    expect(call(OPERATOR)).toBe(1);
  });

  it('goes to each account from the operator of that account, as long as none has proven it', () => {
    const { call } = directoryOf(
      trunkNumber(1, listed),
      trunkNumber(2, { accountId: 2, inboundAddresses: [ELSEWHERE] }),
    );
    expect([call(OPERATOR), call(ELSEWHERE)]).toEqual([1, 2]);
  });

  it('goes to the account whose login is used, as a login is proof', () => {
    const [first, second] = [trunkNumber(1), trunkNumber(2, { accountId: 2 })];
    const { callWith } = directoryOf(first, second);
    expect([callWith(first, OPERATOR), callWith(second, OPERATOR)]).toEqual([1, 2]);
    expect(callWith({ ...first, password: 'guess' }, OPERATOR)).toBe(401);
  });

  it('takes the calls of a stored wide range where its account owns it', () => {
    const { call } = directoryOf(trunkNumber(1, wide), trunkNumber(2, { accountId: 2 }));
    expect([call(OPERATOR), call('2001:db8::7')]).toEqual([1, 1]);
  });

  it('never challenges one trunk of an account for another one of it', () => {
    const { call } = directoryOf(trunkNumber(1), trunkNumber(2, listed), trunkNumber(3, { accountId: 2 }));
    expect(call(OPERATOR)).toBe(1);
    expect(call(ELSEWHERE)).toBe(401);
  });

  it('takes a call from a listed address with credentials for another server', () => {
    const { directory, call } = directoryOf(trunkNumber(1, listed), trunkNumber(2, { accountId: 2 }));
    const request = new SipRequest('INVITE', `sip:${NUMBER}@prosa.test`);
    request.headers
      .set('to', `<sip:${NUMBER}@prosa.test>`)
      .set('authorization', 'Digest realm="op.example", username="x", nonce="y", uri="z", response="0"');
    expect(directory.identify(request, OPERATOR)).toMatchObject({ kind: 'trunks', trunks: [{ id: '1' }] });
    expect(call(OPERATOR)).toBe(1);
  });

  it('comes by the secret Contact of a registration without more ado', () => {
    const { directory, call } = directoryOf(
      trunkNumber(1),
      trunkNumber(2, { accountId: 2, ...wide, provenAtMs: 5 }),
    );
    directory.trustRegistrar('1', [OPERATOR]);
    expect(call(OPERATOR, 'contact1', NUMBER)).toBe(1);
    expect(call(ELSEWHERE, 'contact1', NUMBER)).toBe(2);
  });
});

describe('A call for a number of no account', () => {
  it('is answered by the address alone', () => {
    const { call } = directoryOf(trunkNumber(1, { inboundAddresses: [OPERATOR] }));
    expect([call(OPERATOR, '+551139999999'), call(ELSEWHERE, '+551139999999')]).toEqual([404, 403]);
  });
});

describe('An extension that several accounts have', () => {
  const extension = { number: '1001' };
  const elsewhere = { inboundAddresses: [ELSEWHERE] };

  it('is asked for the login of its first account, as long as its exchange is not known', () => {
    const thief = trunkNumber(2, { accountId: 2, ...extension, ...elsewhere });
    const { call } = directoryOf(trunkNumber(1, extension), thief);
    expect(call(ELSEWHERE, '1001')).toBe(401);
  });

  it('is another one at the exchange of another account', () => {
    const first = trunkNumber(1, extension);
    const second = trunkNumber(2, { accountId: 2, ...extension, ...elsewhere });
    const { directory, call, callWith } = directoryOf(first, second);
    directory.trustRegistrar('1', [OPERATOR]);
    expect(call(ELSEWHERE, '1001')).toBe(2);
    expect(call(OPERATOR, '1001')).toBe(401);
    expect(callWith(first, OPERATOR, '1001')).toBe(1);
  });

  it.each(['prosa', '551130000001'])('takes no call for a number that was there before: %s', (name) => {
    const listed = { inboundAddresses: [OPERATOR] };
    const thief = trunkNumber(2, { accountId: 2, number: name, ...listed });
    const { call } = directoryOf(trunkNumber(1, listed), thief);
    expect(call(OPERATOR, name, NUMBER)).toBe(1);
    expect(call(OPERATOR, 'prosa', 'prosa')).toBe(name === 'prosa' ? 2 : 404);
  });
});

describe('Known sources', () => {
  it('are addresses that a trunk lists by themselves, and registrars', () => {
    const { directory } = directoryOf(
      trunkNumber(1, { inboundAddresses: ['0.0.0.0/0', '192.0.2.0/30', '192.0.2.9', '2001:DB8:0::1'] }),
      trunkNumber(2, { accountId: 2, inboundAddresses: ['192.0.2.9', '::ffff:192.0.2.8', '192.0.2.7/32'] }),
      trunkNumber(3),
    );
    directory.trustRegistrar('3', ['198.51.100.3', '198.51.100.4']);
    const known = () =>
      ['192.0.2.1', '192.0.2.9', '::ffff:192.0.2.9', '2001:db8::1', '192.0.2.8', '192.0.2.7', '198.51.100.3']
        .map((address) => (directory.isKnownSource(address) ? 1 : 0))
        .join('');
    expect(known()).toBe('0111111');
    directory.trustRegistrar('3', ['198.51.100.4']);
    directory.remove('1');
    expect(known()).toBe('0110110');
    directory.remove('2');
    directory.remove('3');
    expect(known()).toBe('0000000');
    expect(directory.isKnownSource('198.51.100.4')).toBe(false);
  });
});

describe('Many trunks', () => {
  /** Milliseconds that 400 calls take, at best. */
  function timeOf(count: number): number {
    const numbers = Array.from({ length: count }, (_, index) =>
      trunkNumber(index + 1, {
        accountId: index % 20,
        number: `+5511${30_000_000 + index}`,
        inboundAddresses: Array.from(
          { length: 100 },
          (_unused, range) => `${11 + (index >> 8)}.${index & 255}.${range}.0/24`,
        ),
      }),
    );
    const { call } = directoryOf(...numbers);
    const times = Array.from({ length: 5 }, () => {
      const startedAt = performance.now();
      for (let index = 0; index < 400; index++) call(ELSEWHERE, `+5511${30_000_000 + index}`);
      return performance.now() - startedAt;
    });
    return Math.min(...times);
  }

  it('cost a call no more than few', () => {
    const few = timeOf(50);
    expect(timeOf(1_000)).toBeLessThan(few * 5);
  });
});
