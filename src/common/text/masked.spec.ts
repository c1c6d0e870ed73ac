import { describe, expect, it } from '@jest/globals';
import { isMaskedUrl, masked, maskedQuery } from './masked.js';

describe('a masked secret', () => {
  it('shows the last four characters of a key, and none of a short one', () => {
    expect(masked('cal_live_0123456789')).toBe('••••6789');
    expect(masked('short')).toBe('••••');
  });
});

describe('a URL with a masked query', () => {
  it.each([
    ['https://a.example/x', 'https://a.example/x'],
    ['https://a.example/x?', 'https://a.example/x?'],
    ['https://a.example/x?key=1&b=&c', 'https://a.example/x?key=****&b=&****'],
    ['https://a.example/x?a=b=c?d#e', 'https://a.example/x?a=****'],
    ['https://a.example/{id}?q={{name}}&&z=1', 'https://a.example/{id}?q=****&&z=****'],
  ])('shows names alone: %s', (url, shown) => {
    expect(maskedQuery(url)).toBe(shown);
    expect(isMaskedUrl(shown)).toBe(shown.includes('****'));
    expect(isMaskedUrl(url)).toBe(false);
  });
});
