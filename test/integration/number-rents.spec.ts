import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { NumberRentsService } from '../../src/modules/phone-numbers/carrier-numbers/number-rents.service.js';
import { PhoneNumbersRepository } from '../../src/modules/phone-numbers/phone-numbers.repository.js';
import { BillingService } from '../../src/modules/billing/billing.service.js';
import { type TestAccount, TestApp } from '../support/app.js';

/** What the sandbox asks for a US number. */
const PRICE = 3.99;
const NUMBERS = '/api/user/phone-numbers';

describe('the months of rented numbers', () => {
  let app: TestApp;
  let rents: NumberRentsService;
  let used = 0;

  beforeAll(async () => {
    app = await TestApp.start();
    rents = app.app.get(NumberRentsService);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await app.query('DELETE FROM phone_numbers');
  });
  afterAll(() => app.stop());

  interface Rented {
    readonly account: TestAccount;
    readonly id: number;
    readonly phoneNumber: string;
  }

  /** @param at when it was rented; left out: now */
  async function rent(balanceUsd: number, at?: string): Promise<Rented> {
    const account = await app.account({ balanceUsd });
    const phoneNumber = `+121255501${String(used++).padStart(2, '0')}`;
    const { body } = await app
      .as(account)
      .post(`${NUMBERS}/purchase`)
      .send({ phone_number: phoneNumber })
      .expect(201);
    const { id } = body.data;
    if (at !== undefined) await rentedAt(id, at);
    return { account, id, phoneNumber };
  }

  /** As if the first month had begun then. */
  const rentedAt = (id: number, at: string) =>
    app.query(
      `UPDATE phone_numbers SET created_at = $2::timestamptz, rent_due_at =
         (($2::timestamptz AT TIME ZONE 'UTC') + interval '1 month') AT TIME ZONE 'UTC' WHERE id = $1`,
      [id, at],
    );
  const chargesOf = async (account: TestAccount): Promise<{ reference: string; amount: number }[]> => {
    const { body } = await app.as(account).get('/api/user/billing/transactions?per_page=100').expect(200);
    return body.data
      .filter(({ type }: { type: string }) => type === 'phone_number')
      .map(({ reference, amount }: { reference: string; amount: number }) => ({ reference, amount }));
  };
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const rentOf = async (id: number) => {
    const [row] = await app.query<{ months: number; due: Date }>(
      'SELECT rent_months_paid AS months, rent_due_at AS due FROM phone_numbers WHERE id = $1',
      [id],
    );
    return row!;
  };

  it('are charged when they begin, and not before', async () => {
    const { account, id } = await rent(10);
    const [{ created }] = (await app.query<{ created: Date }>(
      'SELECT created_at AS created FROM phone_numbers WHERE id = $1',
      [id],
    )) as [{ created: Date }];
    const { due, months } = await rentOf(id);
    expect(months).toBe(1);
    expect(Math.round((due.getTime() - created.getTime()) / 86_400_000)).toBeGreaterThanOrEqual(28);
    expect(await rents.chargeDue()).toBe(0);
    expect(await app.balanceUsd(account)).toBeCloseTo(10 - PRICE);
  });

  it('are charged once each, with the day they begin in the ledger', async () => {
    const { account, id, phoneNumber } = await rent(20, daysAgo(40));
    const { due } = await rentOf(id);
    expect(await rents.chargeDue()).toBe(1);
    expect([await rents.chargeDue(), await rents.chargeDue()]).toEqual([0, 0]);
    expect(await app.balanceUsd(account)).toBeCloseTo(20 - 2 * PRICE);
    expect(await chargesOf(account)).toContainEqual({
      reference: `phone_number:${phoneNumber}:${id}:${due.toISOString().slice(0, 10)}`,
      amount: -PRICE,
    });
  });

  it('are charged once by many processes at a time', async () => {
    const rented = [await rent(20, daysAgo(40)), await rent(20, daysAgo(40)), await rent(20, daysAgo(40))];
    const paid = await Promise.all([rents.chargeDue(), rents.chargeDue(), rents.chargeDue()]);
    const later = await rents.chargeDue();
    expect([...paid, later].reduce((sum, one) => sum + one, 0)).toBe(3);
    for (const { account } of rented) expect(await chargesOf(account)).toHaveLength(2);
  });

  it('are charged by the next run, once, where a process dies between the charge and the month', async () => {
    const { account, id } = await rent(20, daysAgo(40));
    jest
      .spyOn(app.app.get(PhoneNumbersRepository), 'extendRent')
      .mockRejectedValueOnce(new Error('the process is gone'));
    await expect(rents.chargeDue()).rejects.toThrow('the process is gone');
    expect(await app.balanceUsd(account)).toBeCloseTo(20 - PRICE);
    expect((await rentOf(id)).months).toBe(1);
    expect(await rents.chargeDue()).toBe(1);
    expect(await app.balanceUsd(account)).toBeCloseTo(20 - 2 * PRICE);
  });

  it('keep to the day of the first one through short months', async () => {
    const { id } = await rent(100, '2024-01-31T12:00:00Z');
    const days: string[] = [];
    for (let month = 0; month < 4; month++) {
      days.push((await rentOf(id)).due.toISOString());
      expect(await rents.chargeDue()).toBe(1);
    }
    expect(days).toEqual([
      '2024-02-29T12:00:00.000Z',
      '2024-03-31T12:00:00.000Z',
      '2024-04-30T12:00:00.000Z',
      '2024-05-31T12:00:00.000Z',
    ]);
  });

  it('take no number away that cannot be paid, nor hold up others; they are made up for later', async () => {
    const poor = await rent(4, daysAgo(70));
    const other = await rent(20, daysAgo(40));
    expect(await rents.chargeDue()).toBe(1);
    expect(await chargesOf(other.account)).toHaveLength(2);
    expect([await app.balanceUsd(poor.account), (await rentOf(poor.id)).months]).toEqual([0.01, 1]);
    const { body } = await app.as(poor.account).get(`${NUMBERS}/all`).expect(200);
    expect(body.data).toEqual([expect.objectContaining({ id: poor.id, has_active_subscription: true })]);
    expect(await app.query('SELECT id FROM carrier_orders')).toEqual([]);

    await app.app.get(BillingService).credit(poor.account.userId, 20_000_000, 'top-up');
    expect([await rents.chargeDue(), await rents.chargeDue(), await rents.chargeDue()]).toEqual([1, 1, 0]);
    expect(await app.balanceUsd(poor.account)).toBeCloseTo(20.01 - 2 * PRICE);
  });

  it('are reported once when they cannot be paid, and again after a payment', async () => {
    const { account, id, phoneNumber } = await rent(4, daysAgo(40));
    const url = 'https://example.com/events';
    const events = ['phone-number.rent-unpaid'];
    await app.as(account).post('/api/user/webhook-endpoints').send({ url, events }).expect(201);
    const rentsOf = async () => (await app.as(account).get(`${NUMBERS}/rents`).expect(200)).body.data;
    const reported = () =>
      app.query<{ body: string }>(
        "SELECT body FROM webhook_deliveries WHERE kind = 'phone-number.rent-unpaid' AND user_id = $1 ORDER BY id",
        [account.userId],
      );
    const { due } = await rentOf(id);
    const listed = {
      phone_number_id: id,
      phone_number: phoneNumber,
      price: PRICE,
      due_at: due.toISOString(),
    };
    expect(await rentsOf()).toEqual([{ ...listed, unpaid_since: null }]);

    expect([await rents.chargeDue(), await rents.chargeDue()]).toEqual([0, 0]);
    const [{ unpaid_since: since }] = await rentsOf();
    expect(await rentsOf()).toEqual([{ ...listed, unpaid_since: expect.stringMatching(/^2.*Z$/) }]);
    const data = { phone_number_id: id, phone_number: phoneNumber, price: PRICE };
    expect((await reported()).map(({ body }) => JSON.parse(body).data)).toEqual([
      { ...data, reason: 'balance', unpaid_since: since },
    ]);

    await app.app.get(BillingService).credit(account.userId, 4_000_000, 'top-up');
    expect(await rents.chargeDue()).toBe(1);
    expect(await rentsOf()).toEqual([expect.objectContaining({ unpaid_since: null })]);
    await rentedAt(id, daysAgo(70));
    expect(await rents.chargeDue()).toBe(0);
    expect(await reported()).toHaveLength(2);
  });

  it('cost nothing where the account pays the carrier itself, or the number was rented before', async () => {
    const { account, id } = await rent(20, daysAgo(40));
    await app.query(
      'UPDATE phone_numbers SET monthly_price_micros = NULL, rent_due_at = NULL WHERE id = $1',
      [id],
    );
    expect(await rents.chargeDue()).toBe(0);
    expect(await app.balanceUsd(account)).toBeCloseTo(20 - PRICE);
  });

  it('end with the number', async () => {
    const { account, id } = await rent(20, daysAgo(40));
    await app.as(account).delete(`${NUMBERS}/${id}`).expect(200);
    expect(await rents.chargeDue()).toBe(0);
    expect(await app.balanceUsd(account)).toBeCloseTo(20 - PRICE);
  });
});
