import type { NestExpressApplication } from '@nestjs/platform-express';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createApp } from '../../src/boot/create-app.js';
import { Logger } from '../../src/common/observability/logger.js';
import { configFrom } from '../../src/config/config-from.js';
import { parseEnvironment } from '../../src/config/environment.js';
import { Database } from '../../src/database/database.js';
import { Transactions } from '../../src/database/transactions.js';
import { WebhookDispatcherService } from '../../src/modules/webhooks/delivery/webhook-dispatcher.service.js';
import { WebhookQueueRepository } from '../../src/modules/webhooks/delivery/webhook-queue.repository.js';
import { WebhooksService } from '../../src/modules/webhooks/webhooks.service.js';
import { type TestAccount, TestApp, TEST_ENCRYPTION_KEY } from '../support/app.js';
import { FlakyReceiver } from '../support/flaky-receiver.js';
import { answerJson, LocalServer } from '../support/http-server.js';
import { lengthOf } from '../support/length.js';
import { until } from '../support/until.js';

const ENVIRONMENT = {
  PROSA_ROLES: 'api,worker',
  EGRESS_ALLOW_CIDRS: '127.0.0.1/32',
  RETRY_SCALE: '0.00003',
  WEBHOOK_TIMEOUT_SECONDS: '1',
};
/** In batches of ten. So many that each receiver fails in each of its ways, but once in some ten thousand runs. */
const EVENTS = lengthOf(250, 500);
const UNLIMITED = { perEndpoint: 1_000, perHost: 1_000, perTenant: 1_000 };

