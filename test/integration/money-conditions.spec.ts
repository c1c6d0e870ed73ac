import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Database } from '../../src/database/database.js';
import type { Tx } from '../../src/database/transactions.js';
import { BillingRepository, type NewHold } from '../../src/modules/billing/billing.repository.js';
import type { HoldTerms } from '../../src/modules/billing/holds/hold-terms.js';
import { VisitorSpendRepository } from '../../src/modules/billing/spend/visitor-spend.repository.js';
import { UsedChallengesRepository } from '../../src/modules/visitors/used-challenges.repository.js';
import { VisitorOpeningsRepository } from '../../src/modules/visitors/visitor-openings.repository.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { withFrozenNow } from '../support/frozen-now.js';

const TODAY = "(now() AT TIME ZONE 'UTC')::date";
const HOUR = "date_trunc('hour', now(), 'UTC')";
const RICH = 'balance_micros = 1000000';

let app: TestApp;
let owner: TestAccount;
let other: TestAccount;
let assistantId: number;

beforeAll(async () => {
  app = await TestApp.start();
  owner = await app.account();
  other = await app.account();
  ({ id: assistantId } = await createAssistant(app, owner));
}, 60_000);
afterAll(() => app.stop());

const holdOf = (amountMicros: number, { userId }: TestAccount = owner): NewHold => {
  const id = randomUUID();
  return { id, userId, kind: 'message', amountMicros, reference: id };
};

const termsOf = (amount: number, totalCap: number | null): HoldTerms => ({
  id: randomUUID(),
  kind: 'message',
  amount,
  totalCap,
});

/** A wallet with what is said of it, and the rest as it is new. */
const setWallet = (database: Database, assignments: string, { userId }: TestAccount = owner) =>
  database.query(`UPDATE wallets SET ${assignments} WHERE user_id = $1`, [userId]);

async function walletOf(database: Database, { userId }: TestAccount = owner) {
  const [row] = await database.query<Record<string, string | boolean>>(
    `SELECT balance_micros AS balance, held_micros AS held, spent_micros AS spent, spent_on = ${TODAY} AS today,
       visitors_micros AS visitors, visitors_on - ${TODAY} AS visitors_on FROM wallets WHERE user_id = $1`,
    [userId],
  );
  return {
    balance: Number(row?.balance),
    held: Number(row?.held),
    spent: Number(row?.spent),
    isSpentToday: row?.today,
    visitors: Number(row?.visitors),
    visitorsOnDay: Number(row?.visitors_on),
  };
}

interface HoldRow {
  readonly state?: string;
  readonly kind?: string;
  readonly amount?: number;
  /** SQL. */
  readonly createdAt?: string;
}

async function addHold(database: Database, row: HoldRow = {}): Promise<string> {
  const id = randomUUID();
  await database.query(
    `INSERT INTO holds (id, user_id, kind, amount_micros, reference, state, created_at)
     VALUES ($1::uuid, $2, $3, $4, $1::uuid::text, $5, ${row.createdAt ?? 'now()'})`,
    [id, owner.userId, row.kind ?? 'message', row.amount ?? 50, row.state ?? 'held'],
  );
  return id;
}

