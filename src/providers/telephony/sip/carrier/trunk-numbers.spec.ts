import { describe, expect, it } from '@jest/globals';
import { callerOf, meansNumber, type TrunkNumber, writtenNumber } from './trunk-number.js';
import { TrunkNumbers } from './trunk-numbers.js';

function trunkNumber(phoneNumberId: number, changes: Partial<TrunkNumber> = {}): TrunkNumber {
  return {
    phoneNumberId,
    accountId: 1,
    number: `+55113000000${phoneNumberId}`,
    countryCode: 'BR',
    callingFormat: '+e164',
    target: { host: 'sip.example.com', port: null, protocol: null },
    username: 'prosa',
    password: 'secret',
    inboundAddresses: null,
    srtp: 'optional',
    provenAtMs: null,
    ...changes,
  };
}

describe('Numbers of a trunk', () => {
  it.each([
    ['+5511987654321', '+e164', 'BR', '+5511987654321'],
    ['+5511987654321', 'e164', 'BR', '5511987654321'],
    ['+5511987654321', 'national', 'BR', '11987654321'],
    ['+12125550100', 'national', 'US', '2125550100'],
    ['+493012345678', 'national', 'DE', '03012345678'],
    ['+12125550100', 'national', 'DE', '0012125550100'],
    ['+12125550100', 'national', 'BR', '0012125550100'],
    ['1001', 'national', 'BR', '1001'],
  ] as const)(
    'are written as the operator wants: %s as %s in %s',
    (number, callingFormat, countryCode, written) => {
      expect(writtenNumber(number, { callingFormat, countryCode })).toBe(written);
    },
  );

  it.each([
    '+551130000001',
    '551130000001',
    '1130000001',
    '01130000001',
    '00551130000001',
    '+55-11-30000001',
    '30000001',
    '0151130000001',
    '0021551130000001',
  ])('are meant by %s', (written) => expect(meansNumber(written, '+551130000001')).toBe(true));

  it.each(['+551130000002', '+1130000001', '30000002', '', 'prosa', 's'])(
    'are not meant by "%s"',
    (written) => expect(meansNumber(written, '+551130000001')).toBe(false),
  );

  it.each([
    ['+5511987654321', 'e164', '+5511987654321'],
    ['5511987654321', 'e164', '+5511987654321'],
    ['11987654321', 'national', '+5511987654321'],
    ['011987654321', 'national', '+5511987654321'],
    ['12125550100', 'e164', '+12125550100'],
    ['1001', '+e164', '1001'],
    ['anonymous', '+e164', 'anonymous'],
    ['<script>', '+e164', 'anonymous'],
    ['', '+e164', 'anonymous'],
  ] as const)('read a caller: "%s" written as %s is %s', (written, callingFormat, caller) => {
    expect(callerOf(written, { callingFormat, countryCode: 'BR' })).toBe(caller);
  });
});

