import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Transactions } from '../../src/database/transactions.js';
import {
  type ClaimedDelivery,
  WebhookQueueRepository,
} from '../../src/modules/webhooks/delivery/webhook-queue.repository.js';
import { WebhooksService } from '../../src/modules/webhooks/webhooks.service.js';
import { TestApp } from '../support/app.js';

const LIMITS = { perEndpoint: 3, perHost: 4, perTenant: 5 };
const LEASE_MS = 60_000;

/** Without workers: claims are made by the test alone. */
describe('several processes that claim webhooks at once', () => {
  let app: TestApp;
  const tenants: number[] = [];

  beforeAll(async () => {
    app = await TestApp.start({ DATABASE_POOL_SIZE: '16' });
    for (let i = 0; i < 4; i++) tenants.push((await app.account()).userId);
  });
  beforeEach(() => app.query('TRUNCATE webhook_endpoints CASCADE'));
  afterAll(() => app.stop());

  const transactions = () => app.app.get(Transactions, { strict: false });
  const queue = () => app.app.get(WebhookQueueRepository, { strict: false });
  const claim = (limit = 60) => transactions().run((tx) => queue().claimDue(limit, LIMITS, LEASE_MS, tx));

  /** Endpoints have proven themselves, so that only the limits count. */
  async function fill(events: number, urlsOf: (tenant: number) => readonly string[]): Promise<void> {
    const webhooks = app.app.get(WebhooksService, { strict: false });
    await transactions().run(async (tx) => {
      for (const [at, userId] of tenants.entries()) {
        for (const url of urlsOf(at)) {
          for (let subject = 0; subject < events; subject++) {
            const subjectId = `${url}#${subject}`;
            await webhooks.enqueue(
              { userId, kind: 'inbound', assistantId: null, subjectId, url, payload: {} },
              tx,
            );
          }
        }
      }
    });
    await app.query('UPDATE webhook_endpoints SET window_started_at = now(), window_attempts = 100');
  }

  const hostOf = ({ url }: ClaimedDelivery) => new URL(url).host;

  function most(claims: readonly ClaimedDelivery[], keyOf: (claimed: ClaimedDelivery) => unknown): number {
    const counts = new Map<unknown, number>();
    for (const each of claims) counts.set(keyOf(each), (counts.get(keyOf(each)) ?? 0) + 1);
    return Math.max(0, ...counts.values());
  }

  it('never claim more together than an endpoint, a host and an account may have, and nothing twice', async () => {
    // Each account has two endpoints of its own and one on a host that all share.
    await fill(8, (tenant) => [
      `http://t${tenant}.invalid/1`,
      `http://t${tenant}.invalid/2`,
      'http://all.invalid/',
    ]);
    const claimed: ClaimedDelivery[] = [];
    for (let round = 0; round < 6; round++) {
      const claims = await Promise.all(Array.from({ length: 8 }, () => claim(6)));
      claimed.push(...claims.flatMap(({ deliveries }) => deliveries));
      expect(most(claimed, ({ endpointId }) => endpointId)).toBeLessThanOrEqual(LIMITS.perEndpoint);
      expect(most(claimed, hostOf)).toBeLessThanOrEqual(LIMITS.perHost);
      expect(most(claimed, ({ userId }) => userId)).toBeLessThanOrEqual(LIMITS.perTenant);
      expect(most(claimed, ({ id }) => id)).toBe(1);
    }
    // And all that the limits allow is claimed in the end: four of each own host, and what the shared one has.
    expect(claimed.filter((each) => hostOf(each) === 'all.invalid')).toHaveLength(LIMITS.perHost);
    expect(claimed).toHaveLength(tenants.length * 4 + LIMITS.perHost);
  });

  it('do not wait for one another, and pass over whom another one is claiming for', async () => {
    await fill(2, (tenant) => [`http://t${tenant}.invalid/`]);
    await transactions().run(async (tx) => {
      const first = await queue().claimDue(2, LIMITS, LEASE_MS, tx);
      expect(first.deliveries).toHaveLength(2);
      expect(first.isRestDue).toBe(true);
      const second = await claim();
      const held = new Set(first.deliveries.map(({ userId }) => userId));
      expect(second.deliveries.length).toBeGreaterThan(0);
      expect(second.deliveries.filter(({ userId }) => held.has(userId))).toEqual([]);
      expect(second.isRestDue).toBe(true);
    });
    expect((await claim()).isRestDue).toBe(false);
  });
});
