import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';

const PATH = '/api/user/analytics/inbound';
const SHOP = '+551130000001';
const WORKSHOP = '+551130000002';
const NONE = {
  count: 0,
  turned_away: 0,
  by_branch: { open: 0, closed: 0, lookup: 0, unavailable: 0 },
  by_action: { assistant: 0, forward: 0, message: 0, busy: 0, reject: 0 },
  by_reason: {
    hours: 0,
    closed_date: 0,
    no_assistant: 0,
    account_full: 0,
    platform_full: 0,
    trunk_full: 0,
    balance: 0,
    no_voice: 0,
    queue_full: 0,
    queue_timeout: 0,
    lookup: 0,
  },
  waited: { count: 0, p50_ms: null, p95_ms: null },
  abandoned: 0,
  abandoned_share: null,
};
const ANSWERED = { branch: 'open', action: 'assistant', reason: null };
const FULL = { branch: 'unavailable', action: 'busy', reason: 'account_full' };
const AFTER_HOURS = { branch: 'closed', action: 'message', reason: 'hours' };

describe('GET /api/user/analytics/inbound', () => {
  let app: TestApp;
  let owner: TestAccount;

  beforeAll(async () => {
    app = await TestApp.start();
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    owner = await app.account();
  });

  async function addCall(
    at: string,
    routing: object | null,
    { number = SHOP, type = 'inbound', userId = owner.userId, status = 'completed', assistantName = '' } = {},
  ): Promise<void> {
    await app.query(
      `INSERT INTO calls (user_id, assistant_name, type, status, assistant_phone_number, created_at, routing)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [userId, assistantName, type, status, number, at, routing && JSON.stringify(routing)],
    );
  }

  const get = async (query: Readonly<Record<string, string>>) =>
    (await app.as(owner).get(PATH).query(query).expect(200)).body;
  const DAYS = { from: '2026-03-01', to: '2026-03-02' };

  it('counts calls by number, the most called one first, with who was turned away and why', async () => {
    await addCall('2026-03-01T12:00:00Z', ANSWERED, { number: WORKSHOP });
    await addCall('2026-03-01T12:00:00Z', ANSWERED);
    await addCall('2026-03-01T13:00:00Z', FULL);
    await addCall('2026-03-02T13:00:00Z', AFTER_HOURS);
    const body = await get(DAYS);
    const shop = {
      ...NONE,
      count: 3,
      turned_away: 1,
      by_branch: { ...NONE.by_branch, open: 1, closed: 1, unavailable: 1 },
      by_action: { ...NONE.by_action, assistant: 1, message: 1, busy: 1 },
      by_reason: { ...NONE.by_reason, hours: 1, account_full: 1 },
    };
    expect(body).toEqual({
      timezone: 'America/Sao_Paulo',
      ...DAYS,
      group_by: 'number',
      totals: {
        ...shop,
        count: 4,
        by_branch: { ...shop.by_branch, open: 2 },
        by_action: { ...shop.by_action, assistant: 2 },
      },
      groups: [
        { day: null, hour: null, phone_number: SHOP, ...shop },
        {
          day: null,
          hour: null,
          phone_number: WORKSHOP,
          ...NONE,
          count: 1,
          by_branch: { ...NONE.by_branch, open: 1 },
          by_action: { ...NONE.by_action, assistant: 1 },
        },
      ],
    });
  });

  it('counts by day of the time zone of the account, days without calls included', async () => {
    await addCall('2026-03-01T02:59:59Z', FULL);
    await addCall('2026-03-01T03:00:00Z', FULL);
    await addCall('2026-03-03T02:59:59Z', FULL);
    await addCall('2026-03-03T03:00:00Z', FULL);
    const { groups } = await get({ from: '2026-02-28', to: '2026-03-02', group_by: 'day' });
    expect(groups.map((group: { day: string; count: number }) => [group.day, group.count])).toEqual([
      ['2026-02-28', 1],
      ['2026-03-01', 1],
      ['2026-03-02', 1],
    ]);
  });

  it('counts by hour of the day, of all days together, also where the clock changes', async () => {
    await app.as(owner).put('/api/user/settings').send({ timezone: 'Europe/Berlin' }).expect(200);
    // The hour from 2 to 3 comes twice on 25 October 2026.
    for (const at of ['2026-10-25T00:10:00Z', '2026-10-25T01:10:00Z', '2026-10-25T02:10:00Z'])
      await addCall(at, FULL);
    await addCall('2026-10-26T22:30:00Z', FULL);
    const { groups } = await get({ from: '2026-10-25', to: '2026-10-26', group_by: 'hour' });
    expect(groups).toHaveLength(24);
    expect(
      groups
        .map(({ hour, turned_away: away }: { hour: number; turned_away: number }) => [hour, away])
        .filter(([, away]: number[]) => away !== 0),
    ).toEqual([
      [2, 2],
      [3, 1],
      [23, 1],
    ]);
  });

  it('counts by hour where the clock goes back by half an hour', async () => {
    await app.as(owner).put('/api/user/settings').send({ timezone: 'Australia/Lord_Howe' }).expect(200);
    // On 5 April 2026 the clock goes from 02:00 back to 01:30, at 15:00 UTC.
    for (const at of ['14:10', '14:50', '15:10', '15:40']) await addCall(`2026-04-04T${at}:00Z`, FULL);
    const { groups } = await get({ from: '2026-04-05', to: '2026-04-05', group_by: 'hour' });
    expect(
      groups
        .map(({ hour, turned_away: away }: { hour: number; turned_away: number }) => [hour, away])
        .filter(([, away]: number[]) => away !== 0),
    ).toEqual([
      [1, 3],
      [2, 1],
    ]);
  });

  it('counts callers as turned away whom the routing or the lookup has turned away', async () => {
    await addCall('2026-03-01T12:00:00Z', FULL);
    await addCall('2026-03-01T12:00:00Z', { branch: 'lookup', action: 'reject', reason: 'lookup' });
    await addCall('2026-03-01T12:00:00Z', { ...ANSWERED, branch: 'lookup', reason: 'lookup' });
    expect((await get(DAYS)).totals).toMatchObject({ count: 3, turned_away: 2 });
  });

  /** Calls whose callers waited from 1 second to as many. */
  async function addWaits(at: string, seconds: number, number = SHOP): Promise<void> {
    for (let waited = 1; waited <= seconds; waited++)
      await addCall(at, { ...ANSWERED, waitedMs: waited * 1_000 }, { number, assistantName: 'Loja' });
  }

  it('has median and 95th percentile of waits for each number, and for all calls together', async () => {
    await addWaits('2026-03-01T12:00:00Z', 20);
    await addWaits('2026-03-02T12:00:00Z', 2, WORKSHOP);
    await addCall('2026-03-01T12:00:00Z', FULL);
    const { totals, groups } = await get(DAYS);
    expect(totals).toMatchObject({ count: 23, waited: { count: 22, p50_ms: 9_000, p95_ms: 19_000 } });
    expect(groups).toMatchObject([
      { phone_number: SHOP, count: 21, waited: { count: 20, p50_ms: 10_000, p95_ms: 19_000 } },
      { phone_number: WORKSHOP, count: 2, waited: { count: 2, p50_ms: 1_000, p95_ms: 2_000 } },
    ]);
    const byDay = (await get({ ...DAYS, group_by: 'day' })).groups;
    expect(byDay.map(({ waited }: { waited: { count: number } }) => waited.count)).toEqual([20, 2]);
  });

  it('has percentiles of the waits in an hour, both halves and all days together', async () => {
    await addWaits('2026-03-01T12:10:00Z', 3);
    await addWaits('2026-03-02T12:40:00Z', 9);
    const { groups, totals } = await get({ ...DAYS, group_by: 'hour' });
    const waited = { count: 12, p50_ms: 3_000, p95_ms: 9_000 };
    expect(groups[9]).toMatchObject({ hour: 9, count: 12, waited });
    expect(groups[10]).toMatchObject(NONE);
    expect(totals.waited).toEqual(waited);
  });

  it('counts callers who hung up while they waited, and their share of those who waited', async () => {
    const at = '2026-03-01T12:00:00Z';
    const waitedMs = 5_000;
    await addCall(at, { ...ANSWERED, waitedMs });
    // Its assistant was deleted since.
    await addCall(at, { ...ANSWERED, waitedMs }, { assistantName: 'Loja' });
    await addCall(at, { ...AFTER_HOURS, branch: 'unavailable', reason: 'queue_timeout', waitedMs });
    await addCall(at, { ...FULL, reason: 'queue_timeout', waitedMs }, { status: 'busy' });
    await addCall(at, ANSWERED);
    await addCall('2026-03-02T12:00:00Z', ANSWERED);
    const { totals, groups } = await get({ ...DAYS, group_by: 'day' });
    expect(totals).toMatchObject({ count: 6, waited: { count: 4 }, abandoned: 1, abandoned_share: 0.25 });
    expect(groups).toMatchObject([
      { abandoned: 1, abandoned_share: 0.25 },
      { abandoned: 0, abandoned_share: null },
    ]);
    expect((await get({ ...DAYS, reason: 'queue_timeout' })).totals).toMatchObject({
      waited: { count: 2 },
      abandoned: 0,
      abandoned_share: 0,
    });
  });

  it('narrows calls down by branch and reason', async () => {
    await addCall('2026-03-01T12:00:00Z', AFTER_HOURS);
    await addCall('2026-03-01T12:00:00Z', { ...AFTER_HOURS, reason: 'closed_date' });
    await addCall('2026-03-01T12:00:00Z', { ...FULL, reason: 'hours' });
    const countOf = async (query: Readonly<Record<string, string>>) =>
      (await get({ ...DAYS, ...query })).totals.count;
    expect(await countOf({})).toBe(3);
    expect(await countOf({ branch: 'closed' })).toBe(2);
    expect(await countOf({ reason: 'hours' })).toBe(2);
    expect(await countOf({ branch: 'closed', reason: 'hours', group_by: 'hour' })).toBe(1);
  });

  it('leaves out other calls: outbound, web, without a routing, of another account', async () => {
    const other = await app.account();
    await addCall('2026-03-01T12:00:00Z', null);
    await addCall('2026-03-01T12:00:00Z', ANSWERED, { type: 'web' });
    await addCall('2026-03-01T12:00:00Z', ANSWERED, { userId: other.userId });
    expect(await get(DAYS)).toMatchObject({ totals: NONE, groups: [] });
  });

  it('has 30 days without a range', async () => {
    expect((await get({ group_by: 'day' })).groups).toHaveLength(30);
  });

  it.each([
    [{ from: '2026-03-02', to: '2026-03-01' }, 'from'],
    [{ from: '2026-01-01', to: '2026-12-31' }, 'from'],
    [{ group_by: 'campaign' }, 'group_by'],
    [{ branch: 'night' }, 'branch'],
    [{ reason: 'because' }, 'reason'],
  ])('refuses %j with 422 and errors of the field', async (query, field) => {
    const { body } = await app.as(owner).get(PATH).query(query).expect(422);
    expect(Object.keys(body.errors)).toEqual([field]);
  });
});
