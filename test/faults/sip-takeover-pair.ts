import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { rmsOf } from '@prosa/audio';
import type { SipCall } from '@prosa/sip';
import { type TestAccount, TestApp } from '../support/app.js';
import { makeCertificate } from '@prosa/testing';
import { CallListener, type MonitorGrant } from '../support/call-listener.js';
import { buildProduct } from '../support/prosa-process.js';
import { loopbackTrunk, nextEvent, SipOperator } from '@prosa/sip/testing';
import { SipTelephone } from '../support/sip-telephone.js';
import { operatorTrunk, SipVoiceProcesses } from '../support/sip-voice-processes.js';
import { until } from '../support/until.js';
import { recordingSides } from '../support/voice/recording-sides.js';

/** The platform's own, and the operator's. */
const OUR_CERTIFICATE = makeCertificate();
const OPERATOR_CERTIFICATE = makeCertificate();

const SIP_PORT = 25_060;
const RTP_FROM = 25_200;
const RECORDING_HZ = 8_000;
/** Of the line alone, and with an assistant. */
export const LINE_MICROS_PER_MINUTE = 30_000;
export const MICROS_PER_MINUTE = 90_000;
const PRICES = { CALL_PRICE_PER_MINUTE: '0.06', CARRIER_PRICE_PER_MINUTE: '0.03' };

export const CUSTOMER = '+5511987650000';
export const SUPERVISOR = '+5511987657707';
export const CONNECTED = 'Pronto, pode falar.';
export const EXCUSE = 'Desculpe, a ligação falhou por um instante.';
const GREETING = 'Olá! Como posso ajudar?';
/** Says nothing by itself while a slow machine thinks. */
const PATIENT = { max_silence_duration: 300, reengagement_interval: 300 };

export const MOST_PAUSE_MS = 30_000;
/** What is still on its way, or waits in buffers, when a process dies. */
export const LAST_SOUND_MS = 250;
export const WAIT_MS = 120_000;

const SETTINGS = {
  SIP_LISTEN: `127.0.0.1:${SIP_PORT}`,
  RTP_PORTS: `${RTP_FROM}-${RTP_FROM + 198}`,
  EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
  CALLING_HOURS: 'off',
  SIP_TLS_PORT: String(SIP_PORT + 1),
  SIP_TLS_KEY: OUR_CERTIFICATE.key,
  SIP_TLS_CERT: OUR_CERTIFICATE.cert,
  SIP_TLS_CA: OPERATOR_CERTIFICATE.ca,
  ...PRICES,
};

interface CallRow {
  readonly status: string;
  readonly seconds: number;
  readonly paid: number;
  readonly charges: number;
  readonly transcript: string | null;
  readonly recordingKey: string | null;
}

type Answered = Awaited<ReturnType<SipTakeoverPair['calls']>>;

/** Of two voice processes one has the trunks; when it dies in mid-call, the other one goes on with its calls. */
export class SipTakeoverPair {
  /** Until the far end has agreed to the new addresses. */
  readonly takeovers: number[] = [];
  private readonly telephones: SipTelephone[] = [];
  private trunks = 0;

  private constructor(
    readonly api: TestApp,
    readonly owner: TestAccount,
    readonly operator: SipOperator,
    readonly voices: SipVoiceProcesses,
    private readonly folder: string,
  ) {}

  static async open(): Promise<SipTakeoverPair> {
    await buildProduct();
    const folder = await mkdtemp(join(tmpdir(), 'prosa-takeover-'));
    const operator = await SipOperator.open(RTP_FROM + 200, {
      listen: {
        host: '127.0.0.1',
        port: 0,
        tls: { ...OPERATOR_CERTIFICATE, ca: OUR_CERTIFICATE.ca, port: 0 },
      },
    });
    operator.connect(SIP_PORT);
    // Encrypted only, with keys that only the two ends have.
    const encrypted = { id: 'platform-tls', srtp: 'required' } as const;
    operator.agent.addTrunk(loopbackTrunk(SIP_PORT + 1, encrypted, 'tls'));
    operator.agent.addTrunk(loopbackTrunk(SIP_PORT, { id: 'platform-tcp' }, 'tcp'));
    const api = await TestApp.start({ PROSA_ROLES: 'api,worker', ...SETTINGS });
    const owner = await api.account({ balanceUsd: 1_000 });
    const voices = new SipVoiceProcesses(api, folder, SETTINGS);
    await voices.start();
    await voices.served();
    await voices.start();
    return new SipTakeoverPair(api, owner, operator, voices, folder);
  }

