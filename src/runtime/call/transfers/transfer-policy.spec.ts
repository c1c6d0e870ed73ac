import { describe, expect, it } from '@jest/globals';
import { allowedCountries, transferTarget } from './transfer-policy.js';

describe('transferTarget', () => {
  it.each([
    ['a mobile', '+5521987654300', ['BR'], '+5521987654300'],
    ['a fixed line', '+551133334444', ['BR'], '+551133334444'],
    ['one as people write it', '(21) 98765-4300', ['BR'], '+5521987654300'],
    ['a toll-free one', '+18005550199', ['US'], '+18005550199'],
    ['one of a second country', '+351912345678', ['BR', 'PT'], '+351912345678'],
  ])('admits %s', (_what, wanted, countries, e164) => {
    expect(transferTarget(wanted, countries)).toEqual({ e164 });
  });

  it.each([
    ['premium, BR', '+559001234567', ['BR'], 'kind-of-number'],
    ['premium, US', '+19005550123', ['US'], 'kind-of-number'],
    ['premium, GB', '+449098790123', ['GB'], 'kind-of-number'],
    ['premium, DE', '+499001234567', ['DE'], 'kind-of-number'],
    ['shared cost, GB', '+448431234567', ['GB'], 'kind-of-number'],
    ['personal, GB', '+447012345678', ['GB'], 'kind-of-number'],
    ['pager, GB', '+447640123456', ['GB'], 'kind-of-number'],
    ['a company-wide one, DE', '+4970012345678', ['DE'], 'kind-of-number'],
    ['another country', '+12125550100', ['BR'], 'country'],
    ['a neighbour with the same country code', '+18765230123', ['US'], 'country'],
    ['a satellite phone', '+881612345678', ['BR'], 'country'],
    ['an international premium number', '+979123456789', ['BR'], 'country'],
    ['an emergency number', '190', ['BR'], 'no-number'],
    ['an emergency number with a country code', '+55190', ['BR'], 'no-number'],
    ['a short code', '+1911', ['US'], 'no-number'],
    ['a number in words', 'call +5521987654300 now', ['BR'], 'no-number'],
    ['a SIP address', 'sip:+5521987654300@evil.example', ['BR'], 'no-number'],
    ['more digits than there are', '+55219876543001234', ['BR'], 'no-number'],
    ['nothing', '', ['BR'], 'no-number'],
    ['any number where none is allowed', '+5521987654300', [], 'country'],
  ])('refuses %s', (_what, wanted, countries, refused) => {
    expect(transferTarget(wanted, countries)).toEqual({ refused });
  });
});

describe('allowedCountries', () => {
  it.each([
    [['PT'], '+5511955550001', ['PT']],
    [[], '+5511955550001', ['BR']],
    [[], 'extension-7', []],
    [[], null, []],
  ])('of %j for a call from %s are %j', (configured, phone, countries) => {
    expect(allowedCountries(configured, phone)).toEqual(countries);
  });
});
