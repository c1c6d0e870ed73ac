import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { parseSipUri } from '@prosa/sip';
import type { TrunkNumber } from '../trunk-number.js';
import { TrunkNumbers } from '../trunk-numbers.js';
import { formOf } from './number-spellings.js';

const AREAS = [
  11, 12, 13, 14, 15, 16, 17, 18, 19, 21, 22, 24, 27, 28, 31, 32, 33, 34, 35, 37, 38, 41, 42, 43, 44, 45, 46,
  47, 48, 49, 51, 53, 54, 55, 61, 62, 63, 64, 65, 66, 67, 68, 69, 71, 73, 74, 75, 77, 79, 81, 82, 83, 84, 85,
  86, 87, 88, 89, 91, 92, 93, 94, 95, 96, 97, 98, 99,
];

function trunkNumber(phoneNumberId: number, changes: Partial<TrunkNumber> = {}): TrunkNumber {
  return {
    phoneNumberId,
    accountId: phoneNumberId,
    number: '+551130000001',
    countryCode: 'BR',
    callingFormat: '+e164',
    target: { host: 'sip.example.com', port: null, protocol: null },
    username: `user${phoneNumberId}`,
    password: 'secret',
    inboundAddresses: ['192.0.2.1'],
    srtp: 'optional',
    provenAtMs: null,
    ...changes,
  };
}

describe('The form of a called number', () => {
  it.each([
    ['+551132145678', 'BR', '32145678', 'local'],
    ['+5511987654321', 'BR', '987654321', 'local'],
    ['+5511987654321', 'BR', '98765-4321', 'local'],
    ['+551132145678', 'BR', '1132145678', 'national'],
    ['+551132145678', 'BR', '01132145678', 'national'],
    ['+551132145678', 'BR', '0151132145678', 'national'],
    ['+551132145678', 'BR', '0 17 (11) 3214-5678', 'national'],
    ['+5511987654321', 'BR', '04111987654321', 'national'],
    ['+551132145678', 'BR', '551132145678', 'international'],
    ['+551132145678', 'BR', '00551132145678', 'international'],
    ['+551132145678', 'BR', '0021551132145678', 'international'],
    ['+551132145678', 'BR', '0036551132145678', 'international'],
    ['+551132145678', 'BR', '+55-11-3214-5678', 'international'],
    ['+551132145678', 'BR', '+5501132145678', 'international'],
    ['+551132145678', 'BR', '+550151132145678', 'international'],
    ['+551132145678', 'BR', '5501132145678', 'international'],
    ['+551132145678', 'BR', '550151132145678', 'international'],
    ['+551132145678', 'BR', '005501132145678', 'international'],
    ['+551132145678', 'BR', '+01132145678', 'national'],
    ['+551132145678', 'BR', '+0151132145678', 'national'],
    ['+551132145678', 'BR', '+00551132145678', 'international'],
    // Without the ninth digit.
    ['+5511987654321', 'BR', '+551187654321', 'international'],
    ['+5511987654321', 'BR', '551187654321', 'international'],
    ['+5511987654321', 'BR', '0151187654321', 'national'],
    ['+5511987654321', 'BR', '1187654321', 'national'],
    ['+5511987654321', 'BR', '87654321', 'local'],
    ['+551187654321', 'BR', '11987654321', 'national'],
    ['+525512345678', 'MX', '+5215512345678', 'international'],
    ['+525512345678', 'MX', '5215512345678', 'international'],
    ['+525512345678', 'MX', '5512345678', 'national'],
    ['+551132145678', 'US', '011551132145678', 'international'],
    ['+551132145678', 'US', '+011551132145678', 'international'],
    ['+12125550123', 'US', '5550123', 'local'],
    ['+12125550123', 'US', '2125550123', 'national'],
    ['+12125550123', 'US', '12125550123', 'international'],
    ['+442079460958', 'GB', '79460958', 'local'],
    ['+442079460958', 'GB', '02079460958', 'national'],
    ['+442079460958', 'GB', '+4402079460958', 'international'],
    ['+4930901820', 'DE', '901820', 'local'],
    ['+4930901820', 'DE', '030901820', 'national'],
    ['+390612345678', 'IT', '0612345678', 'national'],
    ['+390612345678', 'IT', '00390612345678', 'international'],
    ['+74957654321', 'RU', '84957654321', 'national'],
    ['+74957654321', 'RU', '7654321', 'local'],
    ['+61298765432', 'AU', '98765432', 'local'],
    ['+61298765432', 'AU', '001161298765432', 'international'],
    ['+541123456789', 'AR', '23456789', 'local'],
    ['+5491123456789', 'AR', '1523456789', 'local'],
    ['+5491123456789', 'AR', '0111523456789', 'national'],
    ['+5491123456789', 'AR', '1123456789', 'national'],
    ['+5491123456789', 'AR', '+541123456789', 'international'],
    ['+5491123456789', 'AR', '+54111523456789', 'international'],
    ['+5493514123456', 'AR', '0351154123456', 'national'],
    ['+3612345678', 'HU', '0612345678', 'national'],
    ['+81312345678', 'JP', '12345678', 'local'],
    ['+81312345678', 'JP', '01081312345678', 'international'],
  ] as const)('%s behind a trunk in %s, written %s, is %s', (number, country, written, form) => {
    expect(formOf(written, number, country)).toBe(form);
  });

  it.each([
    ['+551132145678', '32145679'],
    ['+551132145678', '2132145678'],
    ['+551132145678', '032145678'],
    ['+551132145678', '+32145678'],
    ['+551132145678', '+1132145678'],
    ['+551132145678', '5678'],
    ['+551132145678', '0151132145679'],
    // A mobile number without an area code, and closed numbering plans.
    ['+447400123456', '123456'],
    ['+351211234567', '1234567'],
    ['+34912345678', '345678'],
    ['+558001234567', '1234567'],
    ['1001', '1001'],
    ['+551132145678', 'prosa'],
    ['+551132145678', ''],
  ])('%s is not written %s', (number, written) => expect(formOf(written, number, 'BR')).toBeNull());
});

