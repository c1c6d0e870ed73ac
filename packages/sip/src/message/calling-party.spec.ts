import { describe, expect, it } from '@jest/globals';
import { callingPartyOf } from './calling-party.js';
import { SipRequest } from './sip-message.js';

function invite(
  from: string,
  headers: Readonly<Record<string, string | readonly string[]>> = {},
): SipRequest {
  const request = new SipRequest('INVITE', 'sip:+551130000001@prosa.test');
  request.headers.set('from', `${from};tag=a`);
  for (const [name, value] of Object.entries(headers)) request.headers.set(name, value);
  return request;
}

const NUMBER = '<sip:+5511987651111@op.example>';

describe('The calling party of an INVITE', () => {
  it.each([
    [NUMBER, {}, '+5511987651111'],
    ['<tel:+5511987651111>', {}, '+5511987651111'],
    ['<sip:+5511987651111;cpc=ordinary@op.example;user=phone>', {}, '+5511987651111'],
    ['<sip:maria@op.example>', {}, 'maria'],
    // A local number in a global context.
    ['<tel:2125550123;phone-context=+1>', {}, '+12125550123'],
    ['<sip:2125550123;phone-context=+1@op.example;user=phone>', {}, '+12125550123'],
    ['<tel:11987651111;phone-context=op.example>', {}, '11987651111'],
    ['<sip:11987651111@op.example;phone-context=+1>', {}, '11987651111'],
    // What the operator asserts comes first, and of that a number.
    ['<sip:x@op.example>', { 'p-asserted-identity': '"Bob" <tel:+5511987651112>' }, '+5511987651112'],
    [
      NUMBER,
      { 'p-asserted-identity': '"Bob, Ltd." <sip:bob@op.example>, <tel:+5511987651112>' },
      '+5511987651112',
    ],
    [
      NUMBER,
      { 'p-asserted-identity': ['<sip:bob@op.example>', '<sip:11987651112@op.example;user=phone>'] },
      '11987651112',
    ],
    [NUMBER, { 'p-asserted-identity': '<sip:op.example>' }, '+5511987651111'],
    [
      '<sip:anonymous@anonymous.invalid>',
      { 'p-asserted-identity': '<tel:+5511987651112>' },
      '+5511987651112',
    ],
    [NUMBER, { privacy: 'none' }, '+5511987651111'],
    [NUMBER, { privacy: 'session;critical' }, '+5511987651111'],
    [NUMBER, { 'remote-party-id': '<sip:+5511987651111@x>;party=calling;privacy=off' }, '+5511987651111'],
    // An exchange that logs in with the user of From.
    [
      '<sip:login42@op.example>',
      { 'remote-party-id': '"A, B" <sip:11987651112@x>;party=calling;screen=yes;privacy=off' },
      '11987651112',
    ],
    ['<sip:1000@op.example>', { 'remote-party-id': 'A, B <tel:+5511987651112>;screen=no' }, '+5511987651112'],
    [NUMBER, { 'remote-party-id': '<sip:maria@x>;party=calling' }, '+5511987651111'],
    [NUMBER, { 'remote-party-id': '<sip:3000@x>;party=called;privacy=full' }, '+5511987651111'],
    [
      NUMBER,
      {
        'remote-party-id': '<sip:3000@x>;party=calling',
        'p-asserted-identity': '<tel:+5511987651112>',
      },
      '+5511987651112',
    ],
  ] as const)('of %s with %j is %s', (from, headers, party) => {
    expect(callingPartyOf(invite(from, headers))).toBe(party);
  });

  it.each([
    ['<sip:anonymous@anonymous.invalid>', {}],
    ['<sip:+5511987651111@anonymous.invalid>', {}],
    ['<sip:c8oqz84zk7z@unknown.invalid>', {}],
    ['<sip:op.example>', {}],
    [NUMBER, { privacy: 'id' }],
    [NUMBER, { privacy: 'header; ID ;critical' }],
    [NUMBER, { privacy: ['critical', 'user'], 'p-asserted-identity': '<tel:+5511987651112>' }],
    [NUMBER, { 'remote-party-id': '"A" <sip:+5511987651111@x>;party=calling;privacy=full;screen=yes' }],
  ] as const)('of %s with %j hides itself', (from, headers) => {
    expect(callingPartyOf(invite(from, headers))).toBe('');
  });
});