  async close(): Promise<void> {
    for (const telephone of this.telephones) telephone.close();
    await this.voices.stop();
    await this.operator.close();
    await this.api.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** The oldest has the trunks. Returns when that was, by `performance.now()`. */
  async killServing(): Promise<number> {
    const serving = this.voices.running.shift()!;
    serving.kill('SIGKILL');
    const killedMs = performance.now();
    await serving.exit();
    return killedMs;
  }

  /** As many live as are needed, and one has the trunks. */
  async startPair(): Promise<void> {
    while (this.voices.running.length < 2) await this.voices.start();
    await this.voices.served();
  }

  /** A number whose assistant never answers, as it is closed at all times. */
  async addClosedNumber(
    closed: Readonly<Record<string, string>>,
    more: Readonly<Record<string, unknown>> = {},
  ): Promise<string> {
    const number = await this.addNumber();
    const hours = {
      timezone: 'UTC',
      weekly: [{ days: ['monday'], from: '00:00', to: '00:01' }],
      closed_dates: [-1, 0, 1].map((day) =>
        new Date(Date.now() + day * 86_400_000).toISOString().slice(0, 10),
      ),
    };
    await this.api
      .as(this.owner)
      .put(`${await this.pathOf(number)}/routing`)
      .send({ hours, closed, ...more })
      .expect(200);
    return number;
  }

  async pathOf(number: string): Promise<string> {
    const [row] = await this.api.query<{ id: number }>(
      'SELECT id FROM phone_numbers WHERE phone_number = $1',
      [number],
    );
    return `/api/user/phone-numbers/${row!.id}`;
  }

  addNumber(tools: readonly object[] = []): Promise<string> {
    const trunk = operatorTrunk(`+5511300000${String(++this.trunks).padStart(2, '0')}`, this.operator.port);
    return this.voices.addNumber(this.owner, trunk, (trunkId) => ({
      ...PATIENT,
      initial_message: GREETING,
      record: true,
      tools: tools.map((tool) => ({ outbound_phone_id: trunkId, description: 'Keypad', ...tool })),
    }));
  }

  telephoneOf(call: SipCall): SipTelephone {
    const telephone = new SipTelephone(call);
    this.telephones.push(telephone);
    return telephone;
  }

  /** A call that has been greeted. The newest of its number is taken for it: no two call one number at the same time. */
  async calls(number: string, trunk = 'platform') {
    const call = this.operator.agent.call(trunk, { from: CUSTOMER, to: number, ringingTimeoutMs: 30_000 })!;
    await nextEvent(call, 'answered', 30_000);
    const answeredMs = performance.now();
    const [row] = await this.api.query<{ id: number }>(
      'SELECT id FROM calls WHERE assistant_phone_number = $1 ORDER BY id DESC LIMIT 1',
      [number],
    );
    const telephone = this.telephoneOf(call);
    await telephone.heardSpeech();
    return { call, telephone, answeredMs, greetedMs: performance.now(), callId: row!.id };
  }

  async finished(callId: number): Promise<CallRow> {
    const read = async () =>
      (
        await this.api.query<CallRow>(
          `SELECT status, duration_seconds AS seconds, transcript, recording_key AS "recordingKey",
             (SELECT coalesce(-sum(amount_micros), 0)::int FROM ledger_entries WHERE reference = 'call:' || calls.id) AS paid,
             (SELECT count(*)::int FROM ledger_entries WHERE reference = 'call:' || calls.id) AS charges
           FROM calls WHERE id = $1`,
          [callId],
        )
      )[0]!;
    await until(async () => (await read()).status === 'completed', WAIT_MS);
    return read();
  }

  expectExact(
    { seconds, paid, charges }: CallRow,
    lastedMs: number,
    microsPerMinute = MICROS_PER_MINUTE,
  ): void {
    expect(Math.abs(seconds - lastedMs / 1_000)).toBeLessThan(3);
    expect(paid).toBe((seconds * microsPerMinute) / 60);
    expect(charges).toBe(1);
  }

  /** A customer who talks with a supervisor over a second leg of ours. */
  async bridged(number: string) {
    const customer = await this.calls(number);
    customer.telephone.press('42#');
    const called = await this.operator.answeredAt(SUPERVISOR, WAIT_MS);
    const supervisor = this.telephoneOf(called);
    await supervisor.heardAgain();
    supervisor.press('1');
    await until(async () => (await this.saidOn(customer.callId)).includes(CONNECTED), WAIT_MS);
    return { customer, called };
  }

  async saidOn(callId: number): Promise<string[]> {
    return (
      await this.api.query<{ text: string }>(
        'SELECT text FROM call_turns WHERE call_id = $1 ORDER BY position',
        [callId],
      )
    ).map(({ text }) => text);
  }

  /** Kills, and measures how long it takes until all hear the assistant again. */
  async killAndHear(answered: readonly Pick<Answered, 'call' | 'telephone'>[]): Promise<number[]> {
    const killedMs = await this.killServing();
    for (const { call } of answered) {
      call.once('changed', () => this.takeovers.push(performance.now() - killedMs));
    }
    await sleep(LAST_SOUND_MS);
    return Promise.all(
      answered.map(async ({ telephone }) => {
        await telephone.heardAgain(MOST_PAUSE_MS);
        return performance.now() - killedMs;
      }),
    );
  }

  async expectWhole({ call, answeredMs, greetedMs, callId }: Answered): Promise<void> {
    call.hangUp();
    const lastedMs = performance.now() - answeredMs;
    const row = await this.finished(callId);
    this.expectExact(row, lastedMs);
    const [before = '', ...after] = row.transcript?.split(EXCUSE) ?? [];
    expect(after).toHaveLength(1);
    // The far end may have spoken into the greeting; the model's answers may begin as it does.
    expect(before.split('Olá!')).toHaveLength(2);
    const path = join(this.folder, 'files', row.recordingKey ?? '');
    const { assistant } = await recordingSides(path, RECORDING_HZ, 30_000);
    const samplesPerMs = RECORDING_HZ / 1_000;
    expect(Math.abs(assistant.length / samplesPerMs - lastedMs)).toBeLessThan(3_000);
    // What the process before has recorded is there as well.
    expect(rmsOf(assistant.subarray(0, (greetedMs - answeredMs) * samplesPerMs))).toBeGreaterThan(0.01);
  }

  async listen(callId: number): Promise<CallListener | null> {
    const { body, status } = await this.api.as(this.owner).post(`/api/user/calls/${callId}/monitor`);
    return status === 201 ? CallListener.connect(body.data as MonitorGrant) : null;
  }

  /** A caller whom no assistant answers. */
  async callsClosed(number: string) {
    const call = this.operator.agent.call('platform', {
      from: CUSTOMER,
      to: number,
      ringingTimeoutMs: 30_000,
    })!;
    await nextEvent(call, 'answered', WAIT_MS);
    const answeredMs = performance.now();
    const over = nextEvent(call, 'ended', WAIT_MS).then(([end]) => ({ end, atMs: performance.now() }));
    const row = async () =>
      (
        await this.api.query<{ id: number; status: string }>(
          'SELECT id, status FROM calls WHERE assistant_phone_number = $1 ORDER BY id DESC LIMIT 1',
          [number],
        )
      )[0];
    // The state of the line is on record soon after.
    await until(async () => (await row())?.status === 'in-progress', WAIT_MS);
    return { call, answeredMs, over, callId: (await row())!.id };
  }

  /** Its line alone is paid for, once, and nothing of it is left. */
  async expectClosed(callId: number, lastedMs: number): Promise<void> {
    this.expectExact(await this.finished(callId), lastedMs, LINE_MICROS_PER_MINUTE);
    expect(await this.api.query('SELECT FROM active_calls')).toEqual([]);
    expect(await this.api.query('SELECT held_micros::text AS held FROM wallets')).toEqual([{ held: '0' }]);
  }
}
