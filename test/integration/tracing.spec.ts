import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { startTracing, type Tracing } from '../../src/boot/start-tracing.js';
import { TestApp } from '../support/app.js';
import { createAssistant, createTool, openConversation } from '../support/builders.js';
import { answerJson, LocalServer } from '../support/http-server.js';
import { until } from '../support/until.js';

const SECRET_WORDS = 'pedido 42 da Mariana';
const NUMBER = '+5511987654300';

const spans = new InMemorySpanExporter();
let tracing: Tracing;
let folder: string;
let outside: LocalServer;
let app: TestApp;

beforeAll(async () => {
  tracing = startTracing(
    { endpoint: 'http://127.0.0.1:4318', ratio: 1 },
    'seed',
    new SimpleSpanProcessor(spans),
  );
  folder = await mkdtemp(join(tmpdir(), 'prosa-tracing-'));
  outside = await LocalServer.start((_request, response) => answerJson(response, { status: 'enviado' }));
  app = await TestApp.start({
    PROSA_ROLES: 'api,worker',
    DATA_DIR: folder,
    SANDBOX_SPEED: '30',
    EGRESS_ALLOW_CIDRS: '127.0.0.1/32',
  });
}, 60_000);
afterAll(async () => {
  await app.stop();
  await outside.stop();
  await tracing.stop();
  await rm(folder, { recursive: true, force: true });
}, 60_000);

const traceOf = (span: ReadableSpan) => span.spanContext().traceId;
const find = (name: string) => spans.getFinishedSpans().find((span) => span.name === name);
const namesIn = (traceId: string) =>
  spans
    .getFinishedSpans()
    .filter((span) => traceOf(span) === traceId)
    .map(({ name }) => name);

function parentOf(span: ReadableSpan): ReadableSpan | undefined {
  return spans
    .getFinishedSpans()
    .find((each) => each.spanContext().spanId === span.parentSpanContext?.spanId);
}

it('has a request, its turn, the model, the tool and the statements in one trace', async () => {
  const owner = await app.account({ balanceUsd: 5 });
  const tool = await createTool(app, owner, {
    name: 'track_order',
    description: 'Consulta a situação de um pedido pelo número',
    endpoint: `${outside.url}/orders/{order_number}`,
    schema: [{ name: 'order_number', type: 'string', description: 'Número do pedido' }],
  });
  const assistant = await createAssistant(app, owner, { tool_ids: [tool] });
  const conversationId = await openConversation(app, assistant);
  spans.reset();
  const path = `/api/conversations/${conversationId}/messages`;
  await app.http
    .post(path)
    .send({ message: `Qual a situação do ${SECRET_WORDS}?` })
    .expect(200);
  await until(async () => find('POST /api/conversations/:uuid/messages') !== undefined);

  const request = find('POST /api/conversations/:uuid/messages') as ReadableSpan;
  const names = namesIn(traceOf(request));
  expect(names).toEqual(expect.arrayContaining(['chat.turn', 'model', 'tool', 'query SELECT']));
  expect(parentOf(find('model') as ReadableSpan)?.name).toBe('chat.turn');
  expect(parentOf(find('tool') as ReadableSpan)?.name).toBe('chat.turn');
  expect(request.parentSpanContext).toBeUndefined();
  expect(request.attributes).toMatchObject({ 'http.response.status_code': 200 });

  const exported = JSON.stringify(
    spans.getFinishedSpans().map(({ attributes, events }) => [attributes, events]),
  );
  for (const secret of ['Mariana', 'enviado', conversationId]) expect(exported).not.toContain(secret);
});

it('does not take over the trace that a caller names', async () => {
  spans.reset();
  const theirs = '4bf92f3577b34da6a3ce929d0e0e4736';
  await app.http.get('/health/live').set('traceparent', `00-${theirs}-00f067aa0ba902b7-01`).expect(200);
  await until(async () => find('GET /health/live') !== undefined);
  expect(namesIn(theirs)).toEqual([]);
});

it('has a call from its placement to its webhook in one trace, below the span of the whole call', async () => {
  const owner = await app.account({ balanceUsd: 5 });
  const assistant = await createAssistant(app, owner, {
    type: 'outbound',
    post_call_evaluation: true,
    post_call_schema: [{ name: 'interest', type: 'bool', description: 'Se o cliente tem interesse' }],
    is_webhook_active: true,
    webhook_url: `${outside.url}/hook`,
  });
  spans.reset();
  await app
    .as(owner)
    .post('/api/user/make_call')
    .send({ phone_number: NUMBER, assistant_id: assistant.id, variables: { name: 'Mariana' } })
    .expect(200);
  await until(async () => find('webhook') !== undefined, 40_000);

  const whole = find('call') as ReadableSpan;
  expect(namesIn(traceOf(whole))).toEqual(
    expect.arrayContaining(['call.place', 'call.session', 'call.evaluate', 'webhook', 'call']),
  );
  for (const name of ['call.place', 'call.session', 'call.evaluate', 'webhook']) {
    expect(parentOf(find(name) as ReadableSpan)).toBe(whole);
  }
  // The job that has placed it is a trace of its own.
  const [link] = find('call.place')?.links ?? [];
  expect(namesIn(link?.context.traceId ?? '')).toContain('job dial-call');
  const exported = JSON.stringify(
    spans.getFinishedSpans().map(({ attributes, events }) => [attributes, events]),
  );
  for (const secret of ['Mariana', NUMBER, NUMBER.slice(1)]) expect(exported).not.toContain(secret);
}, 60_000);

it('sends what it has to the collector before it ends, and ends where there is none', async () => {
  await tracing.stop();
  const collector = await LocalServer.start((_request, response) => answerJson(response, {}));
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url;
  try {
    const sending = startTracing({ endpoint: collector.url, ratio: 1 }, 'seed');
    await app.http.get('/health/live').expect(200);
    await sending.stop();
    const [sent] = collector.requests;
    expect(sent).toMatchObject({ method: 'POST', path: '/v1/traces' });
    expect(sent?.headers['content-type']).toBe('application/x-protobuf');
    expect(sent?.body).toContain('GET /health/live');
  } finally {
    await collector.stop();
  }
  const failing = startTracing({ endpoint: collector.url, ratio: 1 }, 'seed');
  await app.http.get('/health/live').expect(200);
  const startedAt = performance.now();
  await failing.stop();
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
}, 30_000);
