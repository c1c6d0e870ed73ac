import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { IncomingCall } from '@prosa/sip';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { buildProduct, type ProsaProcess } from '../support/prosa-process.js';
import { nextEvent, SipOperator } from '@prosa/sip/testing';
import { SipTelephone } from '../support/sip-telephone.js';
import { operatorTrunk, SipVoiceProcesses } from '../support/sip-voice-processes.js';
import { until } from '../support/until.js';

const SIP_PORT = 26_560;
const PROCESS_PORTS = [26_570, 26_572, 26_574] as const;
const RTP_FROM = 26_600;
const MICROS_PER_MINUTE = 60_000;
const PATIENT = { max_silence_duration: 300, reengagement_interval: 300 };
const PROCESSES = 3;
const CALLS = 6;
const MOST_PAUSE_MS = 30_000;
const WAIT_MS = 120_000;

interface Talk {
  readonly callId: number;
  readonly call: IncomingCall;
  readonly telephone: SipTelephone;
  readonly answeredMs: number;
}

/** Of three voice processes one has the trunks, and all place calls: each carries a share, and is replaced when it dies. */
describe('calls over SIP of several voice processes', () => {
  let api: TestApp;
  let owner: TestAccount;
  let operator: SipOperator;
  let folder: string;
  let voices: SipVoiceProcesses;
  let caller: number;
  let called: string;
  const talks: Talk[] = [];
  const ended: string[] = [];

  const settings = {
    SIP_LISTEN: `127.0.0.1:${SIP_PORT}`,
    SIP_PROCESS_PORTS: `${PROCESS_PORTS[0]}-${PROCESS_PORTS[2] + 1}`,
    SIP_CALLS_PER_SECOND: '4',
    RTP_PORTS: `${RTP_FROM}-${RTP_FROM + 198}`,
    EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
    CALLING_HOURS: 'off',
    CALL_PRICE_PER_MINUTE: '0.06',
    CARRIER_PRICE_PER_MINUTE: '0',
  };

  beforeAll(async () => {
    await buildProduct();
    folder = await mkdtemp(join(tmpdir(), 'prosa-shared-'));
    operator = await SipOperator.open(RTP_FROM + 200);
    operator.connect(SIP_PORT);
    api = await TestApp.start({ PROSA_ROLES: 'api,worker', ...settings });
    owner = await api.account({ balanceUsd: 1_000 });
    voices = new SipVoiceProcesses(api, folder, settings);
    while (voices.running.length < PROCESSES) await startOne();
    const { body } = await api
      .as(owner)
      .post('/api/user/phone-numbers/sip-trunks')
      .send({ ...operatorTrunk('+551130000001', operator.port), max_parallel_calls: CALLS })
      .expect(201);
    const { id } = body.data as { id: number };
    caller = (await createAssistant(api, owner, { ...PATIENT, type: 'outbound', phone_number_id: id })).id;
    called = await voices.addNumber(owner, operatorTrunk('+551130000002', operator.port), () => PATIENT);
  }, 300_000);
  afterAll(async () => {
    for (const { telephone } of talks) telephone.close();
    await voices.stop();
    await operator.close();
    await api.stop();
    await rm(folder, { recursive: true, force: true });
  }, 60_000);

  /** The oldest has the trunks. */
  async function startOne(): Promise<void> {
    const known = await api.query<{ id: string }>('SELECT id FROM voice_processes');
    await voices.start();
    const isNew = "'sip' = ANY(carriers) AND id <> ALL($1::uuid[])";
    const isServing = () =>
      api.query(`SELECT FROM voice_processes WHERE ${isNew}`, [known.map(({ id }) => id)]);
    await until(async () => (await isServing()).length > 0, WAIT_MS);
  }

  function makeCall(number: string) {
    return api.as(owner).post('/api/user/make_call').send({ phone_number: number, assistant_id: caller });
  }

  /** A call that has been greeted. */
  async function talkTo(number: string): Promise<Talk> {
    const { body } = await makeCall(number).expect(200);
    const call = await operator.answeredAt(number, WAIT_MS);
    call.once('ended', ({ by }) => ended.push(`${number} by ${by}`));
    const telephone = new SipTelephone(call);
    const talk = { callId: body.call_id as number, call, telephone, answeredMs: performance.now() };
    talks.push(talk);
    await telephone.heardSpeech();
    return talk;
  }

  /** Where the process of a call is reached. */
  const portOf = ({ call }: Talk) =>
    Number(/:(\d+)/.exec(call.getDialog().snapshot().remoteTarget.slice(4))?.[1]);
  const portsNow = () => talks.map(portOf).toSorted((one, other) => one - other);
  const at = (port: number) => talks.filter((talk) => portOf(talk) === port);

  /** Checks that only the calls of the leaving process pause. Returns the length of each pause. */
  async function endsAndOthersGoOn(
    leaving: ProsaProcess,
    signal: 'SIGKILL' | 'SIGTERM',
    affected: readonly Talk[],
  ): Promise<number[]> {
    const disturbed: number[] = [];
    for (const talk of talks) {
      if (!affected.includes(talk)) talk.call.once('changed', () => disturbed.push(talk.callId));
    }
    const begunMs = performance.now();
    leaving.kill(signal);
    const pauses = await Promise.all(
      affected.map(async ({ call, telephone }) => {
        await nextEvent(call, 'changed', MOST_PAUSE_MS);
        const agreedMs = performance.now() - begunMs;
        await telephone.heardAgain(MOST_PAUSE_MS);
        return agreedMs;
      }),
    );
    await leaving.exit();
    expect(ended).toEqual([]);
    expect(disturbed).toEqual([]);
    for (const { call } of talks) call.removeAllListeners('changed');
    return pauses;
  }

  const say = (what: string, times: readonly number[]) =>
    process.stdout.write(`${what}: far ends agreed after ${times.map(Math.round).join(', ')} ms\n`);

  it('go out by all of them, each from an address of its own, and no more at once than the trunk takes', async () => {
    const numbers = Array.from({ length: CALLS }, (_unused, at) => `+55119876501${at + 10}`);
    await Promise.all(numbers.map(talkTo));
    expect(portsNow()).toEqual(
      [SIP_PORT, PROCESS_PORTS[0], PROCESS_PORTS[1]].flatMap((port) => [port, port]),
    );
    await makeCall('+5511987650199').expect(422);
    expect(operator.dialled).toHaveLength(CALLS);
  }, 180_000);

  it('talk on in the others when one dies that places calls alone', async () => {
    const affected = at(PROCESS_PORTS[0]);
    const [leaving] = voices.running.splice(1, 1);
    say('killed next to others', await endsAndOthersGoOn(leaving!, 'SIGKILL', affected));
    expect(affected.map(portOf)).not.toContain(PROCESS_PORTS[0]);
  }, 180_000);

  it('talk on in the last one when that with the trunks dies, and it takes the calls that come in', async () => {
    const affected = at(SIP_PORT);
    say('killed with the trunks', await endsAndOthersGoOn(voices.running.shift()!, 'SIGKILL', affected));
    const answered = async () => {
      const call = operator.call('+5511987650000', called);
      const isUp = await nextEvent(call, 'answered').then(
        () => true,
        () => false,
      );
      call.hangUp();
      return isUp;
    };
    await until(answered, WAIT_MS);
  }, 180_000);

  it('are handed over by one that is shut down', async () => {
    await startOne();
    const pauses = await endsAndOthersGoOn(voices.running.shift()!, 'SIGTERM', [...talks]);
    say('shut down', pauses);
    expect(new Set(portsNow()).size).toBe(1);
  }, 180_000);

  it('have lost nothing, and are charged once', async () => {
    const seconds = await Promise.all(
      talks.map(async ({ callId, call, answeredMs }) => {
        call.hangUp();
        return [callId, (performance.now() - answeredMs) / 1_000] as const;
      }),
    );
    await until(async () => (await api.query('SELECT FROM active_calls')).length === 0, WAIT_MS);
    for (const [callId, lasted] of seconds) {
      const [row] = await api.query<{ status: string; seconds: number; paid: number; charges: number }>(
        `SELECT status, duration_seconds AS seconds,
           (SELECT -sum(amount_micros)::int FROM ledger_entries WHERE reference = 'call:' || calls.id) AS paid,
           (SELECT count(*)::int FROM ledger_entries WHERE reference = 'call:' || calls.id) AS charges
         FROM calls WHERE id = $1`,
        [callId],
      );
      expect(row).toMatchObject({ status: 'completed', charges: 1 });
      expect(Math.abs(row!.seconds - lasted)).toBeLessThan(3);
      expect(row!.paid).toBe((row!.seconds * MICROS_PER_MINUTE) / 60);
    }
  }, 180_000);
});
