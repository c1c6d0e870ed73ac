import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { functionDatabase, sql, type Values } from '../../../support/function-database.js';
import { RowBuilders } from '../../../support/row-builders.js';

const database = functionDatabase();
const build = new RowBuilders(database);
const MINE = randomUUID();
const ANOTHER = randomUUID();

describe('abandon_turn', () => {
  let userId: number;
  let conversationId: string;
  let otherId: string;
  let messageId: number;

  beforeEach(async () => {
    userId = await build.account({ balance_micros: 1_000, held_micros: 50 });
    const leased = { user_id: userId, turn_token: MINE, turn_expires_at: sql('now()') };
    conversationId = await build.uuid('conversations', leased);
    otherId = await build.uuid('conversations', leased);
    messageId = await addMessage();
  });

  const addMessage = (values: Values = {}) =>
    build.id('messages', { user_id: userId, conversation_id: conversationId, ...values });
  const setToken = (token: string | null) =>
    database.rows('UPDATE conversations SET turn_token = $2 WHERE id = $1', conversationId, token);
  const abandon = (holdId: string | null = null, tokens: readonly (number | null)[] = [null, null, null]) => {
    const parameters = [conversationId, MINE, messageId, holdId, ...tokens];
    const places = parameters.map((_, at) => `$${at + 1}`).join(', ');
    return database.value<number | null>(`SELECT abandon_turn(${places})`, ...parameters);
  };
  const lease = (id = conversationId) =>
    database.row(
      'SELECT turn_token AS token, turn_expires_at = now() AS leased FROM conversations WHERE id = $1',
      id,
    );

  it('gives the lease back and leaves other conversations', async () => {
    expect(await abandon()).toBeNull();
    expect(await lease()).toEqual({ token: null, leased: null });
    expect(await lease(otherId)).toEqual({ token: MINE, leased: true });
  });

  it('leaves the lease of another turn', async () => {
    await setToken(ANOTHER);
    expect(await abandon()).toBeNull();
    expect(await lease()).toEqual({ token: ANOTHER, leased: true });
  });

  it('locks the conversation before it looks for the answer, and no other conversation', async () => {
    const leased = { user_id: userId, turn_token: ANOTHER };
    const [lost, other] = [
      await build.uuid('conversations', leased),
      await build.uuid('conversations', leased),
    ];
    await database.rows('SELECT abandon_turn($1, $2, 0, NULL, NULL, NULL, NULL)', lost, MINE);
    expect(await database.isLocked('conversations', 'id = $1', lost)).toBe(true);
    expect(await database.isLocked('conversations', 'id = $1', other)).toBe(false);
  });

  it('answers null for a conversation that does not exist, and gives the hold back', async () => {
    await database.rows('DELETE FROM conversations WHERE id = $1', conversationId);
    const holdId = await build.uuid('holds', { user_id: userId });
    expect(await abandon(holdId)).toBeNull();
    expect(await database.value('SELECT state FROM holds WHERE id = $1', holdId)).toBe('voided');
  });

  it.each([
    { holder: 'this turn', token: MINE, state: 'voided' },
    { holder: 'no turn', token: null, state: 'voided' },
    { holder: 'another turn', token: ANOTHER, state: 'held' },
  ])('leaves its hold $state when $holder has the lease', async ({ token, state }) => {
    await setToken(token);
    const holdId = await build.uuid('holds', { user_id: userId });
    const other = await build.uuid('holds', { user_id: userId });
    await abandon(holdId);
    expect(await database.value('SELECT state FROM holds WHERE id = $1', holdId)).toBe(state);
    expect(await database.value('SELECT state FROM holds WHERE id = $1', other)).toBe('held');
  });

  describe('that has its answer', () => {
    it('returns the answer, and leaves the lease and the hold', async () => {
      const holdId = await build.uuid('holds', { user_id: userId });
      const answer = await addMessage({ role: 'assistant', author: 'ai', turn_token: MINE });
      expect(await abandon(holdId)).toBe(answer);
      expect(await lease()).toEqual({ token: MINE, leased: true });
      expect(await database.value('SELECT state FROM holds WHERE id = $1', holdId)).toBe('held');
    });

    it.each([
      { title: 'another turn', values: () => ({ turn_token: ANOTHER }) },
      { title: 'no turn', values: () => ({ turn_token: null }) },
      { title: 'another conversation', values: () => ({ turn_token: MINE, conversation_id: otherId }) },
    ])('does not take for it a message of $title', async ({ values }) => {
      await addMessage(values());
      expect(await abandon()).toBeNull();
      expect(await lease()).toEqual({ token: null, leased: null });
    });

    it.each([
      { distance: -1, isAnswer: false },
      { distance: 0, isAnswer: false },
      { distance: 1, isAnswer: true },
    ])(
      "is the message with an id $distance from the customer's: $isAnswer",
      async ({ distance, isAnswer }) => {
        const id = await addMessage({ turn_token: MINE });
        messageId = id - distance;
        expect(await abandon()).toBe(isAnswer ? id : null);
      },
    );
  });
});

describe('abandon_turn', () => {
  it.each([
    { token: MINE, before: [null, null, null], added: [null, null, null], after: [null, null, null] },
    { token: MINE, before: [null, null, null], added: [1, 2, 3], after: [1, 2, 3] },
    { token: MINE, before: [10, 20, 30], added: [1, 2, 3], after: [11, 22, 33] },
    { token: MINE, before: [10, 20, 30], added: [null, null, null], after: [10, 20, 30] },
    { token: ANOTHER, before: [10, 20, 30], added: [1, null, null], after: [11, 20, 30] },
    { token: ANOTHER, before: [10, 20, 30], added: [null, 2, null], after: [10, 22, 30] },
    { token: null, before: [10, 20, 30], added: [null, null, 3], after: [10, 20, 33] },
    { token: null, before: [null, null, null], added: [0, 0, 0], after: [0, 0, 0] },
  ])(
    'adds the tokens $added to $before when the lease has the token $token',
    async ({ token, before, added, after }) => {
      const id = await build.uuid('conversations', {
        user_id: await build.account(),
        turn_token: token,
        input_tokens: before[0],
        cached_input_tokens: before[1],
        output_tokens: before[2],
      });
      const other = await build.uuid('conversations', { user_id: await build.account(), turn_token: MINE });
      await database.rows('SELECT abandon_turn($1, $2, 0, NULL, $3, $4, $5)', id, MINE, ...added);
      const read = async (conversation: string) =>
        Object.values(
          await database.row(
            'SELECT input_tokens, cached_input_tokens, output_tokens, turn_token FROM conversations WHERE id = $1',
            conversation,
          ),
        );
      expect(await read(id)).toEqual([...after, token === ANOTHER ? ANOTHER : null]);
      expect(await read(other)).toEqual([null, null, null, MINE]);
    },
  );
});
