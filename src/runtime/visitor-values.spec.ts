import { describe, expect, it } from '@jest/globals';
import { visitorValuesForTools, withOwnersValues } from './visitor-values.js';

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

  it('have those that the server of the owner has given, whatever their names and the list', () => {
    const given = { customer_phone: '+5511900000000', account: 'A-7', Plan: 'gold' };
    const rules = { variables: OWN, visitorVariables: [] };
    expect(visitorValuesForTools(given, rules, ['customer_phone', 'account'])).toEqual({
      customer_phone: '+5511900000000',
      account: 'A-7',
    });
  });

  it('are trusted in the very spelling of the owner alone', () => {
    expect(visitorValuesForTools({ ACCOUNT: 'x' }, { variables: OWN }, ['account'])).toEqual({});
  });
});

describe('the values of an owner over those of a visitor', () => {
  it('count in every spelling of their names', () => {
    const given = { 'Customer Phone': 'x', CONTA: 'x', conta: 'x', order: 7 };
    expect(withOwnersValues(given, { customer_phone: '+551130000000', Conta: '' })).toEqual({
      order: 7,
      customer_phone: '+551130000000',
      Conta: '',
    });
  });

  it('count under names without letters and digits', () => {
    expect(withOwnersValues({ '?': 'x', '!': 'x' }, { '?': 'y' })).toEqual({ '!': 'x', '?': 'y' });
  });

  it('leave the values of the visitor as they are', () => {
    const given = Object.freeze({ account: 'x' });
    expect(withOwnersValues(given, {})).toEqual(given);
    expect(withOwnersValues(given, { account: 'y' })).toEqual({ account: 'y' });
  });

  it('are put over many names in little time', () => {
    const many = (prefix: string) =>
      Object.fromEntries(Array.from({ length: 8_000 }, (_, at) => [`${prefix}${at}`, at]));
    const startedAt = performance.now();
    const both = withOwnersValues(many('Name '), { ...many('name_'), other: 1 });
    expect(Object.keys(both)).toHaveLength(8_001);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });
});
