import { beforeEach, describe, expect, it } from '@jest/globals';
import { functionDatabase, type Values } from '../../../support/function-database.js';
import { RowBuilders } from '../../../support/row-builders.js';

const database = functionDatabase();
const build = new RowBuilders(database);
/** How many characters of function calls a history has, the newest first. */
const CHARACTERS = 65_536;

describe('turn_history', () => {
  let userId: number;
  let conversationId: string;

  beforeEach(async () => {
    userId = await build.account();
    conversationId = await build.uuid('conversations', { user_id: userId });
    const other = await build.uuid('conversations', { user_id: userId });
    await build.id('messages', { user_id: userId, conversation_id: other, id: 1 });
  });

  const add = (id: number, values: Values = {}) =>
    build.id('messages', {
      user_id: userId,
      conversation_id: conversationId,
      id,
      content: `m${id}`,
      ...values,
    });
  const history = (before: number, limit = 10) =>
    database.value<Values[]>('SELECT turn_history($1, $2, $3)', conversationId, before, limit);
  const idsOf = async (before: number, limit?: number) => (await history(before, limit)).map(({ id }) => id);
  /** Function calls that have so many characters as text. */
  const callsOf = (characters: number) => JSON.stringify(['x'.repeat(characters - '[""]'.length)]);

  it('has the messages of the conversation before the given one, the oldest first', async () => {
    await add(5);
    await add(4, { role: 'assistant', author: 'ai' });
    await add(6);
    await add(7);
    expect(await history(6)).toEqual([
      { id: 4, role: 'assistant', content: 'm4' },
      { id: 5, role: 'user', content: 'm5' },
    ]);
  });

  it('is empty without messages', async () => {
    expect(await history(9)).toEqual([]);
  });

  it.each([
    { limit: 0, ids: [] },
    { limit: 1, ids: [5] },
    { limit: 2, ids: [4, 5] },
    { limit: 3, ids: [3, 4, 5] },
    { limit: 4, ids: [3, 4, 5] },
  ])('has the last $limit of three messages', async ({ limit, ids }) => {
    await add(3);
    await add(4);
    await add(5);
    expect(await idsOf(6, limit)).toEqual(ids);
  });

  describe('with function calls', () => {
    it('has the calls of a message next to its text, and none where there are none', async () => {
      await add(3);
      await add(4, { function_calls: JSON.stringify([{ name: 'get_weather' }]) });
      await add(5, { function_calls: '[]' });
      expect(await history(9)).toEqual([
        { id: 3, role: 'user', content: 'm3' },
        { id: 4, role: 'user', content: 'm4', functionCalls: [{ name: 'get_weather' }] },
        { id: 5, role: 'user', content: 'm5' },
      ]);
    });

    it.each([
      { limit: 1, ids: [5] },
      { limit: 2, ids: [4, 5] },
      { limit: 9, ids: [3, 4, 5] },
    ])('has the last $limit messages before the given one, the oldest first', async ({ limit, ids }) => {
      await add(4);
      await add(3);
      await add(5, { function_calls: '["x"]' });
      await add(6, { function_calls: '["x"]' });
      expect(await idsOf(6, limit)).toEqual(ids);
    });

    it.each([
      { newer: CHARACTERS - 1, hasCalls: true },
      { newer: CHARACTERS, hasCalls: true },
      { newer: CHARACTERS + 1, hasCalls: false },
    ])(
      'has the calls of a message when newer ones have $newer characters: $hasCalls',
      async ({ newer, hasCalls }) => {
        await add(3, { function_calls: callsOf(50) });
        await add(4, { function_calls: callsOf(newer - 100) });
        await add(5, { function_calls: callsOf(100) });
        const [oldest, middle, newest] = await history(9);
        expect(newest).toHaveProperty('functionCalls');
        expect(middle).toHaveProperty('functionCalls');
        expect(Object.hasOwn(oldest ?? {}, 'functionCalls')).toBe(hasCalls);
      },
    );

    it('has the calls of the newest message, however long they are', async () => {
      await add(4, { function_calls: callsOf(CHARACTERS * 2) });
      expect(await history(9)).toMatchObject([{ functionCalls: [expect.any(String)] }]);
    });
  });
});