describe('a hold', () => {
  it.each([
    ['all that is free', 'balance_micros = 100, held_micros = 40', null, 60, true],
    ['one more than is free', 'balance_micros = 100, held_micros = 40', null, 61, false],
    ['all of the cap', RICH, 100, 100, true],
    ['one more than the cap', RICH, 100, 101, false],
    ['what the cap leaves after other holds', `${RICH}, held_micros = 30`, 100, 70, true],
    ['one more than that', `${RICH}, held_micros = 30`, 100, 71, false],
    ['what the cap leaves after today', `${RICH}, spent_micros = 30, spent_on = ${TODAY}`, 100, 70, true],
    ['one more than that', `${RICH}, spent_micros = 30, spent_on = ${TODAY}`, 100, 71, false],
    [
      'the cap whatever was spent yesterday',
      `${RICH}, spent_micros = 30, spent_on = ${TODAY} - 1`,
      100,
      100,
      true,
    ],
    [
      'the cap whatever visitors spent today',
      `${RICH}, spent_micros = 30, spent_on = ${TODAY}, visitors_micros = 30, visitors_on = ${TODAY}`,
      100,
      100,
      true,
    ],
    [
      'one more than that',
      `${RICH}, spent_micros = 30, spent_on = ${TODAY}, visitors_micros = 30, visitors_on = ${TODAY}`,
      100,
      101,
      false,
    ],
    [
      'what the cap leaves when visitors spent yesterday',
      `${RICH}, spent_micros = 30, spent_on = ${TODAY}, visitors_micros = 30, visitors_on = ${TODAY} - 1`,
      100,
      71,
      false,
    ],
  ])('of %s', async (_title, wallet, capMicros, amount, allowed) => {
    await withFrozenNow(app, async (database, tx) => {
      await setWallet(database, wallet);
      await setWallet(database, RICH, other);
      const before = await walletOf(database);
      const billing = new BillingRepository(database);
      expect(await billing.hold(owner.userId, randomUUID(), termsOf(amount, capMicros), tx)).toBe(allowed);
      expect(await walletOf(database)).toEqual({
        ...before,
        held: before.held + (allowed ? amount : 0),
      });
      expect((await walletOf(database, other)).held).toBe(0);
      const rows = await database.query('SELECT amount_micros, state FROM holds');
      expect(rows).toEqual(allowed ? [{ amount_micros: String(amount), state: 'held' }] : []);
      // What is locked for several calls is counted in the same way.
      const { freeMicros, ownMicros } = await billing.lockWallet(owner.userId, tx);
      const held = allowed ? amount : 0;
      expect(freeMicros).toBe(before.balance - before.held - held);
      if (capMicros !== null) expect(ownMicros + (allowed ? 0 : amount) <= capMicros).toBe(allowed);
    });
  });

  it.each([
    [30, true],
    [31, false],
  ])('of two pieces of work, 30 and %i of 60 free, is of both or none', async (second, allowed) => {
    await withFrozenNow(app, async (database, tx) => {
      await setWallet(database, 'balance_micros = 100, held_micros = 40');
      await setWallet(database, RICH, other);
      const holds = [holdOf(30), holdOf(second)];
      expect(await new BillingRepository(database).holdAll(owner.userId, holds, tx)).toBe(allowed);
      expect((await walletOf(database)).held).toBe(allowed ? 100 : 40);
      expect((await walletOf(database, other)).held).toBe(0);
      expect(await database.query('SELECT FROM holds')).toHaveLength(allowed ? 2 : 0);
    });
  });
});

describe('a credit', () => {
  const charged = async (database: Database) =>
    (
      await database.query<{ amount: string; balance: string }>(
        'SELECT amount_micros AS amount, balance_after_micros AS balance FROM ledger_entries ORDER BY id',
      )
    ).map(({ amount, balance }) => [Number(amount), Number(balance)]);

  it('is made once for a reference of an account', async () => {
    await withFrozenNow(app, async (database, tx) => {
      const billing = new BillingRepository(database);
      const credit = (account: TestAccount, reference: string) =>
        billing.credit({ userId: account.userId, kind: 'credit', amountMicros: 7, reference }, tx);
      await credit(owner, 'a');
      await credit(owner, 'a');
      await credit(owner, 'b');
      await credit(other, 'a');
      expect((await walletOf(database)).balance).toBe(14);
      expect((await walletOf(database, other)).balance).toBe(7);
      expect(await charged(database)).toEqual([
        [7, 7],
        [7, 14],
        [7, 7],
      ]);
    });
  });
});

