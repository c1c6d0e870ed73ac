import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { functionDatabase, sql, type Values } from '../../../support/function-database.js';
import { RowBuilders } from '../../../support/row-builders.js';

const database = functionDatabase();
const build = new RowBuilders(database);
const RICH = { balance_micros: 1_000_000 };
const PLENTY = 1_000_000;
const dayOf = (days: number) => sql(`(now() AT TIME ZONE 'UTC')::date + (${days})`);
const hourOf = (hours: number) => sql(`date_trunc('hour', now(), 'UTC') + interval '${hours} hours'`);

interface Limits {
  readonly assistantCap?: number;
  readonly messagesPerHour?: number;
  readonly visitorsCap?: number;
  readonly totalCap?: number | null;
}

describe('hold_visitor_money', () => {
  let userId: number;
  let otherId: number;
  let assistantId: number;
  let otherAssistant: number;

  beforeEach(async () => {
    userId = await build.account(RICH);
    otherId = await build.account(RICH);
    assistantId = await build.assistant(userId);
    otherAssistant = await build.assistant(userId);
    await addUsage({}, otherAssistant);
  });

  const setWallet = async (values: Values) => {
    await database.rows('DELETE FROM wallets WHERE user_id = $1', userId);
    await database.insert('wallets', { user_id: userId, ...RICH, ...values });
  };
  const addUsage = (values: Values = {}, ofAssistant = assistantId) =>
    database.insert('visitor_usage', {
      assistant_id: ofAssistant,
      day: dayOf(0),
      spent_micros: 30,
      hour: hourOf(0),
      messages: 2,
      ...values,
    });
  const hold = (amount: number, limits: Limits = {}) =>
    database.value(
      "SELECT hold_visitor_money($1, $2, 'message', $3, 'message:7', $4, $5, $6, $7, $8)",
      randomUUID(),
      userId,
      amount,
      assistantId,
      limits.assistantCap ?? PLENTY,
      limits.messagesPerHour ?? PLENTY,
      limits.visitorsCap ?? PLENTY,
      limits.totalCap ?? null,
    );
  const usage = async (ofAssistant = assistantId) => {
    const [row] = await database.rows(
      `SELECT spent_micros AS spent, messages, day - (now() AT TIME ZONE 'UTC')::date AS day,
         extract(epoch FROM hour - date_trunc('hour', now(), 'UTC'))::integer / 3600 AS hour
       FROM visitor_usage WHERE assistant_id = $1`,
      ofAssistant,
    );
    return row;
  };
  const wallet = () =>
    database.row(
      `SELECT held_micros AS held, visitors_micros AS visitors,
         visitors_on - (now() AT TIME ZONE 'UTC')::date AS day
       FROM wallets WHERE user_id = $1`,
      userId,
    );
  const holds = () => database.rows('SELECT user_id, kind, amount_micros, reference, visitor_of FROM holds');

  it('notes the hold, the usage of the assistant and the sum of visitors', async () => {
    expect(await hold(60)).toBe(true);
    expect(await holds()).toEqual([
      {
        user_id: userId,
        kind: 'message',
        amount_micros: 60,
        reference: 'message:7',
        visitor_of: assistantId,
      },
    ]);
    expect(await usage()).toEqual({ spent: 60, messages: 1, day: 0, hour: 0 });
    expect(await wallet()).toEqual({ held: 60, visitors: 60, day: 0 });
    expect(await usage(otherAssistant)).toEqual({ spent: 30, messages: 2, day: 0, hour: 0 });
    expect(await database.value('SELECT held_micros FROM wallets WHERE user_id = $1', otherId)).toBe(0);
  });

  it("locks the wallet before it counts, and no other account's", async () => {
    expect(await hold(60, { assistantCap: 59 })).toBe(false);
    expect(await database.isLocked('wallets', 'user_id = $1', userId)).toBe(true);
    expect(await database.isLocked('wallets', 'user_id = $1', otherId)).toBe(false);
  });

  describe('for the first message of an assistant', () => {
    it.each([
      { amount: 100, isHeld: true },
      { amount: 101, isHeld: false },
    ])('holds $amount of a cap of 100: $isHeld', async ({ amount, isHeld }) => {
      expect(await hold(amount, { assistantCap: 100 })).toBe(isHeld);
      expect((await wallet()).held).toBe(isHeld ? amount : 0);
    });

    it.each([
      { messagesPerHour: 1, isHeld: true },
      { messagesPerHour: 0, isHeld: false },
    ])('is allowed with $messagesPerHour messages an hour: $isHeld', async ({ messagesPerHour, isHeld }) => {
      expect(await hold(1, { messagesPerHour })).toBe(isHeld);
    });
  });

  describe('for an assistant that visitors have written to', () => {
    it.each([
      { day: -1, most: 100, spent: 100, dayAfter: 0 },
      { day: 0, most: 70, spent: 100, dayAfter: 0 },
      { day: 1, most: 70, spent: 100, dayAfter: 1 },
    ])(
      'holds at most $most when 30 of 100 were spent on day $day',
      async ({ day, most, spent, dayAfter }) => {
        await addUsage({ day: dayOf(day) });
        expect(await hold(most + 1, { assistantCap: 100 })).toBe(false);
        expect(await usage()).toMatchObject({ spent: 30, messages: 2, day });
        expect(await hold(most, { assistantCap: 100 })).toBe(true);
        expect(await usage()).toMatchObject({ spent, messages: 3, day: dayAfter });
        expect(await usage(otherAssistant)).toEqual({ spent: 30, messages: 2, day: 0, hour: 0 });
      },
    );

    it.each([
      { hour: -1, least: 1, messages: 1, hourAfter: 0 },
      { hour: 0, least: 3, messages: 3, hourAfter: 0 },
      { hour: 1, least: 3, messages: 3, hourAfter: 1 },
    ])(
      'needs a limit of $least messages an hour when 2 were sent in hour $hour',
      async ({ hour, least, messages, hourAfter }) => {
        await addUsage({ hour: hourOf(hour) });
        expect(await hold(10, { messagesPerHour: least - 1 })).toBe(false);
        expect(await usage()).toMatchObject({ messages: 2, hour });
        expect(await hold(10, { messagesPerHour: least })).toBe(true);
        expect(await usage()).toMatchObject({ messages, hour: hourAfter, spent: 40 });
      },
    );
  });

  it.each([
    {
      now: '2026-03-10 23:59:59.999999Z',
      met: { assistantCap: 40, messagesPerHour: 3, visitorsCap: 40, totalCap: 40 },
    },
    {
      now: '2026-03-11 00:00:00Z',
      met: { assistantCap: 10, messagesPerHour: 1, visitorsCap: 10, totalCap: 10 },
    },
  ])(
    'holds 10 at $now within $met, after 30 and 2 messages in the last hour of 10 March',
    async ({ now, met }) => {
      const day = '2026-03-10';
      await setWallet({ spent_micros: 30, spent_on: day, visitors_micros: 30, visitors_on: day });
      await addUsage({ day, hour: '2026-03-10 23:00:00Z' });
      await database.fixNow(now);
      for (const [limit, value] of Object.entries(met)) {
        expect(await hold(10, { ...met, [limit]: value - 1 })).toBe(false);
      }
      expect(await hold(10, met)).toBe(true);
      expect(await usage()).toEqual({
        spent: met.assistantCap,
        messages: met.messagesPerHour,
        day: 0,
        hour: 0,
      });
      expect(await wallet()).toEqual({ held: 10, visitors: met.visitorsCap, day: 0 });
    },
  );

  it.each([
    { title: 'all that is free', wallet: { balance_micros: 100, held_micros: 40 }, limits: {}, most: 60 },
    { title: 'the cap of visitors', wallet: {}, limits: { visitorsCap: 100 }, most: 100 },
    {
      title: "the account's own cap of visitors, when it has one",
      wallet: { visitors_cap_micros: 80 },
      limits: { visitorsCap: 100 },
      most: 80,
    },
    {
      title: 'the cap less what visitors spent today',
      wallet: { visitors_micros: 30, visitors_on: dayOf(0) },
      limits: { visitorsCap: 100 },
      most: 70,
    },
    {
      title: 'the cap less what visitors spent on a day that has not begun on this clock',
      wallet: { visitors_micros: 30, visitors_on: dayOf(1) },
      limits: { visitorsCap: 100 },
      most: 70,
    },
    {
      title: 'the cap whatever visitors spent yesterday',
      wallet: { visitors_micros: 30, visitors_on: dayOf(-1) },
      limits: { visitorsCap: 100 },
      most: 100,
    },
    { title: 'the cap of the account', wallet: {}, limits: { totalCap: 100 }, most: 100 },
    {
      title: 'the cap of the account less other holds',
      wallet: { held_micros: 30 },
      limits: { totalCap: 100 },
      most: 70,
    },
    {
      title: 'the cap of the account less what was spent today',
      wallet: { spent_micros: 30, spent_on: dayOf(0) },
      limits: { totalCap: 100 },
      most: 70,
    },
    {
      title: 'the cap of the account whatever was spent yesterday',
      wallet: { spent_micros: 30, spent_on: dayOf(-1) },
      limits: { totalCap: 100 },
      most: 100,
    },
  ])('holds at most $most: $title', async ({ wallet: values, limits, most }) => {
    await setWallet(values);
    await addUsage();
    const before = await wallet();

    expect(await hold(most + 1, limits)).toBe(false);
    expect(await wallet()).toEqual(before);
    expect(await usage()).toMatchObject({ spent: 30, messages: 2 });
    expect(await usage(otherAssistant)).toMatchObject({ spent: 30, messages: 2 });
    expect(await holds()).toEqual([]);

    expect(await hold(most, limits)).toBe(true);
    const isCountedAnew = Number(before.day) < 0;
    expect(await wallet()).toEqual({
      held: Number(before.held) + most,
      visitors: (isCountedAnew ? 0 : Number(before.visitors)) + most,
      day: Math.max(Number(before.day), 0),
    });
  });
});
