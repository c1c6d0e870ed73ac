import { describe, expect, it } from '@jest/globals';
import { isPageUrl, isSameSite, normalisedUrl } from './page-url.js';

describe('normalisedUrl', () => {
  it.each([
    ['https://Example.com:443/a#part', 'https://example.com/a'],
    ['https://example.com/?utm_source=x&id=5&fbclid=1', 'https://example.com/?id=5'],
    ['https://example.com/?utm_source=x', 'https://example.com/'],
    ['https://example.com/?gclid=1&a=1&gclid=2&a=2', 'https://example.com/?a=1&a=2'],
    ['https://user:secret@example.com/', 'https://example.com/'],
    ['https://example.com/q?a=b%20c', 'https://example.com/q?a=b%20c'],
  ])('makes %s into %s', (address, expected) => {
    expect(normalisedUrl(address)).toBe(expected);
  });

  it('takes no longer than the address is long', () => {
    const tracking = Array.from({ length: 50_000 }, (_, index) => `utm_${index}=1`).join('&');
    const startedAt = performance.now();

    expect(normalisedUrl(`https://example.com/?${tracking}&id=5`)).toBe('https://example.com/?id=5');
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });
});

describe('isSameSite', () => {
  it.each([
    ['https://www.example.com/a', 'http://example.com/b', true],
    ['https://example.com', 'https://shop.example.com', false],
    ['https://example.com', 'https://example.com:8443', false],
    ['https://example.com', 'https://example.com.evil.net', false],
  ])('%s and %s: %s', (a, b, expected) => {
    expect(isSameSite(a, b)).toBe(expected);
  });
});

describe('isPageUrl', () => {
  it.each([
    ['https://example.com/a', true],
    ['https://example.com/manual.pdf', true],
    ['https://example.com/photo.JPG', false],
    ['mailto:ana@example.com', false],
    ['javascript:alert(1)', false],
  ])('%s: %s', (address, expected) => {
    expect(isPageUrl(address)).toBe(expected);
  });
});
