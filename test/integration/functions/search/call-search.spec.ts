import { describe, expect, it } from '@jest/globals';
import { functionDatabase } from '../../../support/function-database.js';

const database = functionDatabase();
const search = (words: readonly string[] | null, digits: readonly (string | null)[] | null = [null]) =>
  database.value<string | null>('SELECT call_search(7, $1, $2)::text', words, digits);

describe('call_search', () => {
  it('asks for all words of the account, the last of which may be incomplete', async () => {
    expect(await search(['Olá, MUNDO bom'])).toBe("'7 bom':* & '7 mundo' & '7 ola'");
  });

  it('takes as last what was written last, also when it was written before', async () => {
    expect(await search(['bom dia bom'])).toBe("'7 bom':* & '7 dia'");
  });

  it.each(['a', 'no'])('asks for %s as a whole word, because too many begin with it', async (last) => {
    expect(await search([`bia ${last}`])).not.toContain(':*');
  });

  it('asks for digits as a part of a number, or as the words that they are', async () => {
    expect(await search(['99876-5432'], ['998765432'])).toBe("'7 5432':* & '7 99876' | '7 #998765432':*");
  });

  it('asks for all parts, with an incomplete word in the last one', async () => {
    expect(await search(['maria', '5432', 'entrega'], [null, '5432', null])).toBe(
      "'7 maria' & ( '7 5432' | '7 #5432':* ) & '7 entrega':*",
    );
  });

  it('asks for digits alone where a part has no words', async () => {
    expect(await search(['?'], ['5432'])).toBe("'7 #5432':*");
  });

  it('leaves out parts without words', async () => {
    expect(await search(['?!', 'ana', "'\\"], [null, null, null])).toBe("'7 ana'");
  });

  it('is null without words and digits', async () => {
    expect(await search(['?!'])).toBeNull();
    expect(await search([], [])).toBeNull();
    expect(await search(null)).toBeNull();
    expect(await search(['ana'], null)).toBeNull();
  });

  it('finds calls of the account by parts of numbers and by words, and no others', async () => {
    const finds = (userId: number, words: string, digits: string | null = null) =>
      database.value(
        "SELECT words_of_call(7, '+5511998765432', 'Olá João, entrega amanhã às 9876') @@ call_search($1, ARRAY[$2], ARRAY[$3]::text[])",
        userId,
        words,
        digits,
      );
    for (const part of ['5511998765432', '99876', '1199', '5432', '8765'])
      expect(await finds(7, part, part)).toBe(true);
    expect(await finds(7, '9876', '9876')).toBe(true);
    expect(await finds(7, '54321', '54321')).toBe(false);
    expect(await finds(7, 'joao entre')).toBe(true);
    expect(await finds(7, 'entre joao')).toBe(false);
    expect(await finds(7, 'joao hoje')).toBe(false);
    expect(await finds(8, 'joao')).toBe(false);
    expect(await finds(8, '99876', '99876')).toBe(false);
    expect(await finds(77, 'joao')).toBe(false);
  });
});
