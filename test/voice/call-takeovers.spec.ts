import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { spoken, tone } from '@prosa/testing';
import { ChatModelRegistry } from '../../src/providers/llm/chat-model-registry.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { addMember, createAssistant } from '../support/builders.js';
import { CallListener, type MonitorGrant } from '../support/call-listener.js';
import { answerJson, LocalServer } from '../support/http-server.js';
import { ScriptedChatModel } from '../support/scripted-chat-model.js';
import { until } from '../support/until.js';
import { type OpenedWebCall, WebCaller } from '../support/web-caller.js';

const PASSWORD = 'correct horse battery';
const GREETING =
  'Olá! Aqui é a Padaria Central. Hoje temos pão francês, pão de queijo, pão integral, broa de milho, bolo de cenoura e torta de limão. Em que posso ajudar você hoje?';
const QUESTION = 'Qual é o horário de atendimento?';
/** A phrase that the recognizer of the sandbox knows. */
const PERSON = 'Olá, boa tarde.';
const NOTE = 'o cliente já recebeu a proposta por e-mail';
const ANSWER = 'Atendemos das seis às vinte horas.';
const ROUNDS = 6;
const AWAY_MS = 10_000;

interface CallBody {
  readonly status: string;
  readonly transcript: string | null;
  readonly turns: readonly {
    readonly role: string;
    readonly text: string;
    readonly member_name?: string | null;
  }[];
  readonly live: { readonly holder: string; readonly member_name: string | null } | null;
  readonly desk: readonly { readonly event: string; readonly text: string | null }[];
}