describe('TrunkNumbers', () => {
  const byAddress = { inboundAddresses: ['192.0.2.1'] };
  const called = (numbers: TrunkNumbers, trunkIds: number[], to: string, wanted = to) =>
    numbers.called({ trunkIds: trunkIds.map(String), to, wanted })?.phoneNumberId ?? null;

  it('registers once for each login, and again when the one that had it goes', () => {
    const numbers = new TrunkNumbers();
    const first = numbers.replace([trunkNumber(1), trunkNumber(2), trunkNumber(3, { username: 'other' })]);
    expect(first.changed.map(({ id, registration }) => [id, registration?.user])).toEqual([
      ['1', 'prosa'],
      ['2', undefined],
      ['3', 'other'],
    ]);
    const second = numbers.replace([trunkNumber(2), trunkNumber(3, { username: 'other' })]);
    expect(second.changed.map(({ id, registration }) => [id, registration?.user])).toEqual([['2', 'prosa']]);
    expect(second.gone).toEqual(['1']);
  });

  it('changes nothing where nothing has changed', () => {
    const numbers = new TrunkNumbers();
    numbers.replace([trunkNumber(1)]);
    expect(numbers.replace([trunkNumber(1)])).toEqual({ changed: [], gone: [] });
    expect(numbers.replace([trunkNumber(1, { password: 'new' })]).changed).toHaveLength(1);
  });

  it('finds the called number among those of the account whose trunk was proven', () => {
    const numbers = new TrunkNumbers();
    numbers.replace([trunkNumber(1, byAddress), trunkNumber(2, byAddress), trunkNumber(3, { accountId: 2 })]);
    expect(called(numbers, [1], '+551130000001')).toBe(1);
    expect(called(numbers, [1], '1130000002')).toBe(2);
    expect(called(numbers, [1], 'prosa', '+551130000002')).toBe(2);
  });

  it('gives a call neither to a number of another account nor to an unassigned number', () => {
    const numbers = new TrunkNumbers();
    numbers.replace([trunkNumber(1, byAddress), trunkNumber(3, { accountId: 2, ...byAddress })]);
    expect(called(numbers, [1], '+551130000003')).toBeNull();
    expect(called(numbers, [1], '+551199999999')).toBeNull();
    expect(called(numbers, [], '+551130000001')).toBeNull();
  });

  it('gives a number that two accounts have behind a shared operator to the one that has it longest', () => {
    const numbers = new TrunkNumbers();
    const same = { number: '+551130000001', ...byAddress };
    numbers.replace([trunkNumber(5, { accountId: 2, ...same }), trunkNumber(4, same)]);
    expect(called(numbers, [5, 4], '+551130000001')).toBe(4);
  });

  describe('that an account has proven', () => {
    const same = { number: '+551130000001', ...byAddress };
    const thief = trunkNumber(4, same);
    const owner = trunkNumber(9, { accountId: 2, ...same, provenAtMs: 1_000 });

    it('get their calls before an account that typed the number earlier', () => {
      const numbers = new TrunkNumbers();
      numbers.replace([thief, owner]);
      expect(called(numbers, [4, 9], '+551130000001')).toBe(9);
      expect(called(numbers, [9, 4], '551130000001')).toBe(9);
    });

    it('belong to who has proven them last, as numbers change hands', () => {
      const numbers = new TrunkNumbers();
      numbers.replace([{ ...thief, provenAtMs: 2_000 }, owner]);
      expect(called(numbers, [4, 9], '+551130000001')).toBe(4);
      numbers.replace([thief, { ...owner, provenAtMs: 3_000 }]);
      expect(called(numbers, [4, 9], '+551130000001')).toBe(9);
    });

    it.each(['551130000001', '+55 11 3000-0001'])(
      'are not had by an extension that reads as the operator writes the number: %s',
      (extension) => {
        const numbers = new TrunkNumbers();
        numbers.replace([{ ...thief, number: extension }, owner]);
        expect(called(numbers, [4, 9], '551130000001')).toBe(9);
      },
    );

    it('are not had by an extension that an operator calls all numbers by', () => {
      const numbers = new TrunkNumbers();
      numbers.replace([{ ...thief, number: 'prosa' }, owner]);
      expect(called(numbers, [4, 9], 'prosa', '+551130000001')).toBe(9);
      // It is an extension of the account that owns the number.
      numbers.replace([{ ...thief, number: 'prosa', accountId: 2 }, owner]);
      expect(called(numbers, [4, 9], 'prosa', '+551130000001')).toBe(4);
    });

    it('take no call that was forwarded to a number of another account', () => {
      const numbers = new TrunkNumbers();
      numbers.replace([trunkNumber(4, { number: '+551130000004', ...byAddress }), owner]);
      expect(called(numbers, [4, 9], '+551130000004', '+551130000001')).toBe(4);
    });

    it('get no calls by the trunks of others, proven or not', () => {
      const numbers = new TrunkNumbers();
      numbers.replace([thief, owner]);
      expect(called(numbers, [4], '+551130000001')).toBe(4);
    });
  });

  it('takes a call to the Contact of a registration for its only number, whatever the call says', () => {
    const numbers = new TrunkNumbers();
    numbers.replace([trunkNumber(1)]);
    expect(called(numbers, [1], 'x7Gh2', 'prosa')).toBe(1);
    numbers.replace([trunkNumber(1), trunkNumber(2)]);
    expect(called(numbers, [1], 'x7Gh2', 'prosa')).toBeNull();
    expect(called(numbers, [1], 'x7Gh2', '551130000002')).toBe(2);
  });
});