/** A Brazilian number: landline or mobile, of any area. */
const brazilian = fc
  .tuple(
    fc.constantFrom(...AREAS),
    fc.oneof(
      fc.tuple(fc.constantFrom('2', '3', '4', '5'), fc.stringMatching(/^[1-9]\d{6}$/)),
      fc.tuple(fc.constantFrom('96', '97', '98', '99'), fc.stringMatching(/^\d{7}$/)),
    ),
  )
  .map(([area, [first, rest]]) => ({ area: String(area), local: first + rest }))
  // Numbers such as 4004 1234 are dialled without an area from everywhere.
  .filter(({ local }) => !/^(?:300|400)/.test(local));

type Parts = { readonly area: string; readonly local: string };

const carrierCode = fc.stringMatching(/^[1-9]\d$/);
const spelled: fc.Arbitrary<(parts: Parts) => string> = fc.oneof(
  fc.constant(({ area, local }: Parts) => `+55${area}${local}`),
  fc.constant(({ area, local }: Parts) => `55${area}${local}`),
  fc.constant(({ area, local }: Parts) => `0055${area}${local}`),
  fc.constant(({ area, local }: Parts) => `${area}${local}`),
  fc.constant(({ area, local }: Parts) => `0${area}${local}`),
  fc.constant(({ local }: Parts) => local),
  carrierCode.map(
    (code) =>
      ({ area, local }: Parts) =>
        `0${code}${area}${local}`,
  ),
  carrierCode.map(
    (code) =>
      ({ area, local }: Parts) =>
        `00${code}55${area}${local}`,
  ),
);

/** A Request-URI with the number in its user part. */
const requestUri = fc
  .record({
    scheme: fc.constantFrom('sip', 'SIP', 'sips', 'tel'),
    separator: fc.constantFrom('', '-', '.'),
    plus: fc.constantFrom('+', '%2B'),
    routing: fc.constantFrom(
      '',
      ';npdi',
      ';npdi;rn=+5511999',
      ';rn=55119;cic=+5515',
      ';phone-context=+55',
      ';isub=12',
    ),
    password: fc.constantFrom('', ':secret'),
    host: fc.constantFrom('127.0.0.1', 'sip.example.com:5061', '[2001:db8::1]:5060'),
    parameters: fc.constantFrom('', ';user=phone', ';transport=UDP;user=phone', ';maddr=192.0.2.9;lr'),
    headers: fc.constantFrom('', '?Subject=x'),
  })
  .map(({ scheme, separator, plus, routing, password, host, parameters, headers }) => (written: string) => {
    const number = written.replace(/(\d{4})$/, `${separator}$1`);
    if (scheme === 'tel') return `tel:${number}${routing}`;
    return `${scheme}:${number.replace('+', plus)}${routing}${password}@${host}${parameters}${headers}`;
  });

