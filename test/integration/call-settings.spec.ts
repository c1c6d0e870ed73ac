import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CallCarrier } from '../../src/providers/telephony/call-carrier.js';
import type { CarrierCall } from '../../src/providers/telephony/call/carrier-call.js';
import { SandboxCallCarrier } from '../../src/providers/telephony/sandbox/sandbox-call-carrier.js';
import { SANDBOX_TIMES } from '../../src/providers/telephony/sandbox/sandbox-times.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { until } from '../support/until.js';

/** A minute passes in three seconds. */
const SPEED = 20;
/** A second and a half in real time: no machine is so busy that the platform hangs up later. */
const MUCH_LATER_SECONDS = 30;
const FINAL = ['completed', 'busy', 'no-answer', 'failed'];

/** What an assistant is set to, seen in the calls it makes and takes. The rules themselves are the engine's tests. */
describe('the settings of an assistant on the telephone', () => {
  let app: TestApp;
  let carrier: SandboxCallCarrier;
  let owner: TestAccount;
  let numbers = 0;

  beforeAll(async () => {
    app = await TestApp.start({
      PROSA_ROLES: 'api,worker',
      SANDBOX_SPEED: String(SPEED),
      CALL_PRICE_PER_MINUTE: '0.06',
      CARRIER_PRICE_PER_MINUTE: '0.012',
    });
    const found = app.app.get(CallCarrier, { strict: false });
    if (!(found instanceof SandboxCallCarrier)) throw new Error('the test needs the sandbox carrier');
    carrier = found;
  }, 60_000);
  beforeEach(async () => {
    owner = await app.account({ balanceUsd: 5 });
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  afterAll(() => app.stop());

  const ending = (digits: string) => `+551194${String(10_000 + numbers++)}${digits}`;

  interface Made {
    readonly status: string;
    readonly duration: number;
    readonly transcript: string;
    readonly answered_by: string;
    readonly recording_url?: string;
  }

  async function callMade(digits: string, settings: Record<string, unknown>) {
    const { id } = await createAssistant(app, owner, {
      type: 'outbound',
      post_call_evaluation: false,
      ...settings,
    });
    const { body } = await app
      .as(owner)
      .post('/api/user/make_call')
      .send({ phone_number: ending(digits), assistant_id: id, variables: { name: 'Ana' } })
      .expect(200);
    const read = async (): Promise<Made> =>
      (await app.as(owner).get(`/api/user/calls/${body.call_id}`).expect(200)).body;
    await until(async () => FINAL.includes((await read()).status), 40_000);
    const [row] = await app.query<{ attempt_id: string; recording_enabled: boolean }>(
      'SELECT attempt_id, recording_enabled FROM calls WHERE id = $1',
      [body.call_id],
    );
    const lookup = await carrier.findCall(row?.attempt_id ?? '');
    if (lookup.found !== 'yes') throw new Error('the carrier does not know the call');
    return { call: await read(), line: lookup.call, isRecorded: row?.recording_enabled };
  }

  const linesOf = ({ transcript }: Made) => transcript.split('\n');

  // spec: create-assistant.wait_for_customer
  it('wait_for_customer lets the customer speak first', async () => {
    const { call } = await callMade('00', { wait_for_customer: true, initial_message: 'Bom dia!' });
    expect(linesOf(call)[0]).toBe('Customer: Alô?');
    expect(call.transcript).not.toContain('Bom dia!');
  }, 60_000);

  // spec: create-assistant.ringing_time
  it('ringing_time ends the call as no-answer before a slower customer picks up', async () => {
    const { call, line } = await callMade('00', { ringing_time: 2 });
    expect(call).toMatchObject({ status: 'no-answer', duration: 0 });
    expect(line.answeredAt).toBeNull();
  }, 60_000);

  // spec: create-assistant.voice_mail_message
  it('voice_mail_message is left with its variables filled, and the call ends', async () => {
    const { call, line } = await callMade('03', {
      voice_mail_message: 'Olá {{name}}, ligamos depois.',
      end_call_on_voicemail: true,
    });
    expect(call).toMatchObject({ status: 'completed', answered_by: 'machine' });
    expect(linesOf(call).at(-1)).toBe('AI: Olá Ana, ligamos depois.');
    expect(line.end?.by).toBe('platform');
  }, 60_000);

  // spec: create-assistant.end_call_on_voicemail
  it('end_call_on_voicemail off stays on the line until the machine hangs up', async () => {
    const { call, line } = await callMade('03', { end_call_on_voicemail: false });
    expect(call).toMatchObject({ status: 'completed', answered_by: 'machine' });
    expect(line.end?.by).toBe('customer');
  }, 60_000);

  // spec: create-assistant.max_initial_silence_duration
  it('max_initial_silence_duration hangs up on a person who never speaks', async () => {
    // Neither side speaks first: the person at the far end would say hello long after the limit.
    const times: { untilOpeningMs: number } = SANDBOX_TIMES;
    jest.replaceProperty(times, 'untilOpeningMs', 2 * MUCH_LATER_SECONDS * 1_000);
    const { call, line } = await callMade('00', {
      wait_for_customer: true,
      max_initial_silence_duration: 1,
      max_silence_duration: 40,
    });
    expect(call.transcript).toBe('');
    expect(line.end?.by).toBe('platform');
    expect(call.duration).toBeLessThan(MUCH_LATER_SECONDS);
  }, 60_000);

  // spec: create-assistant.record
  it('record marks the call, and names no recording where there is none', async () => {
    const { call, isRecorded } = await callMade('00', { record: true });
    expect(isRecorded).toBe(true);
    expect(call).not.toHaveProperty('recording_url');
    expect((await callMade('01', {})).isRecorded).toBe(false);
  }, 60_000);

  describe('of a number that is called', () => {
    async function numberOf(account: TestAccount, phone: string, type = 'normal'): Promise<number> {
      const [row] = await app.query<{ id: number }>(
        `INSERT INTO phone_numbers (user_id, phone_number, country_code, type) VALUES ($1, $2, 'BR', $3) RETURNING id`,
        [account.userId, phone, type],
      );
      return row?.id ?? 0;
    }

    async function answering(account: TestAccount, phoneNumberId: number, isActive = true): Promise<void> {
      const { id } = await createAssistant(app, account, {
        type: 'inbound',
        phone_number_id: phoneNumberId,
        post_call_evaluation: false,
        record: true,
      });
      if (!isActive) return;
      await app.as(account).put(`/api/user/assistant/${id}`).send({ status: 'active' }).expect(200);
    }

    /** The call as the caller's carrier has it at its end. */
    async function callIn(to: string): Promise<CarrierCall> {
      const callId = carrier.callIn('+5511912345600', to);
      for await (const event of carrier.watch(callId, AbortSignal.timeout(30_000))) {
        if (event.type === 'ended') return event.call;
      }
      throw new Error('the call did not end');
    }

    const callsOf = async (account: TestAccount) =>
      (await app.as(account).get('/api/user/calls').expect(200)).body.data;

    it('a caller whose assistant’s account cannot pay hears that the line is busy, and leaves no call', async () => {
      const poor = await app.account({ balanceUsd: 0.01 });
      const phone = ending('00');
      await answering(poor, await numberOf(poor, phone));
      expect(await callIn(phone)).toMatchObject({ answeredAt: null, end: { outcome: 'busy' } });
      expect(await callsOf(poor)).toEqual([]);
      expect(
        await app.query('SELECT held_micros::int AS held FROM wallets WHERE user_id = $1', [poor.userId]),
      ).toEqual([{ held: 0 }]);
    }, 60_000);

    it('a number behind trunks of several accounts is answered by the one with an active assistant, once', async () => {
      const others = await Promise.all([1, 2].map(() => app.account({ balanceUsd: 5 })));
      const [idle, active] = others;
      if (!idle || !active) throw new Error('no accounts');
      const phone = ending('00');
      await answering(idle, await numberOf(idle, phone, 'sip'), false);
      await answering(active, await numberOf(active, phone, 'sip'));
      const line = await callIn(phone);
      expect(line.answeredAt).not.toBeNull();
      await until(async () => (await callsOf(active))[0]?.status === 'completed', 30_000);
      expect(await callsOf(active)).toMatchObject([
        { type: 'inbound', assistant_phone_number: phone, client_phone_number: '+5511912345600' },
      ]);
      expect(await callsOf(idle)).toEqual([]);
      expect(
        await app.query('SELECT recording_enabled FROM calls WHERE user_id = $1', [active.userId]),
      ).toEqual([{ recording_enabled: true }]);
    }, 60_000);

    it('an outbound assistant with the same number does not answer', async () => {
      const phone = ending('00');
      const phoneNumberId = await numberOf(owner, phone);
      const { id } = await createAssistant(app, owner, { type: 'outbound', phone_number_id: phoneNumberId });
      await app.as(owner).put(`/api/user/assistant/${id}`).send({ status: 'active' }).expect(200);
      expect((await callIn(phone)).answeredAt).toBeNull();
      expect(await callsOf(owner)).toEqual([]);
    }, 60_000);
  });
});
