import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { functionDatabase, type Values } from '../../../support/function-database.js';
import { RowBuilders } from '../../../support/row-builders.js';

const database = functionDatabase();
const build = new RowBuilders(database);

describe('hold_money', () => {
  let userId: number;
  let assistantId: number;

  beforeEach(async () => {
    userId = await build.account({ balance_micros: 1_000 });
    assistantId = await build.assistant(userId);
  });

  const hold = (terms: Values) =>
    database.value<boolean>('SELECT hold_money($1, $2, $3)', userId, 'message:7', {
      id: randomUUID(),
      kind: 'message',
      amount: 60,
      ...terms,
    });
  const holds = () =>
    database.rows('SELECT user_id, kind, amount_micros, reference, state, visitor_of FROM holds');

  it.each([
    { totalCap: null, isHeld: true },
    { totalCap: 60, isHeld: true },
    { totalCap: 59, isHeld: false },
  ])(
    'without an assistant holds money of the account within its cap of $totalCap: $isHeld',
    async ({ totalCap, isHeld }) => {
      expect(await hold({ totalCap })).toBe(isHeld);
      expect(await holds()).toEqual(
        isHeld
          ? [
              {
                user_id: userId,
                kind: 'message',
                amount_micros: 60,
                reference: 'message:7',
                state: 'held',
                visitor_of: null,
              },
            ]
          : [],
      );
    },
  );

  it.each([
    { limit: 'all caps just met', terms: {}, isHeld: true },
    { limit: 'the cap of the assistant passed', terms: { assistantCap: 59 }, isHeld: false },
    { limit: 'no message left this hour', terms: { messagesPerHour: 0 }, isHeld: false },
    { limit: 'the cap of visitors passed', terms: { visitorsCap: 59 }, isHeld: false },
    { limit: 'the cap of the account passed', terms: { totalCap: 59 }, isHeld: false },
    { limit: 'no cap of the account', terms: { totalCap: null }, isHeld: true },
  ])('with an assistant holds money for a visitor, with $limit: $isHeld', async ({ terms, isHeld }) => {
    const met = { assistantId, assistantCap: 60, messagesPerHour: 1, visitorsCap: 60, totalCap: 60 };
    expect(await hold({ ...met, ...terms })).toBe(isHeld);
    expect(await holds()).toEqual(
      isHeld
        ? [
            {
              user_id: userId,
              kind: 'message',
              amount_micros: 60,
              reference: 'message:7',
              state: 'held',
              visitor_of: assistantId,
            },
          ]
        : [],
    );
  });
});