describe('Request-URIs', () => {
  const called = (numbers: TrunkNumbers, trunkId: number, uri: string) =>
    numbers.called({ trunkIds: [String(trunkId)], to: parseSipUri(uri)?.user ?? '', wanted: 'someone' });

  it('find the number of the trunk in whatever form it is written', () => {
    fc.assert(
      fc.property(brazilian, spelled, requestUri, (parts, spell, uriOf) => {
        const numbers = new TrunkNumbers();
        numbers.replace([trunkNumber(1, { number: `+55${parts.area}${parts.local}` })]);
        expect(called(numbers, 1, uriOf(spell(parts)))?.phoneNumberId).toBe(1);
      }),
      { numRuns: 300 },
    );
  });

  it('never find a number of another account, nor another number of the same account', () => {
    fc.assert(
      fc.property(brazilian, brazilian, spelled, requestUri, (own, other, spell, uriOf) => {
        fc.pre(own.area + own.local !== other.area + other.local);
        const numbers = new TrunkNumbers();
        const theirs = { number: `+55${other.area}${other.local}`, provenAtMs: 5 };
        numbers.replace([trunkNumber(1, { number: `+55${own.area}${own.local}` }), trunkNumber(2, theirs)]);
        const uri = uriOf(spell(other));
        const isOwnToo = spell(other) === other.local && own.local === other.local;
        expect(called(numbers, 1, uri)?.phoneNumberId).toBe(isOwnToo ? 1 : undefined);
      }),
      { numRuns: 300 },
    );
  });

  it('are read without an error, whatever they hold', () => {
    const numbers = new TrunkNumbers();
    numbers.replace([trunkNumber(1)]);
    const digits = fc.stringMatching(/^[+0-9().\- ]{0,24}$/);
    fc.assert(
      fc.property(fc.oneof(digits, fc.string()), (user) => {
        const found = numbers.called({ trunkIds: ['1'], to: user, wanted: '' });
        if (found) expect(user.replace(/\D/g, '')).toMatch(/30000001$/);
      }),
      { numRuns: 500 },
    );
  });
});

describe('A subscriber number alone', () => {
  const called = (numbers: TrunkNumbers, trunkIds: number[], to: string, wanted = 'someone') =>
    numbers.called({ trunkIds: trunkIds.map(String), to, wanted })?.phoneNumberId ?? null;
  const saoPaulo = { accountId: 1, number: '+551132145678' };
  const rio = { accountId: 1, number: '+552132145678' };

  it('is one of the area of the trunk that the call came by', () => {
    const numbers = new TrunkNumbers();
    numbers.replace([trunkNumber(1, saoPaulo), trunkNumber(2, rio)]);
    expect(called(numbers, [1], '32145678')).toBe(1);
    expect(called(numbers, [2], '32145678')).toBe(2);
  });

  it('finds other numbers of the account in the area of the trunk, and none elsewhere', () => {
    const numbers = new TrunkNumbers();
    const other = trunkNumber(3, { accountId: 1, number: '+551140041111' });
    const elsewhere = trunkNumber(4, { accountId: 1, number: '+554133332222' });
    numbers.replace([trunkNumber(1, saoPaulo), other, elsewhere]);
    expect(called(numbers, [1], '40041111')).toBe(3);
    expect(called(numbers, [1], '33332222')).toBeNull();
  });

  it('is not found where it may be one of several areas, unless To says which', () => {
    const numbers = new TrunkNumbers();
    numbers.replace([trunkNumber(1, saoPaulo), trunkNumber(2, rio)]);
    expect(called(numbers, [1, 2], '32145678')).toBeNull();
    expect(called(numbers, [1, 2], '32145678', '+552132145678')).toBe(2);
  });

  it('leaves an extension of the same digits to the account that has it longest', () => {
    const numbers = new TrunkNumbers();
    const extension = { accountId: 2, number: '32145678' };
    numbers.replace([trunkNumber(1, saoPaulo), trunkNumber(5, extension)]);
    expect(called(numbers, [1, 5], '32145678')).toBe(1);
    expect(called(numbers, [5], '32145678')).toBe(5);
    numbers.replace([trunkNumber(7, saoPaulo), trunkNumber(5, extension)]);
    expect(called(numbers, [7, 5], '32145678')).toBe(5);
  });

  it('belongs to the account that can take it from where it comes', () => {
    const numbers = new TrunkNumbers();
    numbers.replace([
      trunkNumber(1, saoPaulo),
      trunkNumber(2, { ...rio, accountId: 2, provenAtMs: 5 }),
      trunkNumber(3, { ...saoPaulo, accountId: 3 }),
    ]);
    const owner = (...trunks: string[]) =>
      numbers.ownerOf({ to: '32145678', wanted: 'x' }, ({ trunkId }) => trunks.includes(trunkId));
    expect(owner('1')).toBe('1');
    expect(owner('2')).toBe('2');
    expect(owner('3')).toBe('3');
    expect(owner()).toBeNull();
    // Both have typed the same number; a proven one is no guess.
    expect(owner('1', '3')).toBe('1');
    expect(owner('1', '2')).toBe('2');
  });

  it('belongs to no account where several may be meant and none has proven it', () => {
    const numbers = new TrunkNumbers();
    numbers.replace([trunkNumber(1, saoPaulo), trunkNumber(2, { ...rio, accountId: 2 })]);
    expect(numbers.ownerOf({ to: '32145678', wanted: 'x' }, () => true)).toBeNull();
    expect(numbers.ownerOf({ to: '32145678', wanted: '552132145678' }, () => true)).toBe('2');
  });
});
