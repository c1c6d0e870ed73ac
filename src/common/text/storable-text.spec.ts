import { describe, expect, it } from '@jest/globals';
import { storableText, withoutNul } from './storable-text.js';

describe('storableText', () => {
  it.each([
    ['Olá 👋', 'Olá 👋'],
    ['a\0b\0', 'ab'],
    ['half \ud83d', 'half \ufffd'],
    // The two halves meet when the NUL between them is gone.
    ['\ud83d\0\udc4b', '👋'],
  ])('%j becomes %j', (text, stored) => {
    expect(storableText(text)).toBe(stored);
  });

  it('leaves half a character to the next part of a text that comes in parts', () => {
    expect(['a\0\ud83d', '\udc4b'].map(withoutNul).join('')).toBe('a👋');
  });
});
