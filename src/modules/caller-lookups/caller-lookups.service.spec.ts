import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { LocalServer, type ReceivedRequest } from '#test/support/http-server.js';
import { EgressClient } from '../../common/egress/egress-client.js';
import { Logger } from '../../common/observability/logger.js';
import { MetricsService } from '../../common/observability/metrics.service.js';
import type { AssistantDetails } from '../assistants/assistant-details.js';
import type { AssistantsService } from '../assistants/assistants.service.js';
import type { WebhookSecretsService } from '../webhooks/secrets/webhook-secrets.service.js';
import { newWebhookSecret } from '../webhooks/secrets/webhook-signature.js';
import {
  CallerLookupsService,
  MAX_RUNNING_CALL_LOOKUPS,
  MAX_RUNNING_LOOKUPS,
} from './caller-lookups.service.js';
import type { LookupQuestion, LookupResult } from './lookup.js';
import { LookupClientService } from './lookup-client.service.js';
import { LookupMetricsService } from './lookup-metrics.service.js';

const SECRET = newWebhookSecret();
const JSON_HEAD = { 'content-type': 'application/json' };
const TIMEOUT_MS = 500;
/** For a busy machine. */
const GRACE_MS = 1_500;

type Answer = (response: ServerResponse, request: ReceivedRequest) => void;
const json =
  (body: unknown, status = 200): Answer =>
  (response) =>
    void response.writeHead(status, JSON_HEAD).end(JSON.stringify(body));

/** Assistants of account 1, by id. */
const ASSISTANTS: Readonly<Record<number, Pick<AssistantDetails, 'status' | 'activatesByUse' | 'closedAt'>>> =
  {
    2: { status: 'active', activatesByUse: true, closedAt: null },
    3: { status: 'inactive', activatesByUse: true, closedAt: null },
    4: { status: 'inactive', activatesByUse: false, closedAt: null },
    5: { status: 'active', activatesByUse: true, closedAt: new Date() },
  };

const QUESTION: Omit<LookupQuestion, 'url'> = {
  userId: 1,
  timeoutMs: TIMEOUT_MS,
  type: 'web',
  assistantId: 4,
  customerPhone: null,
  assistantPhone: null,
  phoneNumberId: null,
  callId: 812,
  conversationId: null,
  sipHeaders: {},
};

/** Made once: that takes longer than an answer may. */
const BOMB = gzipSync(objectOf(20_000_000));

