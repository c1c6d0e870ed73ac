import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { spoken, strengthOf, tone } from '@prosa/testing';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { CallListener, type MonitorGrant } from '../support/call-listener.js';
import { buildProduct } from '../support/prosa-process.js';
import { ProsaProcesses } from '../support/prosa-processes.js';
import { until } from '../support/until.js';
import { type OpenedWebCall, WebCaller } from '../support/web-caller.js';

const AWAY_MS = 10_000;
/** From the end of these ten seconds until the assistant is heard. */
const ANSWER_MS = 3_000;
const WAIT_MS = 60_000;
const PITCH_HZ = 500;
const RATE_HZ = 24_000;
/** A line that the sandbox's ears know. */
const QUESTION = 'Qual é o horário de atendimento?';

interface CallBody {
  readonly turns: readonly { readonly role: string; readonly text: string }[];
  readonly live: { readonly holder: string } | null;
  readonly desk: readonly { readonly event: string }[];
}

/** The customer's connection goes by the API of this process; the person's by one that is killed while they have the customer. */
describe('a takeover whose API process is killed', () => {
  let api: TestApp;
  let owner: TestAccount;
  let assistant: { readonly id: number };
  let folder: string;
  let question: Int16Array;
  let processes: ProsaProcesses;
  const callers: WebCaller[] = [];

  beforeAll(async () => {
    await buildProduct();
    folder = await mkdtemp(join(tmpdir(), 'prosa-desk-kill-'));
    api = await TestApp.start();
    processes = new ProsaProcesses(api, folder);
    owner = await api.account({ balanceUsd: 50 });
    assistant = await createAssistant(api, owner, {
      initial_message: 'Olá! Em que posso ajudar você hoje?',
      max_silence_duration: 300,
      reengagement_interval: 300,
    });
    question = await spoken(QUESTION, RATE_HZ);
    await processes.startVoice();
  }, 180_000);
  afterEach(async () => {
    for (const caller of callers.splice(0)) {
      caller.hangUp();
      await caller.closed();
    }
  });
  afterAll(async () => {
    await processes.stop();
    await api.stop();
    await rm(folder, { recursive: true, force: true });
  }, 60_000);

  const callOf = async (id: number) =>
    (await api.as(owner).get(`/api/user/calls/${id}`).expect(200)).body as CallBody;
  const lastTurnOf = async (id: number) => (await callOf(id)).turns.at(-1);

  async function call(): Promise<{ readonly id: number; readonly caller: WebCaller }> {
    const open = () => api.as(owner).post(`/api/user/assistant/${assistant.id}/web-call`).send({});
    const { body } = await open().expect(201);
    const caller = await WebCaller.connect(body.data as OpenedWebCall);
    callers.push(caller);
    // The sandbox's voice takes its time to start on a busy machine.
    await until(() => caller.soundMs > 500 && caller.silenceMs > 900, WAIT_MS);
    return { id: (body.data as OpenedWebCall).call_id, caller };
  }

  /** A person who has the customer by an API process of their own, which is killed. @returns when that was */
  async function takeOverAndKill(id: number, caller: WebCaller): Promise<number> {
    const other = processes.start({ PROSA_ROLES: 'api' });
    const address = await other.ready();
    const response = await fetch(`${address}/api/user/calls/${id}/monitor`, {
      method: 'POST',
      headers: { authorization: `Bearer ${owner.token}` },
    });
    expect(response.status).toBe(201);
    const { data } = (await response.json()) as { data: MonitorGrant };
    const desk = await CallListener.connect(data);
    desk.send({ type: 'take_over' });
    await desk.sees(({ type }) => type === 'done');
    await caller.say(question);
    await until(async () => (await lastTurnOf(id))?.text === QUESTION, WAIT_MS);
    other.kill('SIGKILL');
    const killedMs = performance.now();
    await desk.closed();
    return killedMs;
  }

  async function listen(id: number): Promise<CallListener> {
    const { body } = await api.as(owner).post(`/api/user/calls/${id}/monitor`).expect(201);
    return CallListener.connect(body.data as MonitorGrant);
  }

  it('is held for ten seconds for the same person, who comes back by another API process', async () => {
    const { id, caller } = await call();
    const killedMs = await takeOverAndKill(id, caller);
    await sleep(Math.max(killedMs + AWAY_MS - 2_500 - performance.now(), 0));
    const again = await listen(id);
    expect(again.shown[0]).toMatchObject({ type: 'ready', holder: 'agent' });
    await sleep(4_000);
    const pitched: number[] = [];
    caller.socket.on('message', (data: Buffer, isBinary) => {
      if (!isBinary) return;
      const samples = Int16Array.from({ length: data.length / 2 }, (_, at) => data.readInt16LE(at * 2));
      pitched.push(strengthOf(PITCH_HZ, samples, RATE_HZ));
    });
    await again.say(tone(PITCH_HZ, RATE_HZ, 1_000, 0.4));
    await until(() => pitched.filter((strength) => strength > 0.2).length > 20);
    const { live, turns, desk } = await callOf(id);
    expect(live?.holder).toBe('agent');
    // The assistant has said nothing since.
    expect(turns.at(-1)).toMatchObject({ role: 'customer', text: QUESTION });
    expect(desk.map(({ event }) => event)).toEqual(['listened', 'taken_over', 'listened']);
  }, 180_000);

  it('ends after ten seconds, and within three more the assistant answers what the customer said', async () => {
    const { id, caller } = await call();
    const killedMs = await takeOverAndKill(id, caller);
    const before = caller.soundMs;
    await until(() => caller.soundMs - before >= 60, AWAY_MS + 30_000);
    const heardMs = performance.now() - killedMs;
    process.stdout.write(
      `the assistant was heard ${(heardMs - AWAY_MS).toFixed()} ms after the ten seconds\n`,
    );
    expect(heardMs).toBeGreaterThan(AWAY_MS - 100);
    expect(heardMs).toBeLessThan(AWAY_MS + ANSWER_MS);
    await until(async () => (await lastTurnOf(id))?.role === 'assistant');
    const { live, turns, desk } = await callOf(id);
    expect(live?.holder).toBe('assistant');
    expect(turns.at(-2)).toMatchObject({ role: 'customer', text: QUESTION });
    expect(desk.map(({ event }) => event)).toEqual(['listened', 'taken_over', 'handed_back']);
  }, 180_000);
});
