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

  it.each(['', 'prosa_', 'x'.repeat(42), `${makeToken('prosa_')}x`, ` ${makeToken('prosa_')}`])(
    'refuse %j',
    (token) => {
      expect(prefixOf(token)).toBeNull();
    },
  );

  it('do not repeat and hash to 32 bytes', () => {
    const tokens = new Set(Array.from({ length: 1_000 }, () => makeToken('prosa_')));
    expect(tokens.size).toBe(1_000);
    for (const token of tokens) expect(hashToken(token)).toHaveLength(32);
  });
});
