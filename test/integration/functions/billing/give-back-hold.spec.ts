import { beforeEach, describe, expect, it } from '@jest/globals';
import { functionDatabase, sql, type Values } from '../../../support/function-database.js';
import { RowBuilders } from '../../../support/row-builders.js';

const database = functionDatabase();
const build = new RowBuilders(database);
const dayOf = (days: number) => sql(`(now() AT TIME ZONE 'UTC')::date + (${days})`);
const DURING_YESTERDAY = sql("date_trunc('day', now(), 'UTC') - interval '1 second'");

describe('give_back_hold', () => {
  let userId: number;
  let otherId: number;
  let assistantId: number;

  beforeEach(async () => {
    const wallet = { balance_micros: 1_000, held_micros: 200, visitors_micros: 300, visitors_on: dayOf(0) };
    userId = await build.account(wallet);
    otherId = await build.account(wallet);
    assistantId = await build.assistant(userId);
  });

  const addHold = (values: Values = {}) => build.uuid('holds', { user_id: userId, ...values });
  const addUsage = (ofAssistant: number, day = dayOf(0)) =>
    database.insert('visitor_usage', {
      assistant_id: ofAssistant,
      day,
      spent_micros: 500,
      hour: sql('now()'),
      messages: 1,
    });
  const usage = (ofAssistant: number) =>
    database.value('SELECT spent_micros FROM visitor_usage WHERE assistant_id = $1', ofAssistant);
  /** The trigger is deferred: it runs at the end of the transaction, or at this statement. */
  const setState = async (id: string, state: string) => {
    await database.rows('UPDATE holds SET state = $2 WHERE id = $1', id, state);
    await database.rows('SET CONSTRAINTS ALL IMMEDIATE');
  };
  const wallet = (ofUser = userId) =>
    database.row(
      'SELECT held_micros AS held, visitors_micros AS visitors FROM wallets WHERE user_id = $1',
      ofUser,
    );

  it.each([
    { from: 'held', to: 'voided', held: 150 },
    { from: 'held', to: 'captured', held: 200 },
    { from: 'captured', to: 'voided', held: 200 },
    { from: 'voided', to: 'held', held: 200 },
    { from: 'voided', to: 'voided', held: 200 },
  ])('leaves $held held when a hold of 50 turns from $from to $to', async ({ from, to, held }) => {
    await setState(await addHold({ state: from }), to);
    expect(await wallet()).toEqual({ held, visitors: 300 });
    expect(await wallet(otherId)).toEqual({ held: 200, visitors: 300 });
  });

  it('runs at the end of the transaction', async () => {
    const id = await addHold();
    await database.rows("UPDATE holds SET state = 'voided' WHERE id = $1", id);
    expect(await wallet()).toMatchObject({ held: 200 });
  });

  it.each([
    { day: -1, visitors: 300 },
    { day: 0, visitors: 250 },
    { day: 1, visitors: 300 },
  ])(
    "leaves $visitors as the sum of visitors of day $day when a visitor's hold of today ends",
    async ({ day, visitors }) => {
      await database.rows(
        `UPDATE wallets SET visitors_on = (now() AT TIME ZONE 'UTC')::date + $2::integer WHERE user_id = $1`,
        userId,
        day,
      );
      await setState(await addHold({ visitor_of: assistantId }), 'voided');
      expect(await wallet()).toEqual({ held: 150, visitors });
    },
  );

  it('counts the day in UTC on which the hold was made', async () => {
    await database.rows(
      `UPDATE wallets SET visitors_on = (now() AT TIME ZONE 'UTC')::date - 1 WHERE user_id = $1`,
      userId,
    );
    await addUsage(assistantId, dayOf(-1));
    await setState(await addHold({ visitor_of: assistantId, created_at: DURING_YESTERDAY }), 'voided');
    expect(await wallet()).toEqual({ held: 150, visitors: 250 });
    expect(await usage(assistantId)).toBe(450);
  });

  it.each([
    { day: -1, spent: 500 },
    { day: 0, spent: 450 },
    { day: 1, spent: 500 },
  ])(
    'leaves $spent as the usage of day $day of the assistant that the visitor wrote to',
    async ({ day, spent }) => {
      const other = await build.assistant(userId);
      await addUsage(assistantId, dayOf(day));
      await addUsage(other);
      await setState(await addHold({ visitor_of: assistantId }), 'voided');
      expect(await usage(assistantId)).toBe(spent);
      expect(await usage(other)).toBe(500);
    },
  );

  it("locks no other account's wallet", async () => {
    await setState(await addHold({ visitor_of: assistantId }), 'voided');
    expect(await database.isLocked('wallets', 'user_id = $1', otherId)).toBe(false);
  });

  it('leaves the sum and the usage of visitors when the hold was not made for a visitor', async () => {
    await addUsage(assistantId);
    await setState(await addHold(), 'voided');
    expect(await wallet()).toEqual({ held: 150, visitors: 300 });
    expect(await usage(assistantId)).toBe(500);
  });
});
