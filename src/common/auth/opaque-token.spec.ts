import { describe, expect, it } from '@jest/globals';
import { hashToken, makeToken, prefixOf } from './opaque-token.js';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

describe('opaque tokens', () => {
  it('are recognised by their prefix', () => {
    expect(prefixOf(makeToken('prosa_'))).toBe('prosa_');
    expect(prefixOf(makeToken('prosa_pub_'))).toBe('prosa_pub_');
    expect(prefixOf(makeToken('prosa_sess_'))).toBe('prosa_sess_');
  });

  it('are refused after any change of one character, without a database', () => {
    const token = makeToken('prosa_');
    for (let position = 0; position < token.length; position++) {
      for (const character of ALPHABET) {
        if (character === token[position]) continue;
        expect(prefixOf(token.slice(0, position) + character + token.slice(position + 1))).toBeNull();
      }
    }
  });

  it.each(['', 'prosa_', 'x'.repeat(42)])('refuse %j', (text) => {
    expect(prefixOf(text)).toBeNull();
  });

  it('are refused with anything before or after them', () => {
    const token = makeToken('prosa_');
    for (const text of [`${token}x`, ` ${token}`, `${token} `, `Bearer ${token}`, `${token}\n`])
      expect(prefixOf(text)).toBeNull();
  });

  it('use every character alike', () => {
    const tokens = 10_000;
    const counts = new Map<string, number>();
    for (let i = 0; i < tokens; i++) {
      for (const character of makeToken('prosa_').slice('prosa_'.length, -6))
        counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    // Eight standard deviations of chance. A byte more than the alphabet has room for adds 24 % to a character.
    const expected = (tokens * 30) / ALPHABET.length;
    for (const character of ALPHABET)
      expect(Math.abs((counts.get(character) ?? 0) / expected - 1)).toBeLessThan(0.115);
  });

  it('do not repeat and hash to 32 bytes', () => {
    const tokens = new Set(Array.from({ length: 1_000 }, () => makeToken('prosa_')));
    expect(tokens.size).toBe(1_000);
    for (const token of tokens) expect(hashToken(token)).toHaveLength(32);
  });
});
