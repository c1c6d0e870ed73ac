import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { functionDatabase, sql } from '../../../support/function-database.js';
import { RowBuilders } from '../../../support/row-builders.js';

const database = functionDatabase();
const build = new RowBuilders(database);
const RICH = { balance_micros: 1_000_000 };
const dayOf = (days: number) => sql(`(now() AT TIME ZONE 'UTC')::date + (${days})`);

describe('hold_own_money', () => {
  it.each([
    { title: 'all that is free', wallet: { balance_micros: 100, held_micros: 40 }, cap: null, most: 60 },
    { title: 'the cap', wallet: RICH, cap: 100, most: 100 },
    { title: 'the cap less other holds', wallet: { ...RICH, held_micros: 30 }, cap: 100, most: 70 },
    {
      title: 'the cap less what was spent today',
      wallet: { ...RICH, spent_micros: 30, spent_on: dayOf(0) },
      cap: 100,
      most: 70,
    },
    {
      title: 'the cap whatever was spent yesterday',
      wallet: { ...RICH, spent_micros: 30, spent_on: dayOf(-1) },
      cap: 100,
      most: 100,
    },
    {
      title: 'the cap and what visitors spent today, which the cap leaves out',
      wallet: { ...RICH, spent_micros: 40, spent_on: dayOf(0), visitors_micros: 30, visitors_on: dayOf(0) },
      cap: 100,
      most: 90,
    },
    {
      title: 'the cap and what visitors spent on a day that has not begun on this clock',
      wallet: { ...RICH, spent_micros: 40, spent_on: dayOf(0), visitors_micros: 30, visitors_on: dayOf(1) },
      cap: 100,
      most: 90,
    },
    {
      title: 'the cap whatever visitors spent yesterday',
      wallet: { ...RICH, spent_micros: 40, spent_on: dayOf(0), visitors_micros: 30, visitors_on: dayOf(-1) },
      cap: 100,
      most: 60,
    },
  ])('holds at most $most: $title', async ({ wallet, cap, most }) => {
    const userId = await build.account(wallet);
    const otherId = await build.account(RICH);
    const hold = (id: string, amount: number) =>
      database.value(
        'SELECT hold_own_money($1, $2, $3, $4, $5, $6)',
        id,
        userId,
        'call',
        amount,
        'call:7',
        cap,
      );
    const heldBy = (ofUser: number) =>
      database.value<number>('SELECT held_micros FROM wallets WHERE user_id = $1', ofUser);
    const heldBefore = await heldBy(userId);

    expect(await hold(randomUUID(), most + 1)).toBe(false);
    expect(await heldBy(userId)).toBe(heldBefore);
    expect(await database.rows('SELECT FROM holds')).toEqual([]);

    const id = randomUUID();
    expect(await hold(id, most)).toBe(true);
    expect(await heldBy(userId)).toBe(heldBefore + most);
    expect(await heldBy(otherId)).toBe(0);
    expect(
      await database.rows('SELECT id, user_id, kind, amount_micros, reference, state, visitor_of FROM holds'),
    ).toEqual([
      {
        id,
        user_id: userId,
        kind: 'call',
        amount_micros: most,
        reference: 'call:7',
        state: 'held',
        visitor_of: null,
      },
    ]);
  });

  it.each([
    { now: '2026-03-10 23:59:59.999999Z', most: 90 },
    { now: '2026-03-11 00:00:00Z', most: 100 },
  ])(
    'holds at most $most of a cap of 100 at $now when 40 were spent on 10 March, 30 of them by visitors',
    async ({ now, most }) => {
      const day = '2026-03-10';
      const spent = { spent_micros: 40, spent_on: day, visitors_micros: 30, visitors_on: day };
      const userId = await build.account({ ...RICH, ...spent });
      await database.fixNow(now);
      const hold = (amount: number) =>
        database.value(
          "SELECT hold_own_money($1, $2, 'call', $3, 'call:7', 100)",
          randomUUID(),
          userId,
          amount,
        );
      expect(await hold(most + 1)).toBe(false);
      expect(await hold(most)).toBe(true);
    },
  );

  it('holds nothing for an account without a wallet', async () => {
    await build.account(RICH);
    const userId = await build.id('users', {});
    const id = randomUUID();
    expect(await database.value("SELECT hold_own_money($1, $2, 'call', 1, 'call:7', NULL)", id, userId)).toBe(
      false,
    );
  });
});
