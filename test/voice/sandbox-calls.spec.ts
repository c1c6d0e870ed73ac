import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { BeepDetector } from '../../src/common/audio/beep-detector.js';
import { KeypadDetector, rmsOf } from '@prosa/audio';
import { SpeechProviderRegistry } from '../../src/providers/speech/speech-provider-registry.js';
import { personaOf } from '../../src/providers/telephony/sandbox/sandbox-persona.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { until } from '../support/until.js';
import { recordingSides } from '../support/voice/recording-sides.js';
import { framesOf } from '@prosa/testing';

const GREETING = 'Olá! Aqui é a Padaria Central. Posso falar um minuto sobre a sua assinatura de pães?';
const MESSAGE = 'Aqui é a Padaria Central. Ligue de volta, por favor.';
const CUSTOMER = '+55119876500';
const FINAL = ['completed', 'busy', 'no-answer', 'failed'];
const CALL_MS = 150_000;
const RATE = 8_000;

interface Turn {
  readonly role: string;
  readonly text: string;
  readonly start_ms: number;
  readonly end_ms: number;
  readonly interrupted: boolean;
}

interface CallBody {
  readonly id: number;
  readonly status: string;
  readonly duration: number;
  readonly transcript: string;
  readonly answered_by: string;
  readonly turns: readonly Turn[];
}

/** Both sides of a call as they were recorded, in frames. */
interface Recording {
  readonly customer: readonly Int16Array[];
  readonly assistant: readonly Int16Array[];
}

// The voice and the ears take a minute to be there on a busy machine.
jest.setTimeout(400_000);

