import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Transactions } from '../../src/database/transactions.js';
import { WebhooksService } from '../../src/modules/webhooks/webhooks.service.js';
import { type TestAccount, TEST_ENCRYPTION_KEY, TestApp } from '../support/app.js';
import { FlakyReceiver } from '../support/flaky-receiver.js';
import { answerJson, LocalServer } from '../support/http-server.js';
import { lengthOf } from '../support/length.js';
import { buildProduct, ProsaProcess } from '../support/prosa-process.js';
import { until } from '../support/until.js';

const EVENTS = lengthOf(150, 5_000);
const KILLS = lengthOf(2, 50);
const WORKERS = lengthOf(2, 3);
const RECEIVERS = 3;
const DEAD_EVENTS = 10;
/** Of one process, see WebhookDispatcherService. */
const CONCURRENCY = 60;
const TIMEOUT_SECONDS = 0.5;
const LEASE_MS = TIMEOUT_SECONDS * 1_000 + 15_000;
const LIMIT_MS = 60_000 + KILLS * 8_000 + EVENTS * 40;

/** Workers die by SIGKILL in the middle of their sends, and others take up what they had claimed. */
describe('webhook workers that are killed again and again', () => {
  let app: TestApp;
  let account: TestAccount;
  let elsewhere: LocalServer;
  let dead: LocalServer;
  let receivers: FlakyReceiver[];
  let workers: ProsaProcess[] = [];
  let subjects = 0;

  beforeAll(async () => {
    await buildProduct();
    app = await TestApp.start();
    account = await app.account();
    elsewhere = await LocalServer.start((_request, response) => answerJson(response, {}));
    dead = await LocalServer.start((_request, response) => answerJson(response, {}, 500));
    const { body } = await app.as(account).get('/api/user/webhook-secret').expect(200);
    receivers = await Promise.all(
      Array.from({ length: RECEIVERS }, () => FlakyReceiver.start(body.secret, elsewhere.url)),
    );
  }, 180_000);
  afterAll(async () => {
    for (const worker of workers) worker.kill('SIGKILL');
    await Promise.all(workers.map((worker) => worker.exit()));
    await Promise.all([...receivers.map(({ server }) => server), elsewhere, dead].map((one) => one.stop()));
    await app.stop();
  }, 120_000);

  async function startWorker(): Promise<ProsaProcess> {
    const worker = ProsaProcess.start({
      DATABASE_URL: app.database.url,
      ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
      EGRESS_ALLOW_CIDRS: '127.0.0.1/32',
      RETRY_SCALE: '0.00003',
      WEBHOOK_TIMEOUT_SECONDS: String(TIMEOUT_SECONDS),
      PROSA_ROLES: 'api,worker',
      PORT: '0',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'fatal',
    });
    workers.push(worker);
    await worker.ready();
    return worker;
  }

  async function publish(urls: readonly string[], count: number): Promise<void> {
    const webhooks = app.app.get(WebhooksService);
    await app.app.get(Transactions, { strict: false }).run(async (tx) => {
      for (const url of Array.from({ length: count }, () => urls).flat()) {
        const subjectId = String(++subjects);
        const payload = { id: subjects, transcript: 'x'.repeat(500) };
        const event = {
          userId: account.userId,
          kind: 'post-call',
          assistantId: null,
          subjectId,
          url,
          payload,
        } as const;
        await webhooks.enqueue(event, tx);
      }
    });
    webhooks.wake();
  }

  const countOf = async (sql: string) => Number((await app.query<{ count: string }>(sql))[0]?.count);
  const pending = () => countOf("SELECT count(*) FROM webhook_deliveries WHERE status = 'pending'");
  const underWay = () =>
    countOf("SELECT count(*) FROM webhook_deliveries WHERE status = 'pending' AND lease_until > now()");
  /** Tries that were begun and never written down: their process died. To be asked when nothing is pending. */
  const cutTries = () =>
    countOf(
      `SELECT (SELECT sum(attempts) FROM webhook_deliveries)
         - (SELECT count(*) FROM webhook_attempts WHERE finished_at IS NOT NULL) AS count`,
    );

  /** What the lease of a dead process does by itself; no try of a living one lasts so long. */
  async function endDeadLeases(): Promise<void> {
    const ended = await app.query(
      `UPDATE webhook_deliveries SET lease_until = now()
       WHERE status = 'pending' AND lease_until BETWEEN now() + interval '1 millisecond'
         AND now() + $1 * interval '1 millisecond' RETURNING id`,
      [LEASE_MS - 4 * TIMEOUT_SECONDS * 1_000],
    );
    if (ended.length > 0) app.app.get(WebhooksService).wake();
  }

  // spec: events.payload-shapes-how
  it(
    `bring every event under one id, or show that it failed, over ${KILLS} kills`,
    async () => {
      const urls = receivers.map(({ url }) => url);
      await Promise.all(Array.from({ length: WORKERS }, startWorker));
      await publish([`${dead.url}/hook`], DEAD_EVENTS);
      let kills = 0;
      do {
        for (let kill = 0; kill < KILLS; kill++) {
          await publish(urls, Math.ceil(EVENTS / KILLS));
          // In the middle of the sends, at another moment each time.
          await until(async () => (await underWay()) > 0);
          await new Promise((resolve) => setTimeout(resolve, (kill * 37) % 120));
          const [oldest] = workers.splice(0, 1);
          oldest?.kill('SIGKILL');
          await oldest?.exit();
          await startWorker();
          kills++;
        }
        await until(async () => {
          await endDeadLeases();
          return (await pending()) === 0;
        }, LIMIT_MS);
        // A few kills may all miss the moments of sending.
      } while ((await cutTries()) === 0 && kills < 5 * KILLS);

      const events = await app.query<{
        event_id: string;
        status: string;
        failed_because: string | null;
        url: string;
        done: number;
      }>(
        `SELECT d.event_id, d.status, d.failed_because, e.url,
           (SELECT count(*)::int FROM webhook_attempts a WHERE a.delivery_id = d.id AND a.finished_at IS NOT NULL) AS done
         FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id`,
      );
      const cut = await cutTries();
      let accepted = 0;
      for (const receiver of receivers) {
        const mine = events.filter(({ url }) => url === receiver.url);
        const ids = new Set(receiver.accepted);
        accepted += receiver.accepted.length;
        expect(mine).toHaveLength(Math.ceil(EVENTS / KILLS) * kills);
        // Three of ten tries fail, so one event in 170,000 uses up its ten.
        const brought = mine.filter(({ status, done }) => status === 'delivered' || done < 10);
        expect(brought.filter(({ event_id: id, status }) => status !== 'delivered' || !ids.has(id))).toEqual(
          [],
        );
        expect([...ids].filter((id) => mine.every(({ event_id: known }) => known !== id))).toEqual([]);
        expect(receiver.wrongSignatures).toBe(0);
      }
      const repeats = accepted - events.filter(({ status }) => status === 'delivered').length;
      process.stdout.write(
        `${events.length} deliveries, ${kills} kills of ${WORKERS} workers: ${cut} tries cut, ${repeats} repeats of a 2xx\n`,
      );
      expect(cut).toBeGreaterThan(0);
      // Nothing is sent twice but what was under way in a process that died.
      expect(repeats).toBeLessThanOrEqual(cut);
      expect(cut).toBeLessThanOrEqual(kills * CONCURRENCY);
      expect(elsewhere.requests).toHaveLength(0);

      const { body } = await app
        .as(account)
        .get('/api/user/webhook-deliveries?status=failed&per_page=100')
        .expect(200);
      const failed = body.data.filter(({ url }: { url: string }) => url === `${dead.url}/hook`);
      expect(failed).toHaveLength(DEAD_EVENTS);
      for (const delivery of failed) {
        expect(delivery).toMatchObject({ failure_reason: 'tries_exhausted', last_status_code: 500 });
      }
    },
    LIMIT_MS + 60_000,
  );
});
