import { describe, expect, it } from '@jest/globals';
import { type DestinationRules, ORDINARY_TYPES } from '../../config/destination-rules.js';
import { destinationRefusal } from './destination-refusal.js';

const DEFAULTS: DestinationRules = {
  countries: [],
  serviceCodes: [],
  types: new Set([...ORDINARY_TYPES, 'UNKNOWN']),
};

describe('the destination of a call', () => {
  it.each([
    ['+5511987654300', 'a mobile'],
    ['+551133334444', 'a fixed line'],
    ['+551187654321', 'a form that the country has given up'],
    ['+15551234567', 'a number of no known range'],
    ['+558001234567', 'toll-free'],
    ['+80012345678', 'toll-free in all countries'],
    ['190', 'an emergency number'],
    ['1001', 'an extension'],
    ['8831', 'an extension that begins like a service code'],
    ['*72', 'a function of an exchange'],
    ['sip:sales@sip.example.com', 'a SIP address'],
    ['sales@sip.example.com', 'a SIP address without a scheme'],
  ])('may be %s: %s', (to) => {
    expect(destinationRefusal(to, DEFAULTS)).toBeNull();
  });

  it.each([
    ['+881612345678', 'satellite'],
    ['00881612345678', 'satellite, with the prefix of a call abroad'],
    ['881612345678', 'satellite, without a plus sign'],
    ['+979123456789', 'premium in all countries'],
    ['+80812345678', 'shared cost in all countries'],
    ['+559001234567', 'premium'],
    ['+5590012345678', 'premium, with another digit'],
    ['+5540041234', 'shared cost'],
    ['+447640123456', 'a pager'],
  ])('is refused by its kind: %s, %s', (to) => {
    expect(destinationRefusal(to, DEFAULTS)).toBe('kind-of-number');
  });

  it.each([
    ['+5511987654300', null],
    ['+551187654321', null],
    ['+351912345678', 'country'],
    ['+18765230123', 'country'],
    ['+881612345678', null],
    ['881612345678', null],
    ['+979123456789', 'kind-of-number'],
    ['+80012345678', 'country'],
  ])('is held against named countries and services: %s', (to, refused) => {
    const rules = { ...DEFAULTS, countries: ['BR', 'US'], serviceCodes: ['881'] };
    expect(destinationRefusal(to, rules)).toBe(refused);
  });
});
