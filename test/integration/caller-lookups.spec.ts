import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Database } from '../../src/database/database.js';
import { MAX_RUNNING_LOOKUPS } from '../../src/modules/caller-lookups/caller-lookups.service.js';
import { LINE_RESERVED_SECONDS } from '../../src/modules/active-calls/line-conditions.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant, type CreatedAssistant, createTool } from '../support/builders.js';
import { answerJson, LocalServer } from '../support/http-server.js';
import { until } from '../support/until.js';
import { type OpenedWebCall, WebCaller } from '../support/web-caller.js';

const OWN_GREETING = 'Olá! Como posso ajudar?';
const STORM_SECONDS = 3;
const OPENINGS_A_SECOND = 100;

interface CallRow {
  readonly variables: unknown;
  readonly input_variables: unknown;
  readonly initial_message: string | null;
  readonly lookup_variables: readonly string[] | null;
}

describe('Lookups of the callers of web calls', () => {
  let app: TestApp;
  let crm: LocalServer;
  let owner: TestAccount;
  let answer: (response: ServerResponse) => void;
  let asked: readonly Record<string, unknown>[];
  /** What a tool of the assistant has asked for. */
  let orders: readonly string[];
  const held = new Set<ServerResponse>();

  beforeAll(async () => {
    app = await TestApp.start({
      PROSA_ROLES: 'api,worker,voice',
      EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
      VOICE_MAX_CALLS: '500',
      VISITOR_CALLS_SHARE: '1',
    });
    crm = await LocalServer.start(({ method, path, body }, response) => {
      if (method === 'GET') {
        orders = [...orders, path];
        return answerJson(response, { orders: [] });
      }
      asked = [...asked, JSON.parse(body) as Record<string, unknown>];
      answer(response);
    });
    owner = await app.account({ balanceUsd: 1_000 });
    await app.query('UPDATE plans SET max_calls_in_parallel = 1000');
  });
  beforeEach(() => {
    asked = [];
    orders = [];
    answer = (response) => answerJson(response, {});
  });
  afterEach(() => {
    for (const response of held) response.destroy();
    held.clear();
  });
  afterAll(async () => {
    await app.stop();
    await crm.stop();
  });

  const says = (body: object) => (answer = (response) => answerJson(response, body));
  const hang = () => (answer = (response) => void held.add(response));
  const assistantWith = (overrides: Record<string, unknown> = {}): Promise<CreatedAssistant> =>
    createAssistant(app, owner, { lookup_url: `${crm.url}/who`, lookup_timeout_ms: 500, ...overrides });

  async function openByVisitor({ uuid }: CreatedAssistant, variables = {}): Promise<OpenedWebCall> {
    const body = { assistant_id: uuid, variables };
    return (await app.http.post('/api/web-calls').send(body).expect(201)).body as OpenedWebCall;
  }

  async function openOwn({ id }: CreatedAssistant, variables = {}): Promise<OpenedWebCall> {
    const { body } = await app
      .as(owner)
      .post(`/api/user/assistant/${id}/web-call`)
      .send({ variables })
      .expect(201);
    return body.data as OpenedWebCall;
  }

  async function rowOf({ call_id: id }: OpenedWebCall): Promise<CallRow | undefined> {
    const [row] = await app.query<CallRow>(
      `SELECT variables, input_variables, initial_message, lookup_variables
       FROM calls JOIN active_calls ON call_id = id WHERE id = $1`,
      [id],
    );
    return row;
  }

  async function greetingOf(opened: OpenedWebCall): Promise<string | undefined> {
    const caller = await WebCaller.connect(opened);
    const said = () => caller.shown.find(({ role }) => role === 'assistant')?.text;
    await until(() => said() !== undefined, 30_000);
    caller.hangUp();
    await caller.closed();
    return said();
  }

  it('name the call, and say nothing of a visitor', async () => {
    const assistant = await assistantWith();
    const opened = await openByVisitor(assistant, { customer_phone: '+5511912345678' });
    expect(asked).toEqual([
      {
        event: 'call.incoming',
        type: 'web',
        at: expect.any(String),
        customer_phone: null,
        assistant_phone: null,
        phone_number_id: null,
        assistant_id: assistant.id,
        call_id: opened.call_id,
        sip_headers: {},
      },
    ]);
  });

  it('say which number the owner has given', async () => {
    await openOwn(await assistantWith(), { customer_phone: '+5511912345678' });
    expect(asked).toEqual([expect.objectContaining({ type: 'web', customer_phone: '+5511912345678' })]);
  });

  it('give a visitor’s call its variables and first words, which are spoken', async () => {
    says({ variables: { name: 'Ana', account: 'A-7' }, initial_message: 'Oi, {{name}}! Tudo bem?' });
    const assistant = await assistantWith({ system_prompt: 'Você atende {{name}}, pedido {{order}}.' });
    const opened = await openByVisitor(assistant, { NAME: 'Eve', order: 7 });
    expect(await rowOf(opened)).toEqual({
      variables: { name: 'Ana', account: 'A-7', order: 7 },
      input_variables: { name: 'Ana', account: 'A-7', order: 7 },
      initial_message: 'Oi, {{name}}! Tudo bem?',
      lookup_variables: ['name', 'account'],
    });
    expect(await greetingOf(opened)).toContain('Oi, Ana!');
    await until(async () => (await rowOf(opened)) === undefined, 30_000);
  }, 60_000);

  it('give the tools of a visitor’s call values that a visitor may not set', async () => {
    says({ customer_phone: '+551130000000' });
    const tool = await createTool(app, owner, {
      name: 'list_orders',
      description: 'Pedidos do cliente',
      endpoint: `${crm.url}/orders?phone={{customer_phone}}&plan={{plan}}`,
    });
    const assistant = await assistantWith({ tool_ids: [tool], visitor_variables: [] });
    const opened = await openByVisitor(assistant, { 'Customer Phone': '+5511900000000', plan: 'gold' });
    const caller = await WebCaller.connect(opened);
    await until(() => caller.shown.some(({ role }) => role === 'assistant'), 30_000);
    caller.type('Chame list_orders');
    await until(() => orders.length > 0, 30_000);
    caller.hangUp();
    await caller.closed();
    expect(orders).toEqual(['/orders?phone=%2B551130000000&plan=']);
  }, 90_000);

  it('give the owner’s call its variables', async () => {
    says({ name: 'Ana' });
    const opened = await openOwn(await assistantWith({ initial_message: 'Olá, {{name}}!' }), {
      name: 'Bia',
      order: 7,
    });
    expect((await rowOf(opened))?.input_variables).toEqual({ name: 'Ana', order: 7 });
    expect(await greetingOf(opened)).toContain('Olá, Ana!');
  }, 60_000);

  it.each([
    ['reject', { action: 'reject', variables: { a: 1 } }],
    ['forward', { action: 'forward', phone_number: '+551130000009', variables: { a: 1 } }],
  ])('open the call although they %s, which is for telephone calls', async (_what, said) => {
    says(said);
    expect((await rowOf(await openByVisitor(await assistantWith())))?.variables).toEqual({ a: 1 });
  });

  it.each([
    [{ variables: {} }, { status: 'ok', error: null }],
    [[], { status: 'failed', error: 'not_object' }],
  ])('show on the call what came of them: %j', async (said, outcome) => {
    says(said);
    const { call_id: id } = await openByVisitor(await assistantWith());
    const { body } = await app.as(owner).get(`/api/user/calls/${id}`).expect(200);
    expect(body.routing).toEqual({
      branch: 'open',
      action: 'assistant',
      reason: null,
      lookup: { ...outcome, ms: expect.any(Number) },
      waited_ms: null,
      forwarded_to: null,
    });
  });

  it('leave the call as it was where the server is late, and reserve its line for the whole time', async () => {
    hang();
    const opened = await openByVisitor(await assistantWith({ lookup_timeout_ms: 2_000 }), {});
    const [line] = await app.query<{ seconds: number }>(
      `SELECT extract(epoch FROM line_until - now())::float8 AS seconds FROM active_calls WHERE call_id = $1`,
      [opened.call_id],
    );
    expect(line?.seconds).toBeGreaterThan(LINE_RESERVED_SECONDS - 1.5);
    expect(await rowOf(opened)).toEqual({
      variables: {},
      input_variables: {},
      initial_message: null,
      lookup_variables: null,
    });
    expect(await greetingOf(opened)).toContain(OWN_GREETING.slice(0, 4));
  }, 60_000);

  it('are not made for calls that are refused', async () => {
    const { uuid } = await assistantWith({ visitor_calls_enabled: false });
    await app.http.post('/api/web-calls').send({ assistant_id: uuid }).expect(403);
    const poor = await app.account();
    const { uuid: ofPoor } = await createAssistant(app, poor, { lookup_url: `${crm.url}/who` });
    await app.http.post('/api/web-calls').send({ assistant_id: ofPoor }).expect(400);
    expect(asked).toEqual([]);
  });

  it('hold no connection to the database while they wait', async () => {
    hang();
    const assistant = await assistantWith({ lookup_timeout_ms: 7_500 });
    const openings = Array.from({ length: MAX_RUNNING_LOOKUPS }, () => openOwn(assistant));
    await until(() => held.size === MAX_RUNNING_LOOKUPS, 30_000);
    // The pool of the tests has as many connections as lookups run.
    const [row] = await app.query<{ busy: number }>(
      `SELECT count(*)::integer AS busy FROM pg_stat_activity
       WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
    );
    expect(row?.busy).toBe(0);
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: 20 }, () => app.app.get(Database).query('SELECT 1')));
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    for (const response of held) answerJson(response, {});
    await Promise.all(openings);
  }, 60_000);

  it('do not delay other calls in a storm of openings to a server that hangs', async () => {
    hang();
    const slow = await assistantWith({ lookup_timeout_ms: 7_500 });
    const quick = await createAssistant(app, await app.account({ balanceUsd: 100 }));
    const open = ({ uuid }: CreatedAssistant) =>
      app.http.post('/api/conversations').send({ assistant_id: uuid }).expect(200);
    const times: number[] = [];
    const openings: Promise<unknown>[] = [];
    const startedAt = performance.now();
    for (let sent = 0; sent < STORM_SECONDS * OPENINGS_A_SECOND; sent++) {
      openings.push(open(slow));
      if (sent % 10 === 0) {
        const at = performance.now();
        openings.push(open(quick).then(() => times.push(performance.now() - at)));
      }
      const dueMs = (sent + 1) * (1_000 / OPENINGS_A_SECOND);
      await new Promise((resolve) => setTimeout(resolve, startedAt + dueMs - performance.now()));
    }
    await Promise.all(openings);
    // A slow machine opens the last ones after the time-out of the first.
    expect(asked.length).toBeGreaterThanOrEqual(MAX_RUNNING_LOOKUPS);
    expect(asked.length).toBeLessThanOrEqual(3 * MAX_RUNNING_LOOKUPS);
    const sorted = times.sort((one, other) => one - other);
    expect(sorted).toHaveLength((STORM_SECONDS * OPENINGS_A_SECOND) / 10);
    // A wait for the lookups would be 7.5 s.
    expect(sorted.at(-1)).toBeLessThan(5_000);
    const shown = await app.metrics();
    expect(Number(/prosa_lookups_total\{status="ignored"\} (\d+)/.exec(shown)?.[1])).toBeGreaterThanOrEqual(
      STORM_SECONDS * OPENINGS_A_SECOND - 3 * MAX_RUNNING_LOOKUPS,
    );
  }, 60_000);
});
