import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { ADVISORY_LOCK_CLASSES } from '../../src/database/advisory-locks.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { addPhoneNumber, createCampaign, createOutboundAssistant } from '../support/campaign-builders.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { until } from '../support/until.js';

const RUNS = 3;

/** What a claim asks, however many leads it takes. */
const CLAIM: readonly (readonly [what: string, statement: RegExp])[] = [
  ['begin', /^START TRANSACTION/],
  ['lock the campaign', /FOR NO KEY UPDATE OF c SKIP LOCKED/],
  ['pick the leads that are due', /FOR UPDATE OF d SKIP LOCKED/],
  ['lock the leads', /pg_try_advisory_lock/],
  ['read the assistant', /FROM assistants WHERE user_id = \$1 AND id = \$2/],
  ['read the caller numbers', /FROM phone_numbers/],
  ['read who must not be called', /FROM do_not_call_entries/],
  ['lock the plan', /FOR NO KEY UPDATE OF account/],
  ['count the open lines', /array_agg\(call\.client_phone_number\)/],
  ['lock the wallet', /FROM wallets WHERE user_id = \$1 FOR NO KEY UPDATE/],
  ['lock free lines', /WITH free AS MATERIALIZED/],
  ['look at the lines again', /SELECT line FROM active_calls/],
  ['write the calls', /^INSERT INTO calls /],
  ['hold their money', /INSERT INTO holds/],
  ['write what the calls need', /^INSERT INTO active_calls /],
  ['write the attempts', /INSERT INTO dial_attempts/],
  ['commit', /^COMMIT/],
];

/** What comes after it; leads that come to the same place at the same time ask together. */
const REST: readonly (readonly [what: string, statement: RegExp])[] = [
  [
    'look at the campaign once more',
    /FROM campaigns c WHERE id = ANY\(\$1::int\[\]\) AND status = 'in-progress'/,
  ],
  ['mark that the carrier is asked', /SET stage = 'placing'/],
  ['mark that the carrier has the call', /SET stage = 'open'/],
  ['give the locks of leads back', /pg_advisory_unlock/],
  ['end the calls', /DELETE FROM active_calls/],
  ['read what decides', /FROM dial_attempts a WHERE a\.call_id = ANY/],
  ['settle the attempts', /step_lead_dials/],
];

/** Asked by each call that is subject to a limit. */
const TURN = ['take a turn', /FROM take_call_turn/] as const;

/** Looks for campaigns and for breakers that go on by the clock, hints to pages, and what the queues ask. */
const BY_THE_CLOCK =
  /^--|pg_notify|live\.count AS live|carrier_breakers|is_webhook_wanted\(\$1\) AS "isWanted"|AS running/;

