import { describe, expect, it } from '@jest/globals';
import { functionDatabase } from '../../../support/function-database.js';

const database = functionDatabase();
const wordsOf = (text: string | null) => database.value('SELECT words_of_account(7, $1)::text', text);

describe('words_of_account', () => {
  it.each([
    { text: 'Olá', words: "'7 ola'" },
    { text: 'olá MUNDO ola', words: "'7 mundo' '7 ola'" },
    { text: '', words: '' },
    { text: ' ?! ', words: '' },
    { text: null, words: null },
  ])("of '$text' are $words", async ({ text, words }) => {
    expect(await wordsOf(text)).toBe(words);
  });

  it('differ by account', async () => {
    expect(await database.value("SELECT words_of_account(7, 'a') = words_of_account(8, 'a')")).toBe(false);
  });
});
