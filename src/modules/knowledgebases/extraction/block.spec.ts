import { describe, expect, it } from '@jest/globals';
import { cleanText, unreadCharacters } from './block.js';

describe('cleanText', () => {
  it.each([
    ['soft hyphens', 'des\u00adcon\u00adto à vista', 'desconto à vista'],
    ['a soft hyphen at the end of a line', 'par\u00ad \n  celamento', 'parcelamento'],
    [
      'zero-width spaces in an address',
      'https://loja\u200b.example/\u200btroca',
      'https://loja.example/troca',
    ],
    ['word joiners in a number', '0800\u2060 123\u2060-4567', '0800 123-4567'],
    ['a byte order mark within a text', 'um\ufeff dois', 'um dois'],
    ['marks of direction around a number', '\u202a+55 11 4002-8922\u202c', '+55 11 4002-8922'],
    ['tags that hide words', `preço${String.fromCodePoint(0xe0041, 0xe0042)}`, 'preço'],
    ['control characters and blanks', ' a\u0000b\t\u00a0c\r\nd ', 'a b c d'],
  ])('removes %s', (_, text, expected) => {
    expect(cleanText(text)).toBe(expected);
  });

  it.each([
    ['the joiner of an emoji', '👩‍🔧 assistência'],
    ['the non-joiner of Persian', 'نمی‌شود'],
    ['the sign of a number in Arabic', '\u0600١٢'],
  ])('keeps %s', (_, text) => {
    expect(cleanText(text)).toBe(text);
  });
});

it('counts the characters that a charset did not have', () => {
  const blocks = [
    { kind: 'text', text: 'ca\ufffd e p\ufffdo' },
    { kind: 'heading', level: 1, text: 'ok' },
  ] as const;

  expect(unreadCharacters(blocks)).toEqual([
    {
      reason: { key: 'ingestion.unknown_characters', params: { count: 2 } },
      pages: [],
      count: 0,
      total: 0,
    },
  ]);
  expect(unreadCharacters(blocks.slice(1))).toEqual([]);
});
