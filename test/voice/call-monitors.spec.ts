import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ChatModelRegistry } from '../../src/providers/llm/chat-model-registry.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { addMember, createAssistant, createTool } from '../support/builders.js';
import { CallListener, type MonitorGrant } from '../support/call-listener.js';
import { answerJson, LocalServer } from '../support/http-server.js';
import { ScriptedChatModel, type ScriptedTurn } from '../support/scripted-chat-model.js';
import { until } from '../support/until.js';
import { type OpenedWebCall, WebCaller } from '../support/web-caller.js';

const PASSWORD = 'correct horse battery';
const GREETING = 'Olá! Aqui é a Padaria Central. Em que posso ajudar você hoje?';
const WHISPER = 'ofereça ao cliente um desconto de dez por cento no plano anual';

interface CallBody {
  readonly status: string;
  readonly transcript: string | null;
  readonly turns: readonly { readonly role: string; readonly text: string }[];
  readonly live: { readonly listeners: number; readonly holder: string } | null;
  readonly desk: readonly {
    readonly at_ms: number;
    readonly event: string;
    readonly member_name: string | null;
    readonly text: string | null;
  }[];
}

jest.setTimeout(120_000);

describe('People who listen to a call', () => {
  let app: TestApp;
  let account: TestAccount;
  let assistant: { readonly id: number };
  let server: LocalServer;
  let callers: WebCaller[] = [];

  beforeAll(async () => {
    server = await LocalServer.start((_request, response) => answerJson(response, { booked: true }));
    app = await TestApp.start({ PROSA_ROLES: 'api,worker,voice', EGRESS_ALLOW_CIDRS: '127.0.0.0/8' });
    account = await app.account({ balanceUsd: 50, password: PASSWORD });
    const tool = await createTool(app, account, {
      name: 'book',
      endpoint: `${server.url}/book`,
      method: 'POST',
      schema: [],
    });
    assistant = await createAssistant(app, account, {
      initial_message: GREETING,
      tool_ids: [tool],
      is_webhook_active: true,
      webhook_url: `${server.url}/calls`,
    });
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    for (const caller of callers) if (caller.closeCode === null) caller.hangUp();
    await Promise.all(callers.map((caller) => caller.closed()));
    callers = [];
  });
  afterAll(async () => {
    await app.stop();
    await server.stop();
  });

  /** The model of the calls that begin from now on. */
  function answering(answer: (customer: string, turn: number) => ScriptedTurn): ScriptedChatModel {
    const model = new ScriptedChatModel(({ messages }, turn) => {
      const last = messages.findLast(({ role }) => role === 'user');
      return answer(typeof last?.content === 'string' ? last.content : '', turn);
    });
    jest.spyOn(app.app.get(ChatModelRegistry, { strict: false }), 'select').mockResolvedValue(model);
    return model;
  }

  async function call(): Promise<{ readonly id: number; readonly caller: WebCaller }> {
    const { body } = await app
      .as(account)
      .post(`/api/user/assistant/${assistant.id}/web-call`)
      .send({})
      .expect(201);
    const { call_id: id } = body.data as OpenedWebCall;
    const caller = await WebCaller.connect(body.data as OpenedWebCall);
    callers.push(caller);
    await until(async () => (await callOf(id)).status === 'in-progress');
    return { id, caller };
  }

  async function grantFor(id: number, who: { readonly token: string } = account): Promise<MonitorGrant> {
    const { body } = await app.as(who).post(`/api/user/calls/${id}/monitor`).expect(201);
    return body.data as MonitorGrant;
  }

  const listen = async (id: number, who: { readonly token: string } = account) =>
    CallListener.connect(await grantFor(id, who));

  const callOf = async (id: number) =>
    (await app.as(account).get(`/api/user/calls/${id}`).expect(200)).body as CallBody;

  const isGreeted = (listener: CallListener) =>
    listener.sees(({ type, role, final }) => type === 'turn' && role === 'assistant' && final === true);

  it('hear the customer on the left and the assistant on the right, and read what is said', async () => {
    const { id, caller } = await call();
    const listener = await listen(id);
    expect(listener.shown[0]).toEqual({
      type: 'ready',
      sample_rate: 24_000,
      frame_ms: 20,
      channels: 2,
      holder: 'assistant',
      member_name: null,
    });
    await isGreeted(listener);
    expect(listener.assistantMs).toBeGreaterThan(500);
    expect(listener.customerMs).toBe(0);
    expect(listener.shown.filter(({ type }) => type === 'turn').at(-1)?.text).toBe(GREETING);

    await listener.sees(({ type, state }) => type === 'state' && state === 'listening');
    await sleep(500);
    const before = listener.assistantMs;
    // A beep that no recognizer takes for words.
    await caller.say(
      Int16Array.from({ length: 24_000 }, (_, at) => 8_000 * Math.sin((at * 2 * Math.PI) / 60)),
    );
    await until(() => listener.customerMs > 700);
    expect(listener.assistantMs - before).toBeLessThan(200);
    expect([listener.oddFrames, listener.closeCode]).toEqual([0, null]);

    caller.hangUp();
    expect(await listener.sees(({ type }) => type === 'ended')).toEqual({
      type: 'ended',
      reason: 'customer',
    });
    expect(await listener.closed()).toBe(1000);
    expect((await callOf(id)).live).toBeNull();
    expect((await callOf(id)).desk).toEqual([
      { at_ms: expect.any(Number), event: 'listened', member_name: null, text: null },
    ]);
  });

  it('read what the customer says, and the tools that the assistant calls', async () => {
    answering((customer, turn) =>
      customer.includes('reservar') && turn === 0
        ? { calls: [{ name: 'book', args: {} }] }
        : { text: 'Reservado.' },
    );
    const { id, caller } = await call();
    const listener = await listen(id);
    await isGreeted(listener);
    caller.type('Quero reservar.');
    await listener.sees(({ type, status }) => type === 'tool' && status === 'done');
    const tools = listener.shown.filter(({ type }) => type === 'tool');
    expect(tools).toEqual([
      { type: 'tool', name: 'book', arguments: {}, status: 'started' },
      { type: 'tool', name: 'book', arguments: {}, status: 'done', result: expect.anything() },
    ]);
    await listener.sees(
      ({ role, text, final }) => role === 'assistant' && text === 'Reservado.' && final === true,
    );
    expect(listener.shown).toContainEqual({
      type: 'turn',
      role: 'customer',
      text: 'Quero reservar.',
      final: true,
    });
  });

  it('whisper to the assistant, and neither the customer nor the record of what was said has their words', async () => {
    const model = answering(() => ({
      text: ['Claro. Eu ', `${WHISPER.toUpperCase()}! Posso `, 'confirmar?'],
    }));
    const { id, caller } = await call();
    const listener = await listen(id);
    await isGreeted(listener);
    listener.send({ type: 'whisper', text: WHISPER, id: 'w1' });
    expect(await listener.sees(({ type }) => type === 'done')).toEqual({
      type: 'done',
      command: 'whisper',
      id: 'w1',
    });
    caller.type('Está caro.');
    const answered = 'Claro. Eu Posso confirmar?';
    await listener.sees(({ text, final }) => text === answered && final === true);
    await until(async () => (await callOf(id)).turns.at(-1)?.text === answered);

    const [system] = model.requests[0]?.messages ?? [];
    expect(system?.content).toContain(WHISPER);
    const { turns, desk } = await callOf(id);
    expect(turns.map(({ text }) => text)).toEqual([GREETING, 'Está caro.', answered]);
    expect(desk.map(({ event, text }) => [event, text])).toEqual([
      ['listened', null],
      ['whispered', WHISPER],
    ]);
    caller.hangUp();
    await listener.closed();
    await until(async () => (await callOf(id)).status === 'completed');
    await until(() =>
      server.requests.some(({ path, body }) => path === '/calls' && body.includes('Está caro')),
    );
    const shown = [
      JSON.stringify(caller.shown),
      (await callOf(id)).transcript ?? '',
      ...server.requests.map(({ body }) => body),
    ];
    for (const text of shown) expect(text.toLowerCase()).not.toContain('dez por cento');
  });

  it('let the assistant say words, which are a turn of it', async () => {
    const { id } = await call();
    const listener = await listen(id);
    await isGreeted(listener);
    listener.send({ type: 'say', text: 'Um momento, por favor.', id: 7 });
    expect(await listener.sees(({ type }) => type === 'done')).toEqual({
      type: 'done',
      command: 'say',
      id: 7,
    });
    await until(async () => (await callOf(id)).turns.at(-1)?.text === 'Um momento, por favor.');
    const { turns, desk } = await callOf(id);
    expect(turns.at(-1)?.role).toBe('assistant');
    expect(desk.at(-1)).toMatchObject({ event: 'said', text: 'Um momento, por favor.' });
  });

  it('hang up', async () => {
    const { id, caller } = await call();
    const operator = await addMember(app, account, { name: 'Bia Souza' });
    const listener = await listen(id, operator);
    listener.send({ type: 'hangup' });
    expect(await listener.sees(({ type }) => type === 'done')).toEqual({ type: 'done', command: 'hangup' });
    expect(await listener.sees(({ type }) => type === 'ended')).toEqual({ type: 'ended', reason: 'stopped' });
    expect([await listener.closed(), await caller.closed()]).toEqual([1000, 1000]);
    const { desk } = await callOf(id);
    expect(desk.map(({ event, member_name: name }) => [event, name])).toEqual([
      ['listened', 'Bia Souza'],
      ['hung_up', 'Bia Souza'],
    ]);
  });

  it('are counted, and three at most', async () => {
    const { id } = await call();
    const spare = await grantFor(id);
    const listeners = [await listen(id), await listen(id), await listen(id)];
    await listeners[0]?.sees(({ type, listeners: count }) => type === 'state' && count === 3);
    expect((await callOf(id)).live?.listeners).toBe(3);
    const { body } = await app.as(account).get('/api/user/calls?live=true').expect(200);
    expect((body.data as (CallBody & { id: number })[]).find((one) => one.id === id)?.live?.listeners).toBe(
      3,
    );
    const refused = await app.as(account).post(`/api/user/calls/${id}/monitor`).expect(409);
    expect(refused.body).toEqual({
      message: 'Esta ligação já tem 3 ouvintes. Tente novamente quando alguém sair',
    });
    expect(await (await CallListener.connect(spare)).closed()).toBe(4429);

    listeners[0]?.socket.terminate();
    await until(async () => (await callOf(id)).live?.listeners === 2);
    await listeners[1]?.sees(({ type, listeners: count }) => type === 'state' && count === 2);
    await listen(id);
  });

  it('count no more some seconds after their process has died', async () => {
    const { id } = await call();
    await app.query(
      `INSERT INTO call_monitors (id, call_id, caller, token_hash, redeemed_at, valid_until)
       VALUES (gen_random_uuid(), $1, '{}', '\\x00', now(), now() + interval '2 seconds')`,
      [id],
    );
    expect((await callOf(id)).live?.listeners).toBe(1);
    await until(async () => (await callOf(id)).live?.listeners === 0);
  });

  it('are heard no more when their right is lost', async () => {
    const { id } = await call();
    const operator = await addMember(app, account, { name: 'Bia Souza' });
    const { body } = await app
      .as(account)
      .post('/api/user/api-keys')
      .send({ name: 'desk', scopes: ['calls'] })
      .expect(201);
    const [person, key] = [
      await listen(id, operator),
      await listen(id, { token: body.api_key.token as string }),
    ];
    const late = await grantFor(id, operator);
    await app.as(account).put(`/api/user/members/${operator.id}`).send({ role: 'viewer' }).expect(200);
    const { body: keys } = await app.as(account).get('/api/user/api-keys').expect(200);
    const { id: keyId } = (keys.api_keys as { id: number; name: string }[]).find(
      ({ name }) => name === 'desk',
    ) ?? { id: 0 };
    await app.as(account).delete(`/api/user/api-keys/${keyId}`).expect(200);
    expect([await person.closed(10_000), await key.closed(10_000)]).toEqual([4403, 4403]);
    expect(await (await CallListener.connect(late)).closed()).toBe(4403);
  });

  it('use a token once, in time, for its own call', async () => {
    const [{ id }, other] = [await call(), await call()];
    const grant = await grantFor(id);
    const listener = await CallListener.connect(grant);
    expect(await (await CallListener.connect(grant)).closed()).toBe(4401);
    const foreign = await grantFor(id);
    const crossed = { ...foreign, url: foreign.url.replace(`/${id}/`, `/${other.id}/`) };
    expect(await (await CallListener.connect(crossed)).closed()).toBe(4401);
    const old = await grantFor(id);
    await app.query(
      "UPDATE call_monitors SET valid_until = now() - interval '1 second' WHERE redeemed_at IS NULL",
    );
    expect(await (await CallListener.connect(old)).closed()).toBe(4401);
    expect(listener.closeCode).toBeNull();
  });

  it('are answered for what is no command, and closed for what is no message', async () => {
    const { id } = await call();
    const listener = await listen(id);
    listener.send({ type: 'takeover', id: 'a' });
    listener.send({ type: 'say', text: ' ', id: 'b' });
    listener.send({ type: 'whisper', text: 'x'.repeat(1_001) });
    listener.send({ id: 'c' });
    await until(() => listener.shown.filter(({ type }) => type === 'refused').length === 4);
    expect(listener.shown.filter(({ type }) => type === 'refused')).toEqual([
      { type: 'refused', command: 'takeover', id: 'a', error: 'invalid' },
      { type: 'refused', command: 'say', id: 'b', error: 'invalid' },
      { type: 'refused', command: 'whisper', error: 'invalid' },
      { type: 'refused', command: null, id: 'c', error: 'invalid' },
    ]);
    // Sound is allowed, and heard only of a person who has taken over.
    listener.socket.send(Buffer.alloc(960));
    listener.socket.send('hello');
    expect(await listener.closed()).toBe(4400);
    const flooding = await listen(id);
    for (let sent = 0; sent < 30; sent++) flooding.send({ type: 'none' });
    expect(await flooding.closed()).toBe(4429);
  });
});