interface SentEvent {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

jest.setTimeout(180_000);

describe('People who take over a call', () => {
  let app: TestApp;
  let account: TestAccount;
  let assistant: { readonly id: number };
  let server: LocalServer;
  let question: Int16Array;
  let words: Int16Array;
  let callers: WebCaller[] = [];
  let model: ScriptedChatModel;

  beforeAll(async () => {
    server = await LocalServer.start((_request, response) => answerJson(response, {}));
    app = await TestApp.start({ PROSA_ROLES: 'api,worker,voice', EGRESS_ALLOW_CIDRS: '127.0.0.0/8' });
    account = await app.account({ balanceUsd: 50, password: PASSWORD });
    assistant = await createAssistant(app, account, {
      initial_message: GREETING,
      is_webhook_active: true,
      webhook_url: `${server.url}/calls`,
      max_silence_duration: 60,
    });
    const events = ['call.taken-over', 'call.handed-back'];
    await app
      .as(account)
      .post('/api/user/webhook-endpoints')
      .send({ url: `${server.url}/events`, events })
      .expect(201);
    [question, words] = await Promise.all([spoken(QUESTION, 24_000), spoken(PERSON, 24_000)]);
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

  async function call(): Promise<{ readonly id: number; readonly caller: WebCaller }> {
    model = new ScriptedChatModel(() => ({ text: ANSWER }));
    jest.spyOn(app.app.get(ChatModelRegistry, { strict: false }), 'select').mockResolvedValue(model);
    const { body } = await app.as(account).post(`/api/user/assistant/${assistant.id}/web-call`).send({});
    if (!body.data) throw new Error(JSON.stringify(body));
    const { call_id: id } = body.data as OpenedWebCall;
    const caller = await WebCaller.connect(body.data as OpenedWebCall);
    callers.push(caller);
    await until(async () => (await callOf(id)).status === 'in-progress');
    return { id, caller };
  }

  async function listen(id: number, who: { readonly token: string } = account): Promise<CallListener> {
    const { body } = await app.as(who).post(`/api/user/calls/${id}/monitor`).expect(201);
    return CallListener.connect(body.data as MonitorGrant);
  }

  const callOf = async (id: number) =>
    (await app.as(account).get(`/api/user/calls/${id}`).expect(200)).body as CallBody;
  const turnsOf = async (id: number) => (await callOf(id)).turns.map(({ role, text }) => [role, text]);

  /** Sends a command and returns its answer. */
  async function ask(desk: CallListener, command: Readonly<Record<string, unknown>>) {
    const id = Math.random().toString(36).slice(2);
    desk.send({ ...command, id });
    return desk.sees((message) => message.id === id);
  }

  const done = (command: string) => ({ type: 'done', command, id: expect.any(String) });
  const refused = (command: string, error: string) => ({
    type: 'refused',
    command,
    id: expect.any(String),
    error,
  });

  const eventsOf = (id: number): SentEvent[] =>
    server.requests
      .filter(({ path }) => path === '/events')
      .map(({ body }) => JSON.parse(body) as SentEvent)
      .filter(({ data }) => data['id'] === id);

  it('silence the assistant and are heard by the customer, both within moments', async () => {
    const [silences, sounds]: [number[], number[]] = [[], []];
    const hum = tone(500, 24_000, 600, 0.4);
    for (let round = 0; round < ROUNDS; round++) {
      const { id, caller } = await call();
      const desk = await listen(id);
      await caller.hears(1_500);
      const askedMs = performance.now();
      desk.send({ type: 'take_over' });
      await sleep(1_000);
      silences.push(caller.heardAtMs - askedMs);
      const before = caller.soundMs;
      const spokeMs = performance.now();
      const speaking = desk.say(hum);
      await until(() => caller.soundMs > before);
      sounds.push(caller.heardAtMs - spokeMs);
      await speaking;
      caller.hangUp();
      await caller.closed();
    }
    const p95 = (values: readonly number[]) => values.toSorted((one, other) => one - other).at(-1) ?? 0;
    process.stdout.write(
      `silent after ${p95(silences).toFixed()} ms, heard after ${p95(sounds).toFixed()} ms (p95)\n`,
    );
    expect(p95(silences)).toBeLessThan(300);
    expect(p95(sounds)).toBeLessThan(500);
  });

  it('talk with the customer on the record, and hand back with a note', async () => {
    const ana = await addMember(app, account, { name: 'Ana Souza' });
    const { id, caller } = await call();
    const [desk, other] = [await listen(id, ana), await listen(id)];
    await caller.hears(300);
    expect(await ask(desk, { type: 'take_over' })).toEqual(done('take_over'));
    expect(await other.sees(({ type, holder }) => type === 'state' && holder === 'agent')).toMatchObject({
      holder: 'agent',
      member_name: 'Ana Souza',
    });
    expect((await callOf(id)).live).toMatchObject({ holder: 'agent', member_name: 'Ana Souza' });
    expect(await ask(other, { type: 'take_over' })).toEqual(refused('take_over', 'held'));
    expect(await ask(other, { type: 'hand_back' })).toEqual(refused('hand_back', 'not_held'));
    expect(await ask(other, { type: 'say', text: 'Oi.' })).toEqual(refused('say', 'held'));
    expect(await ask(other, { type: 'transfer', phone_number: '+5511912345678' })).toEqual(
      refused('transfer', 'held'),
    );

    const before = caller.soundMs;
    await other.say(words);
    expect(caller.soundMs).toBe(before);
    await desk.say(words);
    await other.sees(({ type, role, text }) => type === 'turn' && role === 'agent' && text === PERSON);
    expect(other.shown.find(({ role }) => role === 'agent')).toEqual({
      type: 'turn',
      role: 'agent',
      member_name: 'Ana Souza',
      text: PERSON,
      final: true,
    });
    await caller.say(question);
    await until(async () => (await turnsOf(id)).some(([, text]) => text === QUESTION));
    await sleep(1_000);
    expect(model.requests).toHaveLength(0);
    expect((await callOf(id)).turns.slice(1)).toMatchObject([
      { role: 'agent', text: PERSON, member_name: 'Ana Souza' },
      { role: 'customer', text: QUESTION },
    ]);

    const handedMs = performance.now();
    expect(await ask(desk, { type: 'hand_back', note: NOTE })).toEqual(done('hand_back'));
    await until(async () => (await turnsOf(id)).at(-1)?.[0] === 'assistant');
    const answeredMs = performance.now() - handedMs;
    await until(async () => (await turnsOf(id)).at(-1)?.[1] === ANSWER);
    expect(answeredMs).toBeLessThan(4_000);
    const messages = model.requests[0]?.messages.map(({ role, content }) => `${role}: ${content}`) ?? [];
    expect(messages[0]).toContain(NOTE);
    expect(messages.filter((message) => message.includes(`[colleague Ana Souza] ${PERSON}`))).toHaveLength(1);
    expect(messages.some((message) => message.startsWith(`user: ${QUESTION}`))).toBe(true);
    expect(await ask(desk, { type: 'hand_back' })).toEqual(refused('hand_back', 'not_held'));

    caller.hangUp();
    await desk.closed();
    await until(async () => (await callOf(id)).status === 'completed');
    const over = await callOf(id);
    expect(over.transcript?.split('\n').slice(1)).toEqual([
      `Agent: ${PERSON}`,
      `Customer: ${QUESTION}`,
      `AI: ${ANSWER}`,
    ]);
    expect(over.desk.map(({ event, text }) => [event, text])).toEqual([
      ['listened', null],
      ['listened', null],
      ['taken_over', null],
      ['handed_back', NOTE],
    ]);
    await until(() => server.requests.some(({ path, body }) => path === '/calls' && body.includes(PERSON)));
    await until(() => eventsOf(id).length === 2);
    const person = { id, member_id: ana.id, member_name: 'Ana Souza', status: 'in-progress', type: 'web' };
    expect(eventsOf(id).toSorted((one, two) => two.type.localeCompare(one.type))).toMatchObject([
      { type: 'call.taken-over', data: person },
      { type: 'call.handed-back', data: { ...person, note: NOTE } },
    ]);
    expect(JSON.stringify(caller.shown)).not.toContain('e-mail');
  });

  it('keep the call when they come back in time, and lose it to the assistant when they do not', async () => {
    const { id, caller } = await call();
    const desk = await listen(id);
    await caller.hears(300);
    await ask(desk, { type: 'take_over' });
    await caller.say(question);
    await until(async () => (await turnsOf(id)).some(([, text]) => text === QUESTION));
    desk.socket.terminate();
    await sleep(3_000);
    const again = await listen(id);
    expect(again.shown[0]).toMatchObject({ type: 'ready', holder: 'agent', member_name: null });
    await sleep(AWAY_MS);
    const before = caller.soundMs;
    await again.say(words);
    await until(() => caller.soundMs > before);
    expect(model.requests).toHaveLength(0);
    await until(async () => (await turnsOf(id)).at(-1)?.[0] === 'agent');
    await caller.say(question);
    await until(async () => (await turnsOf(id)).at(-1)?.[0] === 'customer');

    const goneMs = performance.now();
    again.socket.terminate();
    await until(async () => (await turnsOf(id)).at(-1)?.[1] === ANSWER, 20_000);
    const awayMs = performance.now() - goneMs;
    expect(awayMs).toBeGreaterThan(AWAY_MS);
    expect(awayMs).toBeLessThan(AWAY_MS + 6_000);
    const { desk: entries, live } = await callOf(id);
    expect(live).toMatchObject({ holder: 'assistant', member_name: null });
    expect(entries.map(({ event }) => event)).toEqual(['listened', 'taken_over', 'listened', 'handed_back']);
  });

  it('lose the call with their right', async () => {
    const ana = await addMember(app, account, { name: 'Ana Souza' });
    const { id, caller } = await call();
    const desk = await listen(id, ana);
    await caller.hears(300);
    await ask(desk, { type: 'take_over' });
    await app.as(account).put(`/api/user/members/${ana.id}`).send({ role: 'viewer' }).expect(200);
    expect(await desk.closed(10_000)).toBe(4403);
    await until(async () => (await callOf(id)).live?.holder === 'assistant', 3_000);
  });

  it('see fields that are wrong, and numbers that calls may not go to', async () => {
    const { id, caller } = await call();
    const desk = await listen(id);
    await caller.hears(300);
    expect(await ask(desk, { type: 'hand_back', note: 'x'.repeat(2_001) })).toEqual(
      refused('hand_back', 'invalid'),
    );
    expect(await ask(desk, { type: 'transfer' })).toEqual(refused('transfer', 'invalid'));
    expect(await ask(desk, { type: 'transfer', phone_number: 'me' })).toEqual(refused('transfer', 'invalid'));
    expect(await ask(desk, { type: 'transfer', phone_number: '+4930123456' })).toEqual(
      refused('transfer', 'forbidden'),
    );
  });
});
