import { beforeEach, describe, expect, it } from '@jest/globals';
import { functionDatabase, sql, type Values } from '../../../support/function-database.js';
import { RowBuilders } from '../../../support/row-builders.js';

const database = functionDatabase();
const build = new RowBuilders(database);
const TODAY = sql("(now() AT TIME ZONE 'UTC')::date");
const YESTERDAY = sql("(now() AT TIME ZONE 'UTC')::date - 1");

describe('capture_hold', () => {
  let userId: number;
  let assistantId: number;

  beforeEach(async () => {
    userId = await build.account({ balance_micros: 1_000, held_micros: 200 });
    assistantId = await build.assistant(userId);
  });

  const addHold = (values: Values = {}) =>
    build.uuid('holds', { user_id: userId, amount_micros: 50, ...values });
  const capture = (id: string, amount: number | null = null) =>
    database.value('SELECT capture_hold($1, $2)', id, amount);
  const setWallet = (assignments: string) =>
    database.rows(`UPDATE wallets SET ${assignments} WHERE user_id = $1`, userId);
  const wallet = () =>
    database.row(
      `SELECT balance_micros AS balance, held_micros AS held, spent_micros AS spent,
         spent_on = (now() AT TIME ZONE 'UTC')::date AS today, visitors_micros AS visitors
       FROM wallets WHERE user_id = $1`,
      userId,
    );
  const addUsage = (day = TODAY, ofAssistant = assistantId) =>
    database.insert('visitor_usage', {
      assistant_id: ofAssistant,
      day,
      spent_micros: 500,
      hour: sql('now()'),
      messages: 1,
    });
  const usage = (ofAssistant = assistantId) =>
    database.value('SELECT spent_micros FROM visitor_usage WHERE assistant_id = $1', ofAssistant);

  it('charges the whole hold without an amount, and enters it in the ledger', async () => {
    const id = await addHold({ kind: 'message', reference: 'message:7' });
    expect(await capture(id)).toBe(50);
    expect(await wallet()).toEqual({ balance: 950, held: 150, spent: 50, today: true, visitors: 0 });
    expect(
      await database.rows(
        'SELECT user_id, kind, amount_micros, balance_after_micros, reference FROM ledger_entries',
      ),
    ).toEqual([
      {
        user_id: userId,
        kind: 'message',
        amount_micros: -50,
        balance_after_micros: 950,
        reference: 'message:7',
      },
    ]);
    expect(await database.value('SELECT state FROM holds WHERE id = $1', id)).toBe('captured');
  });

  it.each([
    { amount: 0, charge: 0 },
    { amount: 49, charge: 49 },
    { amount: 50, charge: 50 },
    { amount: 51, charge: null },
  ])('charges $charge of a hold of 50 when asked for $amount', async ({ amount, charge }) => {
    const id = await addHold();
    expect(await capture(id, amount)).toBe(charge);
    expect(await wallet()).toMatchObject({
      balance: 1_000 - (charge ?? 0),
      held: charge === null ? 200 : 150,
      spent: charge ?? 0,
    });
    expect(await database.value('SELECT state FROM holds WHERE id = $1', id)).toBe(
      charge === null ? 'held' : 'captured',
    );
  });

  it.each(['captured', 'voided'])('leaves a hold that is %s as it is', async (state) => {
    const id = await addHold({ state });
    expect(await capture(id)).toBeNull();
    expect(await wallet()).toMatchObject({ balance: 1_000, held: 200 });
    expect(await database.value('SELECT state FROM holds WHERE id = $1', id)).toBe(state);
  });

  it('answers null for an id without a hold', async () => {
    expect(await capture('00000000-0000-0000-0000-000000000000')).toBeNull();
  });

  it('changes no other hold and no other wallet', async () => {
    const otherId = await build.account({ balance_micros: 1_000, held_micros: 200 });
    const other = await addHold({ user_id: otherId });
    const sibling = await addHold();
    await capture(await addHold());
    expect(await database.rows('SELECT state FROM holds WHERE id IN ($1, $2)', other, sibling)).toEqual([
      { state: 'held' },
      { state: 'held' },
    ]);
    expect(
      await database.row('SELECT balance_micros, held_micros FROM wallets WHERE user_id = $1', otherId),
    ).toEqual({ balance_micros: 1_000, held_micros: 200 });
  });

  it.each([
    { day: '-1', before: 30, spent: 50 },
    { day: '+0', before: 30, spent: 80 },
    { day: '+1', before: 30, spent: 50 },
  ])('makes the sum of the day $spent when $before was spent on day $day', async ({ day, before, spent }) => {
    await setWallet(`spent_micros = ${before}, spent_on = (now() AT TIME ZONE 'UTC')::date ${day}`);
    await capture(await addHold());
    expect(await wallet()).toMatchObject({ spent, today: true });
  });

  it.each([
    { now: '2026-03-10 23:59:59.999999Z', spent: 80 },
    { now: '2026-03-11 00:00:00Z', spent: 50 },
  ])('makes the sum of the day $spent at $now when 30 were spent on 10 March', async ({ now, spent }) => {
    await setWallet("spent_micros = 30, spent_on = '2026-03-10'");
    const id = await addHold();
    await database.fixNow(now);
    await capture(id);
    expect(await wallet()).toMatchObject({ spent, today: true });
  });

  describe("of a visitor's message", () => {
    const visitors = (day: string) =>
      setWallet(`visitors_micros = 300, visitors_on = (now() AT TIME ZONE 'UTC')::date ${day}`);

    it.each([
      { day: '-1', sum: 300 },
      { day: '+0', sum: 270 },
      { day: '+1', sum: 300 },
    ])('leaves $sum as the sum of visitors of day $day when 30 of 50 are not used', async ({ day, sum }) => {
      await visitors(day);
      await addUsage();
      await capture(await addHold({ visitor_of: assistantId }), 20);
      expect(await wallet()).toMatchObject({ visitors: sum });
    });

    it('counts the day in UTC on which the hold was made', async () => {
      await visitors('- 1');
      await addUsage(YESTERDAY);
      const created = sql("date_trunc('day', now(), 'UTC') - interval '1 second'");
      await capture(await addHold({ visitor_of: assistantId, created_at: created }), 20);
      expect(await wallet()).toMatchObject({ visitors: 270 });
      expect(await usage()).toBe(470);
    });

    it('leaves the sum of visitors when the hold was not made for a visitor', async () => {
      await visitors('+ 0');
      await addUsage();
      await capture(await addHold(), 20);
      expect(await wallet()).toMatchObject({ visitors: 300 });
      expect(await usage()).toBe(500);
    });

    it.each([
      { amount: 49, spent: 499 },
      { amount: 50, spent: 500 },
    ])(
      'leaves $spent as the usage of the assistant when $amount of 50 are charged',
      async ({ amount, spent }) => {
        const other = await build.assistant(userId);
        await addUsage();
        await addUsage(TODAY, other);
        await capture(await addHold({ visitor_of: assistantId }), amount);
        expect(await usage()).toBe(spent);
        expect(await usage(other)).toBe(500);
      },
    );

    it('leaves the usage of another day', async () => {
      await addUsage(YESTERDAY);
      await capture(await addHold({ visitor_of: assistantId }), 20);
      expect(await usage()).toBe(500);
    });
  });
});