describe('the sweep of holds', () => {
  const AGE_MS = 180_000;
  const aged = (ms: number) => `now() - interval '${ms} milliseconds'`;

  it('finds those that are open for longer than their work may take, the oldest first, and not those of calls', async () => {
    await withFrozenNow(app, async (database) => {
      const oldest = await addHold(database, { createdAt: aged(AGE_MS + 2) });
      const old = await addHold(database, { createdAt: aged(AGE_MS + 1) });
      await addHold(database, { createdAt: aged(AGE_MS) });
      await addHold(database, { createdAt: aged(AGE_MS + 3), kind: 'call' });
      await addHold(database, { createdAt: aged(AGE_MS + 3), state: 'captured' });
      await addHold(database, { createdAt: aged(AGE_MS + 3), state: 'voided' });
      const billing = new BillingRepository(database);
      expect(await billing.findStaleHolds(AGE_MS, 10)).toEqual([oldest, old]);
      expect(await billing.findStaleHolds(AGE_MS, 1)).toEqual([oldest]);
    });
  });

  it('deletes those settled for longer than they are kept, the oldest first', async () => {
    await withFrozenNow(app, async (database) => {
      await addHold(database, { createdAt: aged(AGE_MS + 2), state: 'captured' });
      const old = await addHold(database, { createdAt: aged(AGE_MS + 1), state: 'voided' });
      const young = await addHold(database, { createdAt: aged(AGE_MS), state: 'captured' });
      const held = await addHold(database, { createdAt: aged(AGE_MS + 3) });
      const billing = new BillingRepository(database);
      const left = async () => {
        const rows = await database.query<{ id: string }>('SELECT id FROM holds');
        return new Set(rows.map(({ id }) => id));
      };
      expect(await billing.removeSettledHolds(AGE_MS, 1)).toBe(1);
      expect(await left()).toEqual(new Set([old, young, held]));
      expect(await billing.removeSettledHolds(AGE_MS, 10)).toBe(1);
      expect(await left()).toEqual(new Set([young, held]));
    });
  });
});

describe("a visitor's hold of 60", () => {
  const usage = (day: string, spent: number, hour: string, messages: number) => ({
    day,
    spent,
    hour,
    messages,
  });
  const limits = { daily: 100, messages: 5, visitors: 1_000, total: null as number | null };

  async function hold(
    database: Database,
    tx: Tx,
    given: ReturnType<typeof usage> | null,
    { daily, messages, visitors, total }: typeof limits,
  ): Promise<boolean> {
    if (given) {
      await database.query(
        `INSERT INTO visitor_usage (assistant_id, day, spent_micros, hour, messages)
         VALUES ($1, ${given.day}, $2, ${given.hour}, $3)`,
        [assistantId, given.spent, given.messages],
      );
    }
    const visitorTerms = {
      assistantId,
      assistantCap: daily,
      messagesPerHour: messages,
      visitorsCap: visitors,
    };
    const terms = { ...termsOf(60, total), ...visitorTerms };
    return new BillingRepository(database).hold(owner.userId, randomUUID(), terms, tx);
  }

  it('adds to what was counted in the same day and hour, and begins anew in another', async () => {
    const spend = (database: Database) =>
      new VisitorSpendRepository(database).stateOf(owner.userId, assistantId, 1_000, null as unknown as Tx);
    for (const [given, assistantMicros, messages] of [
      [usage(TODAY, 10, HOUR, 2), 70, 3],
      [usage(`${TODAY} - 1`, 10, `${HOUR} - interval '1 hour'`, 2), 60, 1],
      [usage(`${TODAY} + 1`, 10, `${HOUR} + interval '1 hour'`, 2), 70, 3],
    ] as const) {
      await withFrozenNow(app, async (database, tx) => {
        await setWallet(database, RICH);
        expect(await hold(database, tx, given, limits)).toBe(true);
        expect(await spend(database)).toMatchObject({ assistantMicros, messages, visitorsMicros: 60 });
      });
    }
  });

  it('is counted until its day is over, and a day longer', async () => {
    await withFrozenNow(app, async (database) => {
      const { id: another } = await createAssistant(app, owner);
      for (const [id, day] of [
        [assistantId, `${TODAY} - 2`],
        [another, `${TODAY} - 1`],
      ] as const) {
        await database.query(
          `INSERT INTO visitor_usage (assistant_id, day, spent_micros, hour, messages) VALUES ($1, ${day}, 1, now(), 1)`,
          [id],
        );
      }
      await new VisitorSpendRepository(database).removeOld();
      expect(await database.query('SELECT assistant_id FROM visitor_usage')).toEqual([
        { assistant_id: another },
      ]);
    });
  });
});

