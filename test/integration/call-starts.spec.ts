import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { TestApp } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { phoneNumber } from '../support/campaign-builders.js';
import { until } from '../support/until.js';

const POOL = 10;
const FLOOD = 60;
/** Of one account in a process. */
const MAX_STARTS = 50;
const PARALLEL_CALLS = 10;

describe('starts of calls by one account', () => {
  let app: TestApp;
  let client: Client;

  beforeAll(async () => {
    app = await TestApp.start({ DATABASE_POOL_SIZE: String(POOL) });
    client = new Client({ connectionString: app.database.url });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await app.stop();
  });

  async function caller() {
    const account = await app.account({ balanceUsd: 1_000 });
    const { id } = await createAssistant(app, account, { type: 'outbound' });
    const start = (n: number) =>
      app
        .as(account)
        .post('/api/user/make_call')
        .send({ phone_number: phoneNumber(n), assistant_id: id });
    return { ...account, start };
  }

  it('keep no other account waiting for a connection, and wait in a line of bounded length', async () => {
    const [flooding, quiet] = [await caller(), await caller()];
    await client.query('BEGIN');
    await client.query('SELECT FROM wallets WHERE user_id = $1 FOR UPDATE', [flooding.userId]);
    const statuses: number[] = [];
    const flood = Array.from({ length: FLOOD }, (_, n) =>
      flooding.start(n).then(({ status }) => statuses.push(status)),
    );
    await until(() => statuses.length === FLOOD - MAX_STARTS);
    expect(statuses).toEqual(Array.from({ length: FLOOD - MAX_STARTS }, () => 429));
    await quiet.start(0).expect(200);

    await client.query('COMMIT');
    await Promise.all(flood);
    expect(statuses.filter((status) => status === 200)).toHaveLength(PARALLEL_CALLS);
    expect(statuses.filter((status) => status === 422)).toHaveLength(MAX_STARTS - PARALLEL_CALLS);
  });
});
