import { describe, expect, it } from '@jest/globals';
import { functionDatabase } from '../../../support/function-database.js';

const database = functionDatabase();
const search = (text: string | null, userId: number | null = 7) =>
  database.value<string | null>('SELECT account_search($1, $2)::text', userId, text);

describe('account_search', () => {
  it('asks for each word as a beginning, among the words of the account', async () => {
    expect(await search('Olá, MUNDO')).toBe("'7 mundo':* & '7 ola':*");
  });

  it('asks for a repeated word once', async () => {
    expect(await search('ana Ana')).toBe("'7 ana':*");
  });

  it.each(['', ' ', '?!', "'", '\\'])("of '%s', which has no word, is null", async (text) => {
    expect(await search(text)).toBeNull();
  });

  it('is null without a text or an account', async () => {
    expect(await search(null)).toBeNull();
    expect(await search('ana', null)).toBeNull();
  });

  it("finds the account's own words that begin as asked, and no other account's", async () => {
    const finds = (userId: number, text: string) =>
      database.value(
        "SELECT words_of_account(7, 'Pedido de João D''Ávila') @@ account_search($1, $2)",
        userId,
        text,
      );
    expect(await finds(7, 'jo ped')).toBe(true);
    expect(await finds(7, "d'av")).toBe(true);
    expect(await finds(7, 'jo maria')).toBe(false);
    expect(await finds(7, 'oao')).toBe(false);
    expect(await finds(8, 'jo')).toBe(false);
  });
});