describe('CallerLookupsService', () => {
  const egress = new EgressClient({ allowCidrs: ['127.0.0.1/32'] });
  const lines: string[] = [];
  let metrics: MetricsService;
  let lookups: CallerLookupsService;
  let server: LocalServer;
  let answer: Answer;

  beforeAll(async () => {
    server = await LocalServer.start((request, response) => answer(response, request));
  });
  beforeEach(() => {
    lines.length = 0;
    lookups = serviceWith(egress);
  });
  afterAll(async () => {
    await egress.close();
    await server.stop();
  });

  function serviceWith(client: EgressClient): CallerLookupsService {
    const logger = Logger.create('debug', { write: (line) => void lines.push(line) });
    metrics = new MetricsService(logger);
    const secrets = { signingSecrets: async () => [SECRET] } as unknown as WebhookSecretsService;
    const assistants = {
      find: async (userId: number, id: number) => (userId === 1 ? (ASSISTANTS[id] ?? null) : null),
    } as unknown as AssistantsService;
    return new CallerLookupsService(
      new LookupClientService(client, secrets),
      assistants,
      new LookupMetricsService(metrics),
      logger,
    );
  }

  const ask = (answers: Answer, sent: Partial<LookupQuestion> = {}): Promise<LookupResult> => {
    answer = answers;
    return lookups.ask({ ...QUESTION, url: `${server.url}/who`, ...sent });
  };

  it('sends one POST that is signed as webhooks are, and uses the answer', async () => {
    const sent = server.requests.length;
    const result = await ask(json({ name: 'Ana' }), {
      type: 'inbound',
      customerPhone: '+5511912345678',
      assistantPhone: '+551130000000',
      phoneNumberId: 7,
      sipHeaders: { 'x-queue': 'vip' },
    });
    expect(result).toEqual({
      status: 'ok',
      httpStatus: 200,
      ms: expect.any(Number),
      error: null,
      answer: expect.objectContaining({ variables: { name: 'Ana' } }),
    });
    const [request, ...others] = server.requests.slice(sent);
    expect(others).toEqual([]);
    expect(request).toMatchObject({ method: 'POST', path: '/who', headers: JSON_HEAD });
    const headers = request?.headers as Record<string, string>;
    expect(new Webhook(SECRET).verify(request?.body ?? '', headers)).toEqual({
      event: 'call.incoming',
      type: 'inbound',
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      customer_phone: '+5511912345678',
      assistant_phone: '+551130000000',
      phone_number_id: 7,
      assistant_id: 4,
      call_id: 812,
      sip_headers: { 'x-queue': 'vip' },
    });
  });

  it('names the conversation in place of a call, and says that it is a test', async () => {
    const conversationId = '0197a1b2-0000-4000-8000-000000000000';
    await ask(json({}), { type: 'conversation', callId: null, conversationId, isTest: true });
    const body = JSON.parse(server.requests.at(-1)?.body ?? '') as object;
    expect(body).toMatchObject({ type: 'conversation', conversation_id: conversationId, test: true });
    expect(body).not.toHaveProperty('call_id');
  });

  it.each<[string, Answer, Partial<LookupResult>]>([
    [
      '204 without a body',
      (response) => void response.writeHead(204).end(),
      { status: 'failed', httpStatus: 204, error: 'not_json' },
    ],
    ['another 2xx', json({ a: 1 }, 202), { status: 'ok', httpStatus: 202, error: null }],
    ['404', json({ a: 1 }, 404), { status: 'failed', httpStatus: 404, error: 'http_status' }],
    ['500', json({ a: 1 }, 500), { status: 'failed', httpStatus: 500, error: 'http_status' }],
    [
      'a page',
      (response) => void response.writeHead(200).end('<html>'),
      { status: 'failed', httpStatus: 200, error: 'not_json' },
    ],
    ['a list', json([1]), { status: 'failed', httpStatus: 200, error: 'not_object' }],
    [
      'a redirect',
      (response) => void response.writeHead(307, { location: '/elsewhere' }).end('{}'),
      { status: 'failed', httpStatus: 307, error: 'http_status' },
    ],
    ['64 KB', (response) => void response.end(objectOf(65_536)), { status: 'ok', error: null }],
    [
      'a byte more',
      (response) => void response.end(objectOf(65_537)),
      { status: 'failed', error: 'too_large' },
    ],
    [
      'a compressed bomb',
      (response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(BOMB),
      { status: 'failed', error: 'too_large' },
    ],
    [
      'a lost connection',
      (response) => void response.destroy(),
      { status: 'failed', httpStatus: null, error: 'unreachable' },
    ],
    ['a forward to no number', json({ action: 'forward' }), { status: 'ignored', error: 'bad_phone_number' }],
  ])('answers for %s', async (_what, answers, expected) => {
    const result = await ask(answers);
    expect(result).toMatchObject(expected);
    expect(result.answer === null).toBe(expected.status !== 'ok');
  });

  it('follows no redirect', async () => {
    const sent = server.requests.length;
    await ask((response) => void response.writeHead(302, { location: `${server.url}/elsewhere` }).end());
    expect(server.requests.slice(sent).map(({ path }) => path)).toEqual(['/who']);
  });

  it.each<[string, Answer]>([
    ['never answers', () => undefined],
    ['stops in the body', (response) => void response.writeHead(200, JSON_HEAD).write('{"name":')],
    [
      'sends a byte now and then',
      (response) => {
        response.writeHead(200, JSON_HEAD);
        const timer = setInterval(() => response.write(' '), 50);
        response.once('close', () => clearInterval(timer));
      },
    ],
    ['sends an error that does not end', (response) => void response.writeHead(500).write('x')],
  ])('waits no longer than its time-out for a server that %s', async (_what, answers) => {
    const startedAt = performance.now();
    const result = await ask(answers);
    expect(performance.now() - startedAt).toBeLessThan(TIMEOUT_MS + GRACE_MS);
    expect(result).toMatchObject({ status: 'timeout', httpStatus: null, error: null, answer: null });
    expect(result.ms).toBeGreaterThanOrEqual(TIMEOUT_MS - 20);
  });

  it.each([
    'http://127.0.0.1:9/who',
    'http://169.254.169.254/latest/meta-data',
    'http://[::1]:8080/who',
    'http://10.0.0.1/who',
    'http://localhost:5432/',
    'http://no-such-host.invalid/who',
  ])('does not reach %s', async (url) => {
    const guarded = new EgressClient({ allowCidrs: [] });
    lookups = serviceWith(guarded);
    const result = await ask(json({}), { url, timeoutMs: 5_000 });
    await guarded.close();
    expect(result).toMatchObject({ status: 'failed', error: 'unreachable', httpStatus: null, answer: null });
  });

  it.each([
    [2, 'ok', 'active'],
    [3, 'ok', 'never used'],
    [4, 'ok', 'asked about, although its owner has deactivated it'],
    [5, 'ignored', 'of an account that is being deleted'],
    [6, 'ignored', 'of another account, or gone'],
  ])('takes assistant %i as %s: %s', async (assistant_id, status) => {
    const result = await ask(json({ assistant_id, variables: { a: 1 } }));
    const isOk = status === 'ok';
    expect(result).toMatchObject({ status, error: isOk ? null : 'unknown_assistant' });
    expect(result.answer?.assistantId ?? null).toBe(isOk ? assistant_id : null);
  });

  it('drops an answer that names an assistant whose owner has deactivated it', async () => {
    const result = await ask(json({ assistant_id: 4, variables: { a: 1 } }), { assistantId: 2 });
    expect(result).toMatchObject({ status: 'ignored', error: 'unknown_assistant', answer: null });
  });

  it('runs ten of an account at once, and goes on without the others', async () => {
    const held: ServerResponse[] = [];
    const hold: Answer = (response) => void held.push(response);
    const running = Array.from({ length: MAX_RUNNING_LOOKUPS }, () => ask(hold, { timeoutMs: 7_500 }));
    expect(await ask(hold)).toEqual({
      status: 'ignored',
      httpStatus: null,
      ms: 0,
      error: null,
      answer: null,
    });
    // Others have places of their own: another account, and telephone calls of the same one.
    const others = [ask(hold, { userId: 2 }), ask(hold, { type: 'inbound' })];
    while (held.length < MAX_RUNNING_LOOKUPS + others.length) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    for (const response of held) json({ a: 1 })(response, server.requests[0] as ReceivedRequest);
    const results = await Promise.all([...running, ...others]);
    expect(results.map(({ status }) => status)).toEqual(results.map(() => 'ok'));
    expect(await ask(json({ a: 1 }))).toMatchObject({ status: 'ok' });
  });

  it('runs more telephone calls of an account at once, with tests among the others', async () => {
    const held: ServerResponse[] = [];
    const hold: Answer = (response) => void held.push(response);
    const call = { type: 'inbound', timeoutMs: 7_500 } as const;
    const test = { ...call, isTest: true };
    const running = [
      ...Array.from({ length: MAX_RUNNING_CALL_LOOKUPS }, () => ask(hold, call)),
      ...Array.from({ length: MAX_RUNNING_LOOKUPS }, () => ask(hold, test)),
    ];
    expect(await ask(hold, call)).toMatchObject({ status: 'ignored', ms: 0 });
    expect(await ask(hold, test)).toMatchObject({ status: 'ignored', ms: 0 });
    while (held.length < running.length) await new Promise((resolve) => setTimeout(resolve, 5));
    for (const response of held) json({ a: 1 })(response, server.requests[0] as ReceivedRequest);
    const results = await Promise.all(running);
    expect(results.map(({ status }) => status)).toEqual(results.map(() => 'ok'));
  });

  it('gives its place back after every failure', async () => {
    for (let asked = 0; asked <= MAX_RUNNING_LOOKUPS; asked++) {
      expect(await ask((response) => void response.destroy())).toMatchObject({ error: 'unreachable' });
    }
  });

  it('counts each outcome, and measures those that were sent', async () => {
    await ask(json({ a: 1 }));
    await ask(json([]));
    await ask(json({ assistant_id: 6 }));
    const held: ServerResponse[] = [];
    const running = Array.from({ length: MAX_RUNNING_LOOKUPS }, () =>
      ask((response) => void held.push(response)),
    );
    await ask(() => undefined);
    await Promise.all(running);
    const shown = await metrics.read();
    expect(shown).toContain('prosa_lookups_total{status="ok"} 1');
    expect(shown).toContain('prosa_lookups_total{status="failed"} 1');
    expect(shown).toContain('prosa_lookups_total{status="ignored"} 2');
    expect(shown).toContain(`prosa_lookups_total{status="timeout"} ${MAX_RUNNING_LOOKUPS}`);
    expect(shown).toContain('prosa_lookup_seconds_count{status="ignored"} 1');
    expect(shown).toContain(`prosa_lookup_seconds_count{status="timeout"} ${MAX_RUNNING_LOOKUPS}`);
  });

  it('logs the outcome, and neither the address nor who calls', async () => {
    await ask(json([]), { customerPhone: '+5511912345678', url: `${server.url}/who?key=s3cret` });
    const [line] = lines.map((text) => JSON.parse(text) as Record<string, unknown>);
    expect(line).toMatchObject({
      msg: 'caller not looked up',
      status: 'failed',
      error: 'not_object',
      callId: 812,
    });
    expect(lines.join('')).not.toMatch(/s3cret|5511912345678|\/who/);
  });
});

/** JSON of so many bytes. */
function objectOf(bytes: number): string {
  const frame = '{"a":""}';
  return `{"a":"${'x'.repeat(bytes - frame.length)}"}`;
}
