import { describe, expect, it } from '@jest/globals';
import { functionDatabase } from '../../../support/function-database.js';

const database = functionDatabase();
const fold = (text: string | null) => database.value('SELECT folded_text($1)', text);

describe('folded_text', () => {
  it.each([
    { text: 'São JOÃO', folded: 'sao joao' },
    { text: 'áàâãäéèêëíìîïóòôõöúùûüçñ', folded: 'aaaaaeeeeiiiiooooouuuucn' },
    { text: 'ÁÀÂÃÄÉÈÊËÍÌÎÏÓÒÔÕÖÚÙÛÜÇÑ', folded: 'aaaaaeeeeiiiiooooouuuucn' },
    { text: 'ana@example.com', folded: 'ana example com' },
    { text: '+55 (11) 98765-4321', folded: ' 55  11  98765 4321' },
    { text: `a-+@./\\:;,!?(){}"'<>=*&%$#~^|_[]b`, folded: 'a b' },
    { text: '', folded: '' },
  ])("makes '$folded' of '$text'", async ({ text, folded }) => {
    expect(await fold(text)).toBe(folded);
  });

  it.each([
    { length: 99, parts: [99] },
    { length: 100, parts: [100, 0] },
    { length: 101, parts: [100, 1] },
    { length: 250, parts: [100, 100, 50] },
  ])('parts a word of $length characters into $parts', async ({ length, parts }) => {
    expect(await fold('x'.repeat(length))).toBe(parts.map((part) => 'x'.repeat(part)).join(' '));
  });

  it('is null without a text', async () => {
    expect(await fold(null)).toBeNull();
  });
});
