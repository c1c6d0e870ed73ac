import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createApp } from '../../src/boot/create-app.js';
import { Logger } from '../../src/common/observability/logger.js';
import { MetricsService } from '../../src/common/observability/metrics.service.js';
import { configFrom } from '../../src/config/config-from.js';
import { parseEnvironment } from '../../src/config/environment.js';
import { Transactions } from '../../src/database/transactions.js';
import { WebhooksService } from '../../src/modules/webhooks/webhooks.service.js';
import { TEST_ENCRYPTION_KEY, TestApp } from '../support/app.js';
import { createAssistant, createTool, openConversation } from '../support/builders.js';
import { answerJson, LocalServer } from '../support/http-server.js';
import { until } from '../support/until.js';

let folder: string;
let shop: LocalServer;
let api: TestApp;
let worker: NestExpressApplication | null = null;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prosa-metrics-'));
  shop = await LocalServer.start((_request, response) => answerJson(response, { status: 'enviado' }));
  // Without a worker, so that what waits for one can be seen.
  api = await TestApp.start(environment('api'));
}, 60_000);
afterAll(async () => {
  await worker?.close();
  await api.stop();
  await shop.stop();
  await rm(folder, { recursive: true, force: true });
}, 60_000);

function environment(roles: string): Record<string, string> {
  return {
    PROSA_ROLES: roles,
    DATA_DIR: folder,
    SANDBOX_SPEED: '60',
    EGRESS_ALLOW_CIDRS: '127.0.0.1/32',
    CALL_PRICE_PER_MINUTE: '0.06',
  };
}

async function startWorker(): Promise<NestExpressApplication> {
  const config = configFrom(
    parseEnvironment({
      ...environment('worker'),
      DATABASE_URL: api.database.url,
      DATABASE_POOL_SIZE: '10',
      ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
    }),
  );
  const app = await createApp({
    config,
    logger: Logger.create('fatal'),
    databaseUrl: api.database.url,
    encryptionKeys: [TEST_ENCRYPTION_KEY],
  });
  await app.init();
  return app;
}

/** The value of one line; 0 where it is not there. */
async function read(app: NestExpressApplication, line: string): Promise<number> {
  const text = await app.get(MetricsService).read();
  const found = text.split('\n').find((each) => each.startsWith(`${line} `));
  return Number(found?.slice(line.length + 1) ?? 0);
}

it('moves with chats, their models, tools and money', async () => {
  const { app } = api;
  const owner = await api.account({ balanceUsd: 5 });
  const tool = await createTool(api, owner, {
    name: 'track_order',
    description: 'Consulta a situação de um pedido pelo número',
    endpoint: `${shop.url}/orders/{order_number}`,
    schema: [{ name: 'order_number', type: 'string', description: 'Número do pedido' }],
  });
  const assistant = await createAssistant(api, owner, { tool_ids: [tool] });
  const conversation = await openConversation(api, assistant);
  // From the first look on, so that an installation's history is not counted as news.
  expect(await read(app, 'prosa_wallet_movements_total{kind="message"}')).toBe(0);
  await api.http
    .post(`/api/conversations/${conversation}/messages`)
    .send({ message: 'Qual a situação do pedido 42?' })
    .expect(200);

  expect(await read(app, 'prosa_chat_turn_seconds_count{result="answered"}')).toBe(1);
  expect(await read(app, 'prosa_tool_seconds_count{kind="http",result="answer"}')).toBe(1);
  // Once for the tool, once for the words.
  expect(await read(app, 'prosa_model_requests_total{provider="sandbox",result="done"}')).toBe(2);
  expect(await read(app, 'prosa_model_seconds_count{provider="sandbox",part="first"}')).toBe(2);
  expect(await read(app, 'prosa_model_seconds_count{provider="sandbox",part="whole"}')).toBe(2);
  expect(await read(app, 'prosa_wallet_movements_total{kind="message"}')).toBe(1);
  expect(await read(app, 'prosa_wallet_micros_total{kind="message"}')).toBe(10_000);
});

it('counts the connections that are in use', async () => {
  const { app } = api;
  const before = await read(app, 'prosa_database_connections{pool="data",state="used"}');
  await app.get(Transactions, { strict: false }).run(async () => {
    expect(await read(app, 'prosa_database_connections{pool="data",state="used"}')).toBe(before + 1);
  });
  expect(await read(app, 'prosa_database_connections{pool="queue",state="idle"}')).toBeGreaterThan(0);
});

it('tells what waits for a worker, and what the worker does with it', async () => {
  const { app } = api;
  const owner = await api.account({ balanceUsd: 5 });
  const assistant = await createAssistant(api, owner, { type: 'outbound' });
  const webhooks = app.get(WebhooksService, { strict: false });
  await app.get(Transactions, { strict: false }).run((tx) =>
    webhooks.enqueue(
      {
        userId: owner.userId,
        kind: 'post-call',
        assistantId: null,
        subjectId: '1',
        url: shop.url,
        payload: { id: 1 },
      },
      tx,
    ),
  );
  webhooks.wake();
  const { body } = await api
    .as(owner)
    .post('/api/user/make_call')
    .send({ phone_number: '+5511999990000', assistant_id: assistant.id })
    .expect(200);

  const lag = 'prosa_queue_lag_seconds{queue="deliver-webhooks"}';
  await until(async () => (await read(app, lag)) > 0.5);
  expect(await read(app, 'prosa_queue_jobs{queue="deliver-webhooks",state="waiting"}')).toBe(1);
  expect(await read(app, 'prosa_webhooks_pending')).toBe(1);
  expect(await read(app, 'prosa_webhooks_overdue_seconds')).toBeGreaterThan(0.5);
  expect(await read(app, 'prosa_calls_live{stage="waiting"}')).toBe(1);
  expect(await read(app, 'prosa_calls_live{stage="open"}')).toBe(0);

  worker = await startWorker();
  const running = worker;
  await until(async () => (await read(running, 'prosa_calls_live{stage="open"}')) === 1, 30_000);
  expect(await read(running, 'prosa_dials_total{carrier="sandbox",result="sent"}')).toBe(1);
  await until(async () => {
    const [call] = await api.query<{ status: string }>('SELECT status FROM calls WHERE id = $1', [
      body.call_id,
    ]);
    return call?.status === 'completed';
  }, 60_000);
  await until(async () => (await read(running, 'prosa_webhooks_pending')) === 0);
  expect(await read(running, 'prosa_webhook_attempt_seconds_count{result="delivered"}')).toBe(1);
  expect(await read(running, 'prosa_webhooks_overdue_seconds')).toBe(0);
  await until(async () => (await read(running, lag)) === 0);
  const waited = 'prosa_job_wait_seconds';
  // Counted a moment after the job has left those that wait.
  await until(async () => (await read(running, `${waited}_count{queue="deliver-webhooks"}`)) > 0);
  expect(await read(running, `${waited}_sum{queue="deliver-webhooks"}`)).toBeGreaterThan(0.5);
  expect(
    await read(running, 'prosa_job_seconds_count{queue="dial-call",result="completed"}'),
  ).toBeGreaterThan(0);
  expect(await read(app, 'prosa_wallet_movements_total{kind="call"}')).toBe(1);
}, 120_000);