describe('webhook delivery', () => {
  let app: TestApp;
  let elsewhere: LocalServer;
  let calls = 0;
  const servers: LocalServer[] = [];
  const others: NestExpressApplication[] = [];

  beforeAll(async () => {
    app = await TestApp.start(ENVIRONMENT);
    elsewhere = await LocalServer.start((_request, response) => answerJson(response, {}));
  });
  afterEach(async () => {
    await Promise.all(others.splice(0).map((other) => other.close()));
    await Promise.all(servers.splice(0).map((server) => server.stop()));
  });
  afterAll(async () => {
    await elsewhere.stop();
    await app.stop();
  });

  /** A second worker on the same database. */
  async function startWorker(): Promise<NestExpressApplication> {
    const config = configFrom(
      parseEnvironment({
        ...ENVIRONMENT,
        RATE_LIMITS: 'off',
        LOG_LEVEL: 'fatal',
        PROSA_ROLES: 'worker',
        DATABASE_URL: app.database.url,
        DATABASE_POOL_SIZE: '10',
        ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
      }),
    );
    const settings = {
      config,
      logger: Logger.create('fatal'),
      databaseUrl: app.database.url,
      encryptionKeys: [TEST_ENCRYPTION_KEY],
    };
    const worker = await createApp(settings);
    await worker.init();
    others.push(worker);
    return worker;
  }

  async function flakyReceivers(account: TestAccount, count: number): Promise<FlakyReceiver[]> {
    const { body } = await app.as(account).get('/api/user/webhook-secret').expect(200);
    const receivers = await Promise.all(
      Array.from({ length: count }, () => FlakyReceiver.start(body.secret, elsewhere.url)),
    );
    servers.push(...receivers.map(({ server }) => server));
    return receivers;
  }

  /** Writes `count` events for each URL, as so many calls that end, and wakes the workers up. */
  async function publish({ userId }: TestAccount, urls: readonly string[], count = 1): Promise<void> {
    const webhooks = app.app.get(WebhooksService);
    await app.app.get(Transactions, { strict: false }).run(async (tx) => {
      for (const url of Array.from({ length: count }, () => urls).flat()) {
        const subjectId = String(++calls);
        const payload = { id: calls, transcript: 'x'.repeat(500) };
        await webhooks.enqueue({ userId, kind: 'post-call', assistantId: null, subjectId, url, payload }, tx);
      }
    });
    webhooks.wake();
  }

  const pendingOf = async ({ userId }: TestAccount) => {
    const [row] = await app.query<{ pending: string }>(
      "SELECT count(*) AS pending FROM webhook_deliveries WHERE user_id = $1 AND status = 'pending'",
      [userId],
    );
    return Number(row?.pending);
  };

  const eventsOf = async ({ userId }: TestAccount) =>
    app.query<{ event_id: string; status: string; url: string; attempts: number; done: number }>(
      `SELECT d.event_id, d.status, e.url, d.attempts,
         (SELECT count(*)::int FROM webhook_attempts a WHERE a.delivery_id = d.id AND a.finished_at IS NOT NULL) AS done
       FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id WHERE d.user_id = $1`,
      [userId],
    );

  async function expectAllAccepted(account: TestAccount, receivers: readonly FlakyReceiver[]): Promise<void> {
    const events = await eventsOf(account);
    expect(events.filter(({ status }) => status !== 'delivered')).toEqual([]);
    for (const receiver of receivers) {
      const ids = events.flatMap(({ event_id: id, url }) => (url === receiver.url ? [id] : []));
      expect(ids.filter((id) => !receiver.accepted.includes(id))).toEqual([]);
      // What a receiver that keeps ids would do is done once for each.
      expect(new Set(receiver.accepted).size).toBe(ids.length);
      expect(receiver.wrongSignatures).toBe(0);
    }
    expect(elsewhere.requests).toHaveLength(0);
  }

  it(`brings ${EVENTS} events to each of three receivers that fail 30 % of the time, each accepted once`, async () => {
    const account = await app.account();
    const receivers = await flakyReceivers(account, 3);
    const startedAt = performance.now();
    const urls = receivers.map(({ url }) => url);
    for (let batch = 0; batch < EVENTS / 10; batch++) await publish(account, urls, 10);
    await until(async () => (await pendingOf(account)) === 0, 50_000);
    const seconds = (performance.now() - startedAt) / 1_000;

    await expectAllAccepted(account, receivers);
    const requests = receivers.reduce((sum, { server }) => sum + server.requests.length, 0);
    const accepted = receivers.reduce((sum, receiver) => sum + receiver.accepted.length, 0);
    const failures = receivers.map((receiver) => receiver.failures);
    process.stdout.write(
      `${3 * EVENTS} deliveries in ${seconds.toFixed(1)} s, ${requests} requests (${(requests / (3 * EVENTS)).toFixed(2)} each), ` +
        `failures ${JSON.stringify(failures[0])} at the first receiver\n`,
    );
    // Without killed processes nothing is accepted twice.
    expect(accepted).toBe(3 * EVENTS);
    for (const kinds of failures) expect(Math.min(...Object.values(kinds))).toBeGreaterThan(0);
  }, 60_000);

  it('brings them with two workers, and when processes die with what they have claimed', async () => {
    const account = await app.account();
    const receivers = await flakyReceivers(account, 3);
    await startWorker();
    const queue = app.app.get(WebhookQueueRepository, { strict: false });
    const transactions = app.app.get(Transactions, { strict: false });
    let abandoned = 0;
    const urls = receivers.map(({ url }) => url);
    for (let batch = 0; batch < 20; batch++) {
      await publish(account, urls, 5);
      // A process that claims and dies before it sends: its lease, shortened here, runs out.
      const claimed = await transactions.run((tx) => queue.claimDue(5, UNLIMITED, 200, tx));
      abandoned += claimed.deliveries.length;
    }
    await until(async () => (await pendingOf(account)) === 0, 50_000);
    await expectAllAccepted(account, receivers);
    const accepted = receivers.reduce((sum, receiver) => sum + receiver.accepted.length, 0);
    process.stdout.write(`two workers: ${abandoned} claims abandoned, ${accepted - 300} repeats of 2xx\n`);
    expect(abandoned).toBeGreaterThan(0);
    expect(accepted).toBe(300);
    const cut = (await eventsOf(account)).reduce((sum, { attempts, done }) => sum + attempts - done, 0);
    expect(cut).toBe(abandoned);
  }, 60_000);

  it('believes a late 2xx, and no late failure, of a process whose lease ran out', async () => {
    const account = await app.account();
    const queue = app.app.get(WebhookQueueRepository, { strict: false });
    const transactions = app.app.get(Transactions, { strict: false });
    // No server listens here: workers skip the delivery while its endpoint is paused.
    const url = 'http://127.0.0.1:9/hook';
    await publish(account, [url]);
    await until(async () => (await eventsOf(account)).some(({ done }) => done > 0));
    await app.query(
      "UPDATE webhook_endpoints SET open_until = now() + interval '1 hour' WHERE user_id = $1",
      [account.userId],
    );
    await until(async () => (await eventsOf(account)).every(({ attempts, done }) => attempts === done));
    await app.query(
      "UPDATE webhook_deliveries SET status = 'pending', next_attempt_at = now() - interval '1 day', attempts = 7 WHERE user_id = $1",
      [account.userId],
    );
    const [row] = await app.query<{ id: number; failures: number }>(
      'SELECT id, failures FROM webhook_deliveries WHERE user_id = $1',
      [account.userId],
    );
    const late = {
      ...LATE,
      id: row?.id ?? 0,
      userId: account.userId,
      attempt: 6,
      failures: row?.failures ?? 0,
    };
    await transactions.run((tx) => queue.postpone(late, 60_000, tx));
    await transactions.run((tx) => queue.fail(late, 'tries_exhausted', tx));
    expect(await pendingOf(account)).toBe(1);
    await transactions.run((tx) => queue.markDelivered(late, tx));
    expect(await eventsOf(account)).toMatchObject([{ status: 'delivered' }]);
  });

  it('pauses a dead and a hanging endpoint among 20 without delaying the others', async () => {
    const account = await app.account();
    const healthy = await Promise.all(
      Array.from({ length: 18 }, () => LocalServer.start((_request, response) => answerJson(response, {}))),
    );
    const hanging = await LocalServer.start(() => undefined);
    servers.push(...healthy, hanging);
    const healthyUrls = healthy.map(({ url }) => url);

    await publish(account, healthyUrls);
    await until(async () => (await pendingOf(account)) === 0);
    for (let batch = 0; batch < 20; batch++) await publish(account, healthyUrls);
    await until(async () => (await pendingOf(account)) === 0);
    const baselineMs = await firstTryP95Ms(account, healthyUrls);

    const other = await app.account();
    const urls = ['http://127.0.0.1:9/dead', hanging.url, ...healthyUrls];
    for (let batch = 0; batch < 20; batch++) await publish(other, urls);
    const healthyPending = async () => {
      const events = await eventsOf(other);
      return events.filter(({ status, url }) => status === 'pending' && healthyUrls.includes(url)).length;
    };
    await until(async () => (await healthyPending()) === 0);
    const besideMs = await firstTryP95Ms(other, healthyUrls);
    process.stdout.write(
      `first try of healthy endpoints, p95: ${baselineMs.toFixed(0)} ms alone, ${besideMs.toFixed(0)} ms next to a dead and a hanging one\n`,
    );
    expect(besideMs).toBeLessThan(2_000);
    // Half as much again is what a quiet machine shows; a busy one adds some to either, and a blocked lane seconds.
    expect(besideMs).toBeLessThan(Math.max(2 * baselineMs, 1_500));

    // Ten in a row open the breaker. It is open for less than a millisecond here: then there is one probe at a time.
    const paused = async () =>
      app.query<{ url: string }>(
        'SELECT url FROM webhook_endpoints WHERE user_id = $1 AND open_until IS NOT NULL',
        [other.userId],
      );
    await until(async () => (await paused()).length === 2);
    expect((await paused()).map(({ url }) => url).sort((a, b) => a.localeCompare(b))).toEqual(
      ['http://127.0.0.1:9/dead', hanging.url].sort((a, b) => a.localeCompare(b)),
    );
    const inFlight = async () => {
      const [row] = await app.query<{ most: number }>(
        `SELECT coalesce(max(count), 0)::int AS most FROM (
           SELECT count(*) FROM webhook_deliveries WHERE user_id = $1 AND lease_until > now() GROUP BY endpoint_id) busy`,
        [other.userId],
      );
      return row?.most ?? 0;
    };
    await until(async () => (await inFlight()) <= 1);
    const dispatcher = app.app.get(WebhookDispatcherService, { strict: false });
    for (let probe = 0; probe < 30; probe++) {
      await dispatcher.dispatchDue();
      expect(await inFlight()).toBeLessThanOrEqual(1);
    }
  });

  it('never claims more at once than an endpoint, a host and an account may have, and less of those not proven', async () => {
    const { userId } = await app.account();
    const queue = app.app.get(WebhookQueueRepository, { strict: false });
    const transactions = app.app.get(Transactions, { strict: false });
    const webhooks = app.app.get(WebhooksService);
    const urls = ['http://a.invalid/1', 'http://a.invalid/2', 'http://b.invalid/1'];
    const limits = { perEndpoint: 3, perHost: 4, perTenant: 6 };
    // The workers of the app see nothing of it: it is rolled back.
    const undone = transactions.run(async (tx) => {
      for (let subject = 0; subject < 20; subject++) {
        for (const [index, url] of urls.entries()) {
          const subjectId = `${subject}-${index}`;
          await webhooks.enqueue(
            { userId, kind: 'inbound', assistantId: null, subjectId, url, payload: {} },
            tx,
          );
        }
      }
      const database = app.app.get(Database);
      const successes = (url: string, count: number) =>
        database.query(
          `UPDATE webhook_endpoints SET window_started_at = now(), window_attempts = $3 + 5, window_failures = 5
           WHERE user_id = $1 AND url = $2`,
          [userId, url, count],
          tx,
        );
      const { deliveries: first } = await queue.claimDue(100, limits, 60_000, tx);
      const perUrl = urls.map((url) => first.filter((claim) => claim.url === url).length);
      expect(perUrl).toEqual([2, 2, 2]);
      expect((await queue.claimDue(100, limits, 60_000, tx)).deliveries).toEqual([]);
      // No delivery has succeeded yet: room for the account is no room for these.
      expect((await queue.claimDue(100, { ...limits, perTenant: 100 }, 60_000, tx)).deliveries).toEqual([]);
      for (const url of urls) await successes(url, 1);
      const { deliveries: more } = await queue.claimDue(100, { ...limits, perTenant: 100 }, 60_000, tx);
      expect(more.map(({ url }) => url)).toEqual(['http://b.invalid/1']);
      throw new Error('undo');
    });
    await expect(undone).rejects.toThrow('undo');
  });

  const firstTryP95Ms = async ({ userId }: TestAccount, urls: readonly string[]) => {
    const [row] = await app.query<{ p95: number }>(
      `SELECT percentile_cont(0.95) WITHIN GROUP (ORDER BY extract(epoch FROM a.started_at - d.created_at) * 1000) AS p95
       FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
         JOIN webhook_attempts a ON a.delivery_id = d.id AND a.number = 1
       WHERE d.user_id = $1 AND e.url = ANY($2)`,
      [userId, urls],
    );
    return Number(row?.p95);
  };
});

const LATE = {
  endpointId: 0,
  subscriptionId: null,
  url: '',
  eventId: '',
  kind: 'post-call',
  subjectId: '',
  body: '',
} as const;