describe('calls of the sandbox in sound', () => {
  let app: TestApp;
  let account: TestAccount;
  let folder: string;
  const calls = new Map<string, Promise<CallBody>>();

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'prosa-sandbox-sound-'));
    app = await TestApp.start({
      PROSA_ROLES: 'api,worker,voice',
      SANDBOX_MEDIA: 'audio',
      DATA_DIR: folder,
    });
    account = await app.account({ balanceUsd: 50 });
    await app.app.get(SpeechProviderRegistry, { strict: false }).sandbox.ready();
    const { id } = await createAssistant(app, account, {
      type: 'outbound',
      initial_message: GREETING,
      voice_mail_message: MESSAGE,
      record: true,
      tools: [{ type: 'collect_keypad' }],
    });
    // They last as long as in life. Three at a time leave a busy machine enough to hear in time.
    const first = callAll(id, ['00', '03', '10']);
    void callAll(id, ['07', '08', '09'], Promise.allSettled(first));
  }, 400_000);
  afterAll(async () => {
    await Promise.allSettled(calls.values());
    await app.stop();
    await rm(folder, { recursive: true, force: true });
  }, 400_000);

  function callAll(
    assistantId: number,
    endings: readonly string[],
    after: Promise<unknown> = Promise.resolve(),
  ): Promise<CallBody>[] {
    const begun = endings.map((ending) => after.then(() => makeCall(assistantId, ending)));
    endings.forEach((ending, index) => calls.set(ending, begun[index]!));
    return begun;
  }

  async function makeCall(assistantId: number, ending: string): Promise<CallBody> {
    const { body } = await app
      .as(account)
      .post('/api/user/make_call')
      .send({ phone_number: CUSTOMER + ending, assistant_id: assistantId })
      .expect(200);
    const read = async () =>
      (await app.as(account).get(`/api/user/calls/${body.call_id}`).expect(200)).body as CallBody;
    await until(async () => FINAL.includes((await read()).status), CALL_MS);
    return read();
  }

  function call(ending: string): Promise<CallBody> {
    return calls.get(ending) ?? Promise.reject(new Error(`no call to ${ending}`));
  }

  async function recordingOf({ id }: CallBody): Promise<Recording> {
    const { body } = await app
      .as(account)
      .get(`/api/user/calls/${id}/recording`)
      .responseType('blob')
      .expect(200);
    const path = join(folder, `${id}.ogg`);
    await writeFile(path, body as Buffer);
    const { customer, assistant } = await recordingSides(path, RATE, 10_000);
    return { customer: [...framesOf(customer, RATE)], assistant: [...framesOf(assistant, RATE)] };
  }

  /** Of all that this person may say, what was understood. */
  function understood({ turns }: CallBody, ending: string): string[] {
    const { opening, nudge, replies } = personaOf(CUSTOMER + ending, 2);
    const lines = [opening, nudge, ...replies.map(({ say }) => say)];
    return turns
      .filter(({ role }) => role === 'customer')
      .flatMap(({ text }) => (lines.includes(text) ? [text] : []));
  }

  it('00: a person answers, is understood, hears answers and hangs up; the call is recorded on both sides', async () => {
    const done = await call('00');
    expect(done).toMatchObject({ status: 'completed', answered_by: 'human' });
    expect(done.turns[0]).toMatchObject({ role: 'assistant', text: expect.stringMatching(/^Olá! Aqui é/) });
    expect(understood(done, '00').length).toBeGreaterThanOrEqual(1);
    expect(done.turns.filter(({ role }) => role === 'assistant').length).toBeGreaterThanOrEqual(2);
    const { customer, assistant } = await recordingOf(done);
    for (const side of [customer, assistant]) expect(loudMs(side)).toBeGreaterThan(2_000);
    expect(customer.length).toBe(assistant.length);
  });

  it('03: a machine is detected by its sound, and gets the message after its beep', async () => {
    const done = await call('03');
    expect(done).toMatchObject({ status: 'completed', answered_by: 'machine' });
    expect(done.turns.at(-1)).toMatchObject({ role: 'assistant', text: MESSAGE, interrupted: false });
    const { customer, assistant } = await recordingOf(done);
    const beep = new BeepDetector(RATE, 10);
    const beepedAt = customer.findIndex((frame) => beep.hear(frame));
    expect(beepedAt).toBeGreaterThan(0);
    const before = assistant.slice(beepedAt - 40, beepedAt - 5);
    expect(loudMs(before)).toBe(0);
    expect(loudMs(assistant.slice(beepedAt))).toBeGreaterThan(2_000);
  });

  it('10: keys are heard in the sound of the line', async () => {
    const done = await call('10');
    expect(done.turns).toContainEqual(expect.objectContaining({ role: 'customer', text: '[Keypad: 42]' }));
    const keys = new KeypadDetector(RATE);
    const { customer } = await recordingOf(done);
    expect(customer.map((frame) => keys.hear(frame) ?? '').join('')).toBe('42#');
  });

  it('07: the assistant falls silent when it is talked over', async () => {
    const done = await call('07');
    expect(done.status).toBe('completed');
    expect(done.turns.filter(({ role }) => role === 'assistant')).toContainEqual(
      expect.objectContaining({ interrupted: true }),
    );
  });

  it('08: a cough does not stop the assistant', async () => {
    const done = await call('08');
    expect(done.status).toBe('completed');
    expect(done.turns[0]).toMatchObject({ role: 'assistant', text: GREETING, interrupted: false });
    const { customer, assistant } = await recordingOf(done);
    const coughedAt = customer.findIndex(isLoud);
    expect(coughedAt * 20).toBeLessThan(done.turns[0]!.end_ms);
    expect(loudMs(assistant.slice(coughedAt + 25, coughedAt + 150))).toBeGreaterThan(500);
  });

  it('09: a person in a noisy street is understood', async () => {
    const done = await call('09');
    expect(understood(done, '09').length).toBeGreaterThanOrEqual(1);
    const { customer } = await recordingOf(done);
    const levels = customer.map(rmsOf).toSorted((one, other) => one - other);
    expect(levels[Math.floor(levels.length / 4)]).toBeGreaterThan(0.005);
  });
});

function isLoud(frame: Int16Array): boolean {
  return rmsOf(frame) > 0.015;
}

function loudMs(frames: readonly Int16Array[]): number {
  return frames.filter(isLoud).length * 20;
}
