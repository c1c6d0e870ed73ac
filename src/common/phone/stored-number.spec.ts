import { describe, expect, it } from '@jest/globals';
import { isInternational, toStoredNumber } from './stored-number.js';

describe('a searched customer number', () => {
  it.each([
    ['+5511998765432', '+5511998765432'],
    ['+55 (11) 99876-5432', '+5511998765432'],
    [' 5511998765432', '+5511998765432'],
    [' +5511998765432 ', '+5511998765432'],
  ])('is read as international: %j', (written, stored) => {
    expect(isInternational(written)).toBe(true);
    expect(toStoredNumber(written)).toBe(stored);
  });

  it.each([
    ['(11) 99876-5432', 'BR', '+5511998765432'],
    ['5511998765432', 'BR', '+5511998765432'],
    ['030 123456', 'DE', '+4930123456'],
    ['(11) 99876-5432 ', 'BR', '+5511998765432'],
  ])('without a plus sign is read in the country of the account: %j in %s', (written, country, stored) => {
    expect(isInternational(written)).toBe(false);
    expect(toStoredNumber(written, country)).toBe(stored);
  });

  it.each(['1001', 'reception', '+', ''])('stays as it is when it is no phone number: %j', (written) => {
    expect(toStoredNumber(written, 'BR')).toBe(written);
  });

  it('without a plus sign and a country stays as it is, without spaces around it', () => {
    expect(toStoredNumber('11998765432  ')).toBe('11998765432');
    expect(toStoredNumber('1001+5511998765432', 'BR')).toBe('1001+5511998765432');
  });
});