describe('what an attempt at a lead asks of the database', () => {
  let proxy: DatabaseProxy;
  let app: TestApp;
  /** Past the proxy. */
  let database: Client;
  let owner: TestAccount;
  let campaignId: number;
  let dataDir: string;
  let leads = 0;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'prosa-dialler-'));
    app = await TestApp.start(
      { PROSA_ROLES: 'api,worker', SANDBOX_SPEED: '1000000', DATA_DIR: dataDir },
      async (url) => {
        proxy = await DatabaseProxy.start(url);
        return proxy.url;
      },
    );
    database = new Client({ connectionString: app.database.url });
    await database.connect();
    owner = await app.account({ balanceUsd: 50 });
    await app.query("UPDATE users SET plan_id = (SELECT id FROM plans WHERE code = 'unlimited')");
    const assistant = await createOutboundAssistant(app, owner);
    await app.as(owner).put(`/api/user/assistant/${assistant}`).send({ status: 'active' }).expect(200);
    campaignId = await createCampaign(app, owner, {
      assistant_id: assistant,
      phone_number_ids: [await addPhoneNumber(app, owner)],
      max_calls_in_parallel: 20,
      max_retries: 1,
      mark_complete_when_no_leads: false,
    });
    await addLeads(1);
    await app
      .as(owner)
      .post('/api/user/campaigns/update-status')
      .send({ campaign_id: campaignId, action: 'start' })
      .expect(200);
    await settled();
  }, 60_000);

  afterAll(async () => {
    await database.end();
    await app.stop();
    await proxy.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Leads whose calls fail at the carrier, all due at the same moment for their last attempt. */
  async function addLeads(count: number): Promise<void> {
    const first = leads;
    leads += count;
    await database.query(
      `WITH numbers AS (
         SELECT '+55119' || lpad((n * 100 + 4)::text, 8, '0') AS phone FROM generate_series($3::int, $4::int - 1) AS n),
       added AS (
         INSERT INTO leads (user_id, campaign_id, phone_number) SELECT $1, $2, phone FROM numbers RETURNING id)
       INSERT INTO lead_dials (lead_id, user_id, campaign_id, due_at, attempts)
       SELECT id, $1, $2, now(), 1 FROM added`,
      [owner.userId, campaignId, first, leads],
    );
  }

  /** All attempts have ended, and no lead is locked any more. */
  const settled = () =>
    until(async () => {
      const { rows } = await database.query<{ settled: number; held: number }>(
        `SELECT (SELECT count(*)::int FROM dial_attempts WHERE state = 'settled') AS settled,
           (SELECT count(*)::int FROM pg_locks JOIN pg_database ON pg_database.oid = database
            WHERE locktype = 'advisory' AND classid = $1 AND datname = current_database()) AS held`,
        [ADVISORY_LOCK_CLASSES.lead],
      );
      return rows[0]?.settled === leads && rows[0].held === 0;
    }, 20_000);

  const labelOf = (statement: string) =>
    [...CLAIM, ...REST, TURN].find(([, pattern]) => pattern.test(statement))?.[0] ??
    statement.replace(/\s+/g, ' ').slice(0, 100);

  /** The fewest statements of several runs, because sweeps run at the same time. */
  async function statementsOf(count: number): Promise<string[]> {
    const runs: string[][] = [];
    for (let run = 0; run < RUNS; run++) {
      proxy.statements = [];
      await addLeads(count);
      await settled();
      runs.push(proxy.statements.filter((statement) => !BY_THE_CLOCK.test(statement)).map(labelOf));
    }
    const [fewest = []] = runs.toSorted((a, b) => a.length - b.length);
    return fewest;
  }

  it('is this for one lead', async () => {
    const statements = await statementsOf(1);
    // The end of the call and the release of its lock run in parallel.
    expect(statements.toSorted()).toEqual([...CLAIM, ...REST].map(([what]) => what).toSorted());
  });

  it('is one statement more where calls a second are limited', async () => {
    const limit = (perSecond: number | null) =>
      database.query('UPDATE plans SET max_calls_per_second = $1', [perSecond]);
    await limit(1_000);
    try {
      const statements = await statementsOf(1);
      expect(statements.toSorted()).toEqual([...CLAIM, ...REST, TURN].map(([what]) => what).toSorted());
    } finally {
      await limit(null);
    }
  });

  it('is for ten leads that are claimed together no longer a claim, and not ten times the rest', async () => {
    const statements = await statementsOf(10);
    const claim = new Set(CLAIM.map(([what]) => what));
    const asked = statements.filter((what) => claim.has(what));
    expect(asked).toEqual(CLAIM.map(([what]) => what));
    // These all come to at the same moment; how far apart they are after the carrier has answered, it decides.
    for (const [what] of REST.slice(0, 2)) expect(statements.filter((one) => one === what)).toEqual([what]);
    expect(statements.length - asked.length).toBeLessThan(10 * REST.length);
  });

  it('waits for the disk before the carrier is asked and once it has the call, and nowhere else', async () => {
    proxy.statements = [];
    await addLeads(1);
    await settled();
    const [waiting, others] = [
      /SET stage = '(placing|open)'/,
      /OF c SKIP LOCKED|DELETE FROM active_calls|step_lead_dials/,
    ];
    const isWaitedFor = (statement: string) => !statement.includes("'synchronous_commit', 'off'");
    const waitedFor = (pattern: RegExp) =>
      new Set(proxy.statements.filter((one) => pattern.test(one)).map(isWaitedFor));
    expect(waitedFor(waiting)).toEqual(new Set([true]));
    expect(waitedFor(others)).toEqual(new Set([false]));
  });
});
