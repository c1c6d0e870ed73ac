import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { strengthOf } from '@prosa/testing';
import { ChatModelRegistry } from '../../src/providers/llm/chat-model-registry.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { CallListener, type MonitorGrant } from '../support/call-listener.js';
import { ScriptedChatModel } from '../support/scripted-chat-model.js';
import { until } from '../support/until.js';
import { type OpenedWebCall, WebCaller } from '../support/web-caller.js';

const GREETING = 'Olá! Aqui é a Padaria Central. Em que posso ajudar você?';
const ANNOUNCEMENT = 'Aviso: nossa equipe acompanha a ligação da {{loja}}.';
const NOTICE = 'Aviso: nossa equipe acompanha a ligação da Padaria Central.';
const ANSWER = 'Atendemos das seis às vinte horas.';
const TONE_HZ = 1_400;
const RATE_HZ = 24_000;

interface CallBody {
  readonly status: string;
  readonly turns: readonly { readonly role: string; readonly text: string }[];
}

jest.setTimeout(180_000);

describe('The announcement that people listen to a web call', () => {
  let app: TestApp;
  let account: TestAccount;
  let model: ScriptedChatModel;
  let callers: WebCaller[] = [];

  beforeAll(async () => {
    app = await TestApp.start({ PROSA_ROLES: 'api,worker,voice' });
    account = await app.account({ balanceUsd: 50 });
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    for (const caller of callers) if (caller.closeCode === null) caller.hangUp();
    await Promise.all(callers.map((caller) => caller.closed()));
    callers = [];
  });
  afterAll(() => app.stop());

  async function call(announcement: { text: string; tone: boolean } | null) {
    model = new ScriptedChatModel(() => ({ text: ANSWER }));
    jest.spyOn(app.app.get(ChatModelRegistry, { strict: false }), 'select').mockResolvedValue(model);
    const assistant = await createAssistant(app, account, {
      initial_message: GREETING,
      variables: { loja: 'Padaria Central' },
      monitoring_announcement: announcement,
      max_silence_duration: 120,
      reengagement_interval: 120,
    });
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

  const callOf = async (id: number) =>
    (await app.as(account).get(`/api/user/calls/${id}`).expect(200)).body as CallBody;

  const turnsOf = async (id: number) => (await callOf(id)).turns.map(({ role, text }) => [role, text]);

  async function listen(id: number): Promise<CallListener> {
    const { body } = await app.as(account).post(`/api/user/calls/${id}/monitor`).expect(201);
    return CallListener.connect(body.data as MonitorGrant);
  }

  const hasNotified = (listener: CallListener) =>
    listener.shown.some(({ type, text, final }) => type === 'turn' && text === NOTICE && final === true);

  /** The caller has heard the greeting, and nothing is said. */
  const isQuiet = (caller: WebCaller) => until(() => caller.soundMs > 500 && caller.silenceMs > 900, 60_000);

  it('is heard before the first listener hears anything; the second one hears at once', async () => {
    const { id, caller } = await call({ text: ANNOUNCEMENT, tone: false });
    await isQuiet(caller);
    const before = caller.soundMs;
    const first = await listen(id);
    expect(first.shown[0]?.type).toBe('ready');
    await until(() => caller.soundMs - before > 1_000);
    expect(first.frames).toBe(0);
    await until(() => hasNotified(first));
    // Some frames of sound, but none of the announcement.
    await until(() => first.frames > 10);
    expect([first.customerMs, first.assistantMs]).toEqual([0, 0]);
    expect(caller.soundMs - before).toBeGreaterThan(1_500);

    const heard = caller.soundMs;
    const second = await listen(id);
    await until(() => second.frames > 10, 3_000);
    await sleep(500);
    expect(caller.soundMs).toBe(heard);

    caller.type('Que horas abre?');
    await until(() => first.assistantMs > 300 && second.assistantMs > 300);
    await until(async () => (await turnsOf(id)).length >= 3);
    expect((await turnsOf(id)).slice(0, 3)).toEqual([
      ['assistant', GREETING],
      ['assistant', NOTICE],
      ['customer', 'Que horas abre?'],
    ]);
    // The model knows nothing of it, and does not take it for its own answer.
    expect(JSON.stringify(model.requests[0]?.messages)).not.toContain('Aviso');
  });

  it('keeps the person silent and deaf who takes over while it is said, and lets them speak afterwards', async () => {
    const { id, caller } = await call({ text: ANNOUNCEMENT, tone: false });
    await isQuiet(caller);
    const desk = await listen(id);
    desk.send({ type: 'take_over', id: 1 });
    expect((await desk.sees((message) => message.id === 1)).type).toBe('done');
    await until(() => hasNotified(desk));
    await until(() => desk.frames > 5);
    expect(desk.assistantMs).toBe(0);
    const before = caller.soundMs;
    await desk.say(Int16Array.from({ length: RATE_HZ }, (_, at) => 8_000 * Math.sin(at / 6)));
    await until(() => caller.soundMs - before > 700);
  });

  it('waits for a pause of the conversation, and is not said where nothing is set', async () => {
    const { id, caller } = await call({ text: ANNOUNCEMENT, tone: false });
    // While the greeting is being said.
    const listener = await listen(id);
    await until(() => hasNotified(listener), 60_000);
    await until(async () => (await turnsOf(id)).length >= 2);
    expect(await turnsOf(id)).toEqual([
      ['assistant', GREETING],
      ['assistant', NOTICE],
    ]);
    caller.hangUp();

    const silent = await call(null);
    await isQuiet(silent.caller);
    const other = await listen(silent.id);
    await until(() => other.frames > 10);
    await until(async () => (await turnsOf(silent.id)).length > 0);
    expect(await turnsOf(silent.id)).toEqual([['assistant', GREETING]]);
  });

  it('is followed by a tone every 15 seconds, until the last listener has left', async () => {
    const { id, caller } = await call({ text: ANNOUNCEMENT, tone: true });
    const tones: number[] = [];
    caller.socket.on('message', (data: Buffer, isBinary) => {
      if (!isBinary) return;
      const samples = Int16Array.from({ length: data.length / 2 }, (_, at) => data.readInt16LE(at * 2));
      if (strengthOf(TONE_HZ, samples, RATE_HZ) > 0.05) tones.push(performance.now());
    });
    await isQuiet(caller);
    const listener = await listen(id);
    await until(() => hasNotified(listener));
    const toldAtMs = performance.now();
    const pitched = tones.length;
    await sleep(13_000);
    expect(tones.slice(pitched)).toEqual([]);
    await until(() => tones.length > pitched + 5, 6_000);
    const firstAtMs = (tones[pitched] ?? 0) - toldAtMs;
    expect(firstAtMs).toBeGreaterThan(14_000);
    expect(firstAtMs).toBeLessThan(17_000);
    // The listener hears it as the customer does.
    await until(() => listener.assistantMs > 100);
    listener.socket.close();
    await sleep(500);
    const heard = tones.length;
    await sleep(16_000);
    expect(tones.length).toBe(heard);
  });
});
