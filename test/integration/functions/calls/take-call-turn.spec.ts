import { beforeEach, describe, expect, it } from '@jest/globals';
import { functionDatabase, sql } from '../../../support/function-database.js';
import { RowBuilders } from '../../../support/row-builders.js';

const database = functionDatabase();
const build = new RowBuilders(database);
const CARRIER_STEP = 7;
const TRUNK_STEP = 100;
const ACCOUNT_STEP = 1_000;
const PATIENCE = 5_000;

interface Turn {
  readonly carrierStep?: number | null;
  readonly trunkStep?: number | null;
  readonly accountStep?: number | null;
  readonly carrierPatience?: number | null;
  readonly ownerPatience?: number;
  readonly isLinedUp?: boolean;
  readonly trunk?: number;
}

interface Paces {
  /** When the next call may be lined up, and may be placed: in milliseconds from now. */
  readonly trunk?: readonly [next: number, place: number];
  readonly account?: readonly [next: number, place: number];
  readonly carrier?: number;
}

describe('take_call_turn', () => {
  let userId: number;
  let trunkId: number;

  beforeEach(async () => {
    await database.fix('clock_timestamp', 'timestamptz', 'now()');
    userId = await build.account();
    trunkId = await build.trunk(userId);
    const otherId = await build.account();
    await setPaces(
      { trunk: [-60_000, -60_000], account: [-60_000, -60_000] },
      otherId,
      await build.trunk(otherId),
    );
    await setCarrier('another', -60_000);
  });

  const inMs = (ms: number) => sql(`now() + interval '${ms} milliseconds'`);
  const setCarrier = (carrier: string, ms: number) =>
    database.insert('carrier_paces', { carrier, next_at: inMs(ms) });
  const setPaces = async ({ trunk, account, carrier }: Paces, ofUser = userId, ofTrunk = trunkId) => {
    const times = ([next, place]: readonly [number, number]) => ({
      next_at: inMs(next),
      place_at: inMs(place),
      step_ms: 1,
    });
    if (trunk) {
      await database.insert('trunk_paces', { trunk_id: ofTrunk, user_id: ofUser, ...times(trunk) });
    }
    if (account) await database.insert('account_paces', { user_id: ofUser, ...times(account) });
    if (carrier !== undefined) await setCarrier('sip', carrier);
  };
  const take = (turn: Turn = {}) => {
    const given = <T>(value: T | undefined, otherwise: T) => (value === undefined ? otherwise : value);
    return database.row(
      'SELECT outcome, wait_ms AS wait FROM take_call_turn($1, $2, $3, $4, $5, $6, $7, $8, $9)',
      'sip',
      given(turn.carrierStep, CARRIER_STEP),
      given(turn.trunk, trunkId),
      given(turn.trunkStep, TRUNK_STEP),
      userId,
      given(turn.accountStep, ACCOUNT_STEP),
      given(turn.carrierPatience, PATIENCE),
      given(turn.ownerPatience, PATIENCE),
      given(turn.isLinedUp, false),
    );
  };
  const FROM_NOW = (column: string) => `(extract(epoch FROM ${column} - now()) * 1000)::integer`;
  /** The paces in the same milliseconds; those of others have not moved. */
  const paces = async () => {
    const owned = `${FROM_NOW('next_at')} AS next, ${FROM_NOW('place_at')} AS place, step_ms AS step`;
    const [trunk] = await database.rows(`SELECT ${owned} FROM trunk_paces WHERE trunk_id = $1`, trunkId);
    const [account] = await database.rows(`SELECT ${owned} FROM account_paces WHERE user_id = $1`, userId);
    const [carrier] = await database.rows(
      `SELECT ${FROM_NOW('next_at')} AS next FROM carrier_paces WHERE carrier = 'sip'`,
    );
    const others = await database.rows(
      `SELECT next_at, place_at FROM trunk_paces WHERE trunk_id <> $1
       UNION ALL SELECT next_at, place_at FROM account_paces WHERE user_id <> $2
       UNION ALL SELECT next_at, next_at FROM carrier_paces WHERE carrier <> 'sip'`,
      trunkId,
      userId,
    );
    const unmoved = await database.value<Date>("SELECT now() - interval '60 seconds'");
    for (const other of others) expect(other).toEqual({ next_at: unmoved, place_at: unmoved });
    expect(others).toHaveLength(3);
    const values = (row: Record<string, unknown> | undefined) => (row ? Object.values(row) : undefined);
    return { trunk: values(trunk), account: values(account), carrier: carrier?.next };
  };

  it('gives the first call its turn at once, and the next ones theirs a step later', async () => {
    expect(await take()).toEqual({ outcome: 'taken', wait: 0 });
    expect(await paces()).toEqual({
      trunk: [TRUNK_STEP, TRUNK_STEP, TRUNK_STEP],
      account: [ACCOUNT_STEP, ACCOUNT_STEP, ACCOUNT_STEP],
      carrier: CARRIER_STEP,
    });
  });

  it('begins at this moment after a pause', async () => {
    await setPaces({ trunk: [-9_000, -9_000], account: [-9_000, -9_000], carrier: -9_000 });
    expect(await take()).toEqual({ outcome: 'taken', wait: 0 });
    expect(await paces()).toEqual({
      trunk: [TRUNK_STEP, TRUNK_STEP, TRUNK_STEP],
      account: [ACCOUNT_STEP, ACCOUNT_STEP, ACCOUNT_STEP],
      carrier: CARRIER_STEP,
    });
  });

  it.each([
    { limit: 'the trunk', steps: { carrierStep: null, accountStep: null }, paced: 'trunk' },
    { limit: 'the account', steps: { carrierStep: null, trunkStep: null }, paced: 'account' },
    { limit: 'the carrier', steps: { trunkStep: null, accountStep: null }, paced: 'carrier' },
  ])('paces $limit alone when the others have no limit', async ({ steps, paced }) => {
    expect(await take(steps)).toEqual({ outcome: 'taken', wait: 0 });
    const after = Object.entries(await paces()).filter(([, value]) => value !== undefined);
    expect(after.map(([name]) => name)).toEqual([paced]);
  });

  it('does not pace a trunk that was deleted while its call waited', async () => {
    expect(await take({ trunk: 0 })).toEqual({ outcome: 'taken', wait: 0 });
    expect((await paces()).trunk).toBeUndefined();
    expect((await paces()).account).toEqual([ACCOUNT_STEP, ACCOUNT_STEP, ACCOUNT_STEP]);
  });

  it('leaves paces without a limit as they are', async () => {
    await setPaces({ trunk: [9_000, 9_000], account: [9_000, 9_000], carrier: 9_000 });
    const before = await paces();
    expect(await take({ carrierStep: null, trunkStep: null, accountStep: null })).toEqual({
      outcome: 'taken',
      wait: 0,
    });
    expect(await paces()).toEqual(before);
  });

  describe('without patience, as for a call that must not wait', () => {
    it('gives the turn at once and makes the others wait for it', async () => {
      await setPaces({ trunk: [300, 400], account: [500, 600], carrier: 700 });
      expect(await take({ carrierPatience: null })).toEqual({ outcome: 'taken', wait: 0 });
      expect(await paces()).toEqual({
        trunk: [300 + TRUNK_STEP, 400 + TRUNK_STEP, TRUNK_STEP],
        account: [500 + ACCOUNT_STEP, 600 + ACCOUNT_STEP, ACCOUNT_STEP],
        carrier: 700 + CARRIER_STEP,
      });
    });

    it('begins at this moment after a pause', async () => {
      await setPaces({ trunk: [-9_000, -9_000], account: [-9_000, -9_000], carrier: -9_000 });
      await take({ carrierPatience: null });
      expect(await paces()).toEqual({
        trunk: [TRUNK_STEP, TRUNK_STEP, TRUNK_STEP],
        account: [ACCOUNT_STEP, ACCOUNT_STEP, ACCOUNT_STEP],
        carrier: CARRIER_STEP,
      });
    });
  });

  it.each([
    { carrier: PATIENCE - 1, outcome: 'taken' },
    { carrier: PATIENCE, outcome: 'taken' },
    { carrier: PATIENCE + 1, outcome: 'crowded' },
  ])('is $outcome when the carrier is free in $carrier ms', async ({ carrier, outcome }) => {
    await setPaces({ trunk: [-9_000, -9_000], account: [-9_000, -9_000], carrier });
    const before = await paces();
    expect(await take({ ownerPatience: 0 })).toEqual({ outcome, wait: carrier });
    if (outcome === 'crowded') expect(await paces()).toEqual(before);
    else {
      expect(await paces()).toEqual({
        trunk: [TRUNK_STEP, carrier + TRUNK_STEP, TRUNK_STEP],
        account: [ACCOUNT_STEP, carrier + ACCOUNT_STEP, ACCOUNT_STEP],
        carrier: carrier + CARRIER_STEP,
      });
    }
  });

  it.each([
    { owner: 'trunk', next: PATIENCE - 1, outcome: 'lined-up' },
    { owner: 'trunk', next: PATIENCE, outcome: 'lined-up' },
    { owner: 'trunk', next: PATIENCE + 1, outcome: 'held' },
    { owner: 'account', next: PATIENCE - 1, outcome: 'lined-up' },
    { owner: 'account', next: PATIENCE, outcome: 'lined-up' },
    { owner: 'account', next: PATIENCE + 1, outcome: 'held' },
  ])('is $outcome when the $owner is free in $next ms', async ({ owner, next, outcome }) => {
    await setPaces({ trunk: [0, 0], account: [0, 0], carrier: 0, [owner]: [next, 0] });
    const before = await paces();
    expect(await take()).toEqual({ outcome, wait: next });
    if (outcome === 'held') expect(await paces()).toEqual(before);
    else {
      // The carrier gives it no turn yet: others would wait for it as well.
      expect(await paces()).toEqual({
        trunk: [next + TRUNK_STEP, 0, TRUNK_STEP],
        account: [next + ACCOUNT_STEP, 0, ACCOUNT_STEP],
        carrier: 0,
      });
    }
  });

  it.each([
    { next: 0, outcome: 'taken' },
    { next: 1, outcome: 'lined-up' },
  ])('is $outcome when its owners are free in $next ms', async ({ next, outcome }) => {
    await setPaces({ trunk: [next, 0], account: [0, 0], carrier: 0 });
    expect(await take()).toEqual({ outcome, wait: next });
  });

  it('locks the paces of its trunk, account and carrier even when it takes no turn, and no others', async () => {
    await setPaces({ trunk: [0, 0], account: [0, 0], carrier: PATIENCE + 1 });
    expect(await take()).toMatchObject({ outcome: 'crowded' });
    expect(
      await database.rows(
        `SELECT 'trunk' AS pace, xmax::text <> '0' AS locked, trunk_id = $1 AS own FROM trunk_paces
         UNION ALL SELECT 'account', xmax::text <> '0', user_id = $2 FROM account_paces
         UNION ALL SELECT 'carrier', xmax::text <> '0', carrier = 'sip' FROM carrier_paces`,
        trunkId,
        userId,
      ),
    ).toEqual(
      expect.arrayContaining(
        ['trunk', 'account', 'carrier'].flatMap((pace) => [
          { pace, locked: true, own: true },
          { pace, locked: false, own: false },
        ]),
      ),
    );
  });

  it('waits for the later of its owners', async () => {
    await setPaces({ trunk: [300, 0], account: [400, 0], carrier: 0 });
    expect(await take()).toEqual({ outcome: 'lined-up', wait: 400 });
  });

  it('takes its turn at the owners alone when the carrier has no limit', async () => {
    await setPaces({ trunk: [300, 350], account: [0, 320], carrier: 900 });
    expect(await take({ carrierStep: null })).toEqual({ outcome: 'taken', wait: 350 });
    expect(await paces()).toEqual({
      trunk: [300 + TRUNK_STEP, 350 + TRUNK_STEP, TRUNK_STEP],
      account: [300 + ACCOUNT_STEP, 350 + ACCOUNT_STEP, ACCOUNT_STEP],
      carrier: 900,
    });
  });

  describe('for a call that was lined up before', () => {
    it('waits no second time for its owners, and counts them no second time', async () => {
      await setPaces({ trunk: [9_000, 0], account: [9_000, 0], carrier: 0 });
      expect(await take({ isLinedUp: true })).toEqual({ outcome: 'taken', wait: 0 });
      expect(await paces()).toEqual({
        trunk: [9_000, TRUNK_STEP, TRUNK_STEP],
        account: [9_000, ACCOUNT_STEP, ACCOUNT_STEP],
        carrier: CARRIER_STEP,
      });
    });

    it.each([
      { trunk: 500, account: 300, carrier: 400, wait: 500 },
      { trunk: 300, account: 500, carrier: 400, wait: 500 },
      { trunk: 300, account: 400, carrier: 500, wait: 500 },
      { trunk: -300, account: -400, carrier: -500, wait: 0 },
    ])(
      'waits $wait ms when calls may be placed after $trunk, $account and $carrier ms',
      async ({ trunk, account, carrier, wait }) => {
        await setPaces({ trunk: [0, trunk], account: [0, account], carrier });
        expect(await take({ isLinedUp: true })).toEqual({ outcome: 'taken', wait });
        expect(await paces()).toEqual({
          trunk: [0, wait + TRUNK_STEP, TRUNK_STEP],
          account: [0, wait + ACCOUNT_STEP, ACCOUNT_STEP],
          carrier: wait + CARRIER_STEP,
        });
      },
    );
  });
});
