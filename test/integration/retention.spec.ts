import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { BillingService } from '../../src/modules/billing/billing.service.js';
import { DialRetentionService } from '../../src/modules/campaigns/dialler/dial-retention.service.js';
import { type TestAccount, TestApp } from '../support/app.js';

describe('What is over', () => {
  let app: TestApp;
  let account: TestAccount;

  beforeAll(async () => {
    app = await TestApp.start({ HOLD_RETENTION_DAYS: '30', DIAL_ATTEMPT_RETENTION_DAYS: '60' });
    account = await app.account({ balanceUsd: 5 });
  });
  afterAll(() => app.stop());

  const refsOf = async (table: string, column: string) =>
    (await app.query<Record<string, string>>(`SELECT ${column} FROM ${table} ORDER BY 1`)).map(
      (row) => row[column],
    );

  it('settled holds are deleted after HOLD_RETENTION_DAYS, others and the ledger are kept', async () => {
    const insert = (reference: string, state: string, days: number) =>
      app.query(
        `INSERT INTO holds (id, user_id, kind, amount_micros, reference, state, created_at)
         VALUES ($1, $2, 'message', 10000, $3, $4, now() - $5 * interval '1 day')`,
        [randomUUID(), account.userId, reference, state, days],
      );
    await insert('captured-old', 'captured', 31);
    await insert('voided-old', 'voided', 31);
    await insert('held-old', 'held', 31);
    await insert('captured-young', 'captured', 29);
    await insert('of-a-call', 'captured', 31);
    const [call] = await app.query<{ id: number }>(
      `INSERT INTO calls (user_id, assistant_name, type, status, client_phone_number)
       VALUES ($1, 'Recepção', 'outbound', 'in-progress', '+5511987654321') RETURNING id`,
      [account.userId],
    );
    await app.query(
      `INSERT INTO active_calls (call_id, user_id, carrier, stage, hold_id, max_duration_seconds, ringing_seconds)
       SELECT $1, $2, 'sandbox', 'waiting', id, 60, 30 FROM holds WHERE reference = 'of-a-call'`,
      [call?.id, account.userId],
    );
    const ledger = await app.query('SELECT * FROM ledger_entries');
    await app.app.get(BillingService).sweepSettledHolds();
    expect(await refsOf('holds', 'reference')).toEqual(['captured-young', 'held-old', 'of-a-call']);
    expect(await app.query('SELECT * FROM ledger_entries')).toEqual(ledger);
  });

  it('holds are deleted though there are more than one batch of them', async () => {
    await app.query(
      `INSERT INTO holds (id, user_id, kind, amount_micros, reference, state, created_at)
       SELECT gen_random_uuid(), $1, 'message', 1, 'many-' || n, 'captured', now() - interval '40 days'
       FROM generate_series(1, 1200) n`,
      [account.userId],
    );
    await app.app.get(BillingService).sweepSettledHolds();
    expect(await app.query("SELECT FROM holds WHERE reference LIKE 'many-%'")).toEqual([]);
  });

  it('settled attempts at leads are deleted after DIAL_ATTEMPT_RETENTION_DAYS, live ones are kept', async () => {
    const insert = (to: string, number: number, settledDaysAgo: number | null) =>
      app.query(
        `INSERT INTO dial_attempts (id, user_id, campaign_id, lead_id, number, state, outcome, from_phone_number,
           to_phone_number, lease_until, created_at, settled_at)
         VALUES ($1, $2, NULL, NULL, $3::integer, $4, $5, '+5511900000000', $6, now(), now() - interval '90 days',
           now() - $7::integer * interval '1 day')`,
        [
          randomUUID(),
          account.userId,
          number,
          settledDaysAgo === null ? 'in-call' : 'settled',
          settledDaysAgo === null ? null : 'busy',
          to,
          settledDaysAgo,
        ],
      );
    await insert('+5511900000001', 1, 61);
    await insert('+5511900000002', 2, 59);
    await insert('+5511900000003', 3, null);
    await app.app.get(DialRetentionService, { strict: false }).sweep();
    expect(await refsOf('dial_attempts', 'to_phone_number')).toEqual(['+5511900000002', '+5511900000003']);
  });
});
