import { describe, expect, it } from '@jest/globals';
import { functionDatabase } from '../../../support/function-database.js';

const database = functionDatabase();
const wordsOf = (words: string | null) =>
  database.value('SELECT words_of_knowledgebase(7, $1::tsvector)::text', words);

describe('words_of_knowledgebase', () => {
  it.each([
    { words: "'ola'", own: "'7 ola'" },
    { words: "'mundo':2 'ola':1,3", own: "'7 mundo':2 '7 ola':1,3" },
    { words: "'d''avila':1", own: "'7 d''avila':1" },
    { words: '', own: '' },
    { words: null, own: null },
  ])('of $words are $own, at the same places', async ({ words, own }) => {
    expect(await wordsOf(words)).toBe(own);
  });
});
