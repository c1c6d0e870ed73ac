import { describe, expect, it } from '@jest/globals';
import { functionDatabase } from '../../../support/function-database.js';

const database = functionDatabase();
const wordsOf = (number: string | null, transcript: string | null) =>
  database.value<string[]>('SELECT tsvector_to_array(words_of_call(7, $1, $2))', number, transcript);

describe('words_of_call', () => {
  it('are each end of the number that has four digits or more, and the words of the transcript', async () => {
    expect(await wordsOf('+5511 98', 'Olá, MUNDO: olá')).toEqual([
      '7 #1198',
      '7 #51198',
      '7 #551198',
      '7 mundo',
      '7 ola',
    ]);
  });

  it.each([
    { number: null, transcript: 'Olá', words: ['7 ola'] },
    { number: '123', transcript: 'Olá', words: ['7 ola'] },
    { number: 'anonymous', transcript: '', words: [] },
    { number: '1234', transcript: null, words: ['7 #1234'] },
    { number: '1234', transcript: '', words: ['7 #1234'] },
    { number: null, transcript: '#1234 ?!', words: ['7 1234'] },
  ])("of $number and '$transcript' are $words", async ({ number, transcript, words }) => {
    expect(await wordsOf(number, transcript)).toEqual(words);
  });

  it('are of the first 32 digits of what is no telephone number', async () => {
    const words = await wordsOf('9'.repeat(5_000), '');
    expect(words).toHaveLength(29);
    expect(words.at(-1)).toBe(`7 #${'9'.repeat(32)}`);
  });

  it.each([
    { spaces: 99_998, words: ['7 ab'] },
    { spaces: 99_999, words: ['7 a'] },
    { spaces: 100_000, words: [] },
  ])("are $words when the transcript is 'ab' after $spaces spaces", async ({ spaces, words }) => {
    expect(await wordsOf(null, `${' '.repeat(spaces)}ab`)).toEqual(words);
  });

  it('are of the first 100,000 characters of a transcript, which fit into a tsvector whatever they are', async () => {
    const words = (count: number, one: string) =>
      database.value<number>(
        `SELECT length(words_of_call(2147483647, '+5511987654321', (SELECT string_agg(${one}, ' ') FROM generate_series(1, $1) n)))`,
        count,
      );
    expect(await words(30_000, "lpad(n::text, 5, '0') || '!'")).toBe(10 + 14_286);
    // Four bytes a character, and as many words as there can be.
    expect(await words(60_000, 'chr(131072 + n % 40000)')).toBeGreaterThan(30_000);
  });
});
