import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { spoken, strengthOf, tone } from '@prosa/testing';
import { SpeechProviderRegistry } from '../../src/providers/speech/speech-provider-registry.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { CallListener, type MonitorGrant } from '../support/call-listener.js';
import { until } from '../support/until.js';
import { recordingSides } from '../support/voice/recording-sides.js';

const GREETING = 'Olá! Aqui é a Padaria Central. Posso falar um minuto sobre a sua assinatura de pães?';
/** A person who answers and talks. */
const CUSTOMER = '+5511987650000';
/** A phrase that the recognizer of the sandbox knows. */
const PERSON = 'Olá, boa tarde.';
const PITCH_HZ = 1_700;
const RECORDING_HZ = 8_000;
const WAIT_MS = 120_000;

interface CallBody {
  readonly status: string;
  readonly transcript: string | null;
  readonly turns: readonly {
    readonly role: string;
    readonly text: string;
    readonly start_ms: number;
    readonly member_name?: string | null;
  }[];
  readonly desk: readonly { readonly event: string; readonly at_ms: number }[];
}

jest.setTimeout(400_000);

describe('people who take over a call of the sandbox in sound', () => {
  let app: TestApp;
  let account: TestAccount;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'prosa-sandbox-takeover-'));
    app = await TestApp.start({
      PROSA_ROLES: 'api,worker,voice',
      SANDBOX_MEDIA: 'audio',
      DATA_DIR: folder,
    });
    account = await app.account({ balanceUsd: 50 });
    await app.app.get(SpeechProviderRegistry, { strict: false }).sandbox.ready();
  }, 400_000);
  afterAll(async () => {
    await app.stop();
    await rm(folder, { recursive: true, force: true });
  }, 60_000);

  const callOf = async (id: number) =>
    (await app.as(account).get(`/api/user/calls/${id}`).expect(200)).body as CallBody;

  it('are heard by the customer in place of the assistant, and are in transcript and recording', async () => {
    const assistant = await createAssistant(app, account, {
      type: 'outbound',
      initial_message: GREETING,
      record: true,
    });
    const { body } = await app
      .as(account)
      .post('/api/user/make_call')
      .send({ phone_number: CUSTOMER, assistant_id: assistant.id })
      .expect(200);
    const id = body.call_id as number;
    await until(async () => (await callOf(id)).status === 'in-progress', WAIT_MS);
    const { body: granted } = await app.as(account).post(`/api/user/calls/${id}/monitor`).expect(201);
    const desk = await CallListener.connect(granted.data as MonitorGrant);
    await until(() => desk.assistantMs > 1_000, WAIT_MS);

    desk.send({ type: 'take_over', id: 1 });
    await desk.sees(({ id: command, type }) => command === 1 && type === 'done');
    await sleep(300);
    const before = desk.assistantMs;
    await sleep(1_000);
    expect(desk.assistantMs).toBe(before);
    await desk.say(tone(PITCH_HZ, 24_000, 1_000, 0.4));
    await desk.say(await spoken(PERSON, 24_000));
    await desk.sees(({ role, text }) => role === 'agent' && text === PERSON, WAIT_MS);
    // The customer talks on with the person, who hears them.
    await until(() => desk.customerMs > 500, WAIT_MS);
    await until(async () => {
      const { turns } = await callOf(id);
      return turns
        .slice(turns.findIndex(({ role }) => role === 'agent'))
        .some(({ role }) => role === 'customer');
    }, WAIT_MS);
    const taken = await callOf(id);
    expect(taken.turns.filter(({ role }) => role === 'assistant')).toHaveLength(1);

    desk.send({ type: 'hand_back', id: 2 });
    await desk.sees(({ id: command, type }) => command === 2 && type === 'done');
    await until(
      async () => (await callOf(id)).turns.filter(({ role }) => role === 'assistant').length > 1,
      WAIT_MS,
    );
    desk.send({ type: 'hangup' });
    await desk.closed();
    await until(async () => (await callOf(id)).status === 'completed', WAIT_MS);
    const over = await callOf(id);
    expect(over.transcript).toContain(`Agent: ${PERSON}`);
    expect(over.desk.map(({ event }) => event)).toEqual(['listened', 'taken_over', 'handed_back', 'hung_up']);

    const recorded = await app
      .as(account)
      .get(`/api/user/calls/${id}/recording`)
      .responseType('blob')
      .expect(200);
    const path = join(folder, `${id}.ogg`);
    await writeFile(path, recorded.body as Buffer);
    const { assistant: ours, customer } = await recordingSides(path, RECORDING_HZ, 10_000);
    const loudest = (side: Int16Array) =>
      Math.max(
        ...Array.from({ length: Math.floor(side.length / RECORDING_HZ) }, (_, second) =>
          strengthOf(PITCH_HZ, side.slice(second * RECORDING_HZ, (second + 1) * RECORDING_HZ), RECORDING_HZ),
        ),
      );
    expect(loudest(ours)).toBeGreaterThan(0.1);
    expect(loudest(customer)).toBeLessThan(0.05);
  });
});
