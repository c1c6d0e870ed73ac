import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Transactions } from '../../src/database/transactions.js';
import { WebhooksService } from '../../src/modules/webhooks/webhooks.service.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createLead, createStartableCampaign } from '../support/campaign-builders.js';
import { until } from '../support/until.js';

const HOUR_MS = 3_600_000;
const RealDate = Date;

let app: TestApp;
let owner: TestAccount;
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'prosa-clock-'));
  app = await TestApp.start({
    PROSA_ROLES: 'api,worker',
    SANDBOX_SPEED: '500',
    DATA_DIR: dataDir,
    DATABASE_POOL_SIZE: '16',
  });
  owner = await app.account({ balanceUsd: 50 });
}, 60_000);

afterEach(() => {
  globalThis.Date = RealDate;
});
afterAll(async () => {
  await app.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** The calendar of this process shows another hour from now on; the database's does not. */
function setClock(stepMs: number): void {
  const nowMs = () => RealDate.now() + stepMs;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, parts) => Reflect.construct(target, parts.length === 0 ? [nowMs()] : parts) as Date,
    get: (target, key) => (key === 'now' ? nowMs : (Reflect.get(target, key) as unknown)),
  });
}

const attemptsOf = async (campaignId: number) =>
  Number(
    (
      await app.query<{ count: string }>('SELECT count(*) FROM dial_attempts WHERE campaign_id = $1', [
        campaignId,
      ])
    )[0]?.count,
  );

describe('a campaign while the clock of its worker is set', () => {
  it.each([
    ['back', -HOUR_MS],
    ['forward', HOUR_MS],
  ])(
    '%s an hour calls new leads and repeats its attempts without a stop',
    async (_direction, stepMs) => {
      const id = await createStartableCampaign(app, owner);
      await app
        .as(owner)
        .put(`/api/user/campaign/${id}`)
        .send({ retry_interval: 10, max_retries: 2 })
        .expect(200);
      await app.query("UPDATE leads SET phone_number = '+5511980000101' WHERE campaign_id = $1", [id]);
      await app
        .as(owner)
        .post('/api/user/campaigns/update-status')
        .send({ campaign_id: id, action: 'start' })
        .expect(200);
      await until(async () => (await attemptsOf(id)) > 0);
      setClock(stepMs);
      // The third busy attempt of the first lead, and one of a lead that comes only now.
      await createLead(app, owner, id, { phone_number: '+5511980000200' });
      await until(async () => (await attemptsOf(id)) === 4);
      const early = await app.query(
        `SELECT FROM dial_attempts a JOIN dial_attempts b ON b.lead_id = a.lead_id AND b.number = a.number + 1
         WHERE a.campaign_id = $1 AND b.created_at < a.settled_at + interval '1.2 seconds'`,
        [id],
      );
      expect(early).toEqual([]);
    },
    40_000,
  );
});

describe('a webhook endpoint while the clock of its worker is set', () => {
  it.each([
    ['back', -HOUR_MS],
    ['forward', HOUR_MS],
  ])('%s an hour pauses for half a minute after ten failures', async (direction, stepMs) => {
    // Nothing may be sent there.
    const url = `http://127.0.0.1:9/${direction}`;
    setClock(stepMs);
    const webhooks = app.app.get(WebhooksService, { strict: false });
    await app.app.get(Transactions, { strict: false }).run(async (tx) => {
      for (let index = 0; index < 10; index++) {
        const subjectId = `${direction}-${index}`;
        await webhooks.enqueue(
          { userId: owner.userId, kind: 'inbound', assistantId: null, subjectId, url, payload: {} },
          tx,
        );
      }
    });
    webhooks.wake();
    const pauses = () =>
      app.query<{ seconds: number }>(
        `SELECT extract(epoch FROM open_until - clock_timestamp())::float AS seconds FROM webhook_endpoints
         WHERE url = $1 AND open_until IS NOT NULL`,
        [url],
      );
    await until(async () => (await pauses()).length > 0);
    const [pause] = await pauses();
    expect(pause?.seconds).toBeGreaterThan(15);
    expect(pause?.seconds).toBeLessThanOrEqual(30);
  });
});
