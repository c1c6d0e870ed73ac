import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LocalServer } from '#test/support/http-server.js';
import { EgressClient } from '../../../common/egress/egress-client.js';
import type { WebhooksConfig } from '../../../config/config.js';
import type { WebhookSecretsService } from '../secrets/webhook-secrets.service.js';
import type { SubscriptionSecretsService } from '../subscriptions/subscription-secrets.service.js';
import type { ClaimedDelivery } from './webhook-queue.repository.js';
import { WebhookSenderService } from './webhook-sender.service.js';

const PLAIN = { 'content-type': 'text/plain' };
const ANSWERS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  '/whole': (response) => response.writeHead(200, PLAIN).end('ok'),
  '/empty': (response) => response.writeHead(204).end(),
  '/hangs': (response) => response.writeHead(200, PLAIN).write('so far'),
  '/hangs-at-once': (response) => response.writeHead(202, PLAIN).flushHeaders(),
  '/breaks': (response) => {
    response.writeHead(201, { ...PLAIN, 'content-length': '100' }).write('so far');
    setTimeout(() => response.destroy(), 50);
  },
  '/no-gzip': (response) => response.writeHead(200, { ...PLAIN, 'content-encoding': 'gzip' }).end('ok'),
  '/no-brotli': (response) => response.writeHead(200, { ...PLAIN, 'content-encoding': 'br' }).end('ok'),
  '/many-codings': (response) =>
    response.writeHead(200, { ...PLAIN, 'content-encoding': 'gzip, gzip, br, gzip, deflate' }).end('ok'),
  '/endless': (response) => {
    response.writeHead(200, PLAIN);
    const timer = setInterval(() => response.write('x'.repeat(9_000)), 1);
    response.on('close', () => clearInterval(timer));
  },
  '/latin': (response) =>
    response
      .writeHead(200, { 'content-type': 'text/plain; charset=iso-8859-1' })
      .end(Buffer.from('ação', 'latin1')),
  '/gone-and-hangs': (response) => response.writeHead(410, PLAIN).write('gone'),
  '/busy-and-breaks': (response) => {
    response.writeHead(503, { ...PLAIN, 'retry-after': '7', 'content-length': '9' }).write('x');
    setTimeout(() => response.destroy(), 50);
  },
};

describe('WebhookSenderService', () => {
  const egress = new EgressClient({ allowCidrs: ['127.0.0.1/32'] });
  const secrets = { signingSecrets: async () => [`whsec_${randomBytes(24).toString('base64')}`] };
  const sender = new WebhookSenderService(
    egress,
    secrets as unknown as WebhookSecretsService,
    secrets as unknown as SubscriptionSecretsService,
    { timeoutMs: 3_000 } as WebhooksConfig,
  );
  let server: LocalServer;

  beforeAll(async () => {
    server = await LocalServer.start(({ path }, response) => ANSWERS[path]?.(response));
  });
  afterAll(async () => {
    await egress.close();
    await server.stop();
  });

  const send = (path: string) =>
    sender.send({
      url: server.url + path,
      eventId: 'evt_1',
      body: '{}',
      userId: 1,
      subscriptionId: null,
    } as ClaimedDelivery);

  it.each([
    ['/whole', 200, 'ok'],
    ['/empty', 204, ''],
    ['/hangs', 200, 'so far'],
    ['/hangs-at-once', 202, ''],
    ['/breaks', 201, 'so far'],
    ['/no-gzip', 200, ''],
    ['/no-brotli', 200, ''],
    ['/many-codings', 200, ''],
    ['/latin', 200, 'ação'],
  ])('has delivered once a status of 2xx has come: %s', async (path, statusCode, responseBody) => {
    expect(await send(path)).toMatchObject({ statusCode, error: null, responseBody });
  });

  it('keeps the beginning of an endless answer, and reads no further', async () => {
    const outcome = await send('/endless');
    expect(outcome).toMatchObject({ statusCode: 200, responseBody: 'x'.repeat(20_000) });
    expect(outcome?.durationMs).toBeLessThan(2_000);
  });

  it('waits two seconds for a body at most', async () => {
    const outcome = await send('/hangs');
    expect(outcome?.durationMs).toBeGreaterThan(1_900);
    expect(outcome?.durationMs).toBeLessThan(2_900);
  });

  it('goes by the status of a refusal, too', async () => {
    expect(await send('/gone-and-hangs')).toMatchObject({
      statusCode: 410,
      error: null,
      responseBody: 'gone',
    });
    expect(await send('/busy-and-breaks')).toMatchObject({
      statusCode: 503,
      error: null,
      retryAfterMs: 7_000,
    });
  });

  it('has failed where no status comes', async () => {
    expect(await send('/nothing')).toMatchObject({ statusCode: null, error: 'timeout' });
  });
});