describe('an opened conversation', () => {
  const quotas = { perHour: 3, perAddressPerHour: 2 };
  const add = (database: Database, subject: string, opened: number, hour: string) =>
    database.query(
      `INSERT INTO visitor_openings (assistant_id, subject, hour, opened) VALUES ($1, $2, ${hour}, $3)`,
      [assistantId, subject, opened],
    );
  const before = `${HOUR} - interval '1 hour'`;
  const after = `${HOUR} + interval '1 hour'`;

  it.each([
    ['as the last of its address', 1, HOUR, 0, HOUR, quotas, [true, true]],
    ['as the one after it', 2, HOUR, 0, HOUR, quotas, [false, false]],
    ['as the last of the assistant', 0, HOUR, 2, HOUR, quotas, [true, true]],
    ['as the one after it', 0, HOUR, 3, HOUR, quotas, [true, false]],
    ['whatever the hour before was', 2, before, 3, before, quotas, [true, true]],
    ['counted in an hour to come when a clock was set back', 2, after, 0, HOUR, quotas, [false, false]],
    ['and for the assistant', 0, HOUR, 3, after, quotas, [true, false]],
  ])(
    '%s',
    async (_title, ofAddress, addressHour, ofAll, hour, given, [isWithinAddressQuota, isWithinQuota]) => {
      await withFrozenNow(app, async (database, tx) => {
        await add(database, 'address', ofAddress, addressHour);
        await add(database, '', ofAll, hour);
        const openings = new VisitorOpeningsRepository(database);
        expect(await openings.count(assistantId, 'address', given, tx)).toMatchObject({
          isWithinAddressQuota,
          isWithinQuota,
        });
      });
    },
  );

  it.each([
    [{ perHour: 1, perAddressPerHour: 1 }, [true, true]],
    [{ perHour: 1, perAddressPerHour: 0 }, [false, false]],
    [{ perHour: 0, perAddressPerHour: 1 }, [true, false]],
  ])('as the first one, with %j', async (given, [isWithinAddressQuota, isWithinQuota]) => {
    await withFrozenNow(app, async (database, tx) => {
      const openings = new VisitorOpeningsRepository(database);
      expect(await openings.count(assistantId, 'address', given, tx)).toMatchObject({
        isWithinAddressQuota,
        isWithinQuota,
      });
    });
  });

  it('is forgotten with its hour, and a used challenge ten minutes after it expired', async () => {
    await withFrozenNow(app, async (database, tx) => {
      await add(database, 'old', 1, `${HOUR} - interval '1 microsecond'`);
      await add(database, 'now', 1, HOUR);
      await new VisitorOpeningsRepository(database).removeOld();
      expect(await database.query('SELECT subject FROM visitor_openings')).toEqual([{ subject: 'now' }]);
      const used = new UsedChallengesRepository(database);
      const [young, old] = [randomUUID(), randomUUID()];
      expect(await used.add(young, new Date(), tx)).toBe(true);
      expect(await used.add(young, new Date(), tx)).toBe(false);
      expect(await used.add(old, new Date(), tx)).toBe(true);
      await database.query(
        `UPDATE used_challenges SET expires_at = now() - interval '10 minutes'
           - CASE WHEN id = $1 THEN interval '1 microsecond' ELSE interval '0' END`,
        [old],
      );
      await used.removeExpired();
      expect(await database.query('SELECT id FROM used_challenges')).toEqual([{ id: young }]);
    });
  });
});
