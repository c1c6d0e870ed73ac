import { describe, expect, it } from '@jest/globals';
import { visitorValuesForTools } from './visitor-values.js';

const OWN = { account: 'A-1', plan: '', Conta: 'C-1', conta: '' };

describe('the values of a visitor that tools may use', () => {
  it.each([
    ['customer_phone'],
    ['Customer-Phone'],
    ['CUSTOMERPHONE'],
    ['assistant_id'],
    ['current_date'],
    ['account'],
    ['Account'],
    ['conta'],
    ['CONTA'],
  ])('do not have %s, which the platform or the owner sets', (name) => {
    expect(visitorValuesForTools({ [name]: 'x' }, { variables: OWN })).toEqual({});
  });

  it('have names without a value of the owner', () => {
    const given = { plan: 'gold', order: 7 };
    expect(visitorValuesForTools(given, { variables: OWN, visitorVariables: null })).toEqual(given);
  });

  it('have the names of a list alone, whatever the spelling, but never a telephone number', () => {
    const given = { customer_phone: '+5511900000000', ACCOUNT: 'x', plan: 'gold' };
    const rules = { variables: OWN, visitorVariables: ['account', 'customer_phone'] };
    expect(visitorValuesForTools(given, rules)).toEqual({ ACCOUNT: 'x' });
  });
});
