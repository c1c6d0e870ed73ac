import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rmsOf } from '@prosa/audio';
import type { SipCall } from '@prosa/sip';
import { type TestAccount, TestApp } from '../support/app.js';
import { makeCertificate, strengthOf, tone } from '@prosa/testing';
import { CallListener, type MonitorGrant } from '../support/call-listener.js';
import { answerJson, LocalServer } from '../support/http-server.js';
import { isFullLength, lengthOf } from '../support/length.js';
import { buildProduct } from '../support/prosa-process.js';
import { loopbackTrunk, nextEvent, SipOperator } from '@prosa/sip/testing';
import { SipTelephone } from '../support/sip-telephone.js';
import { operatorTrunk, SipVoiceProcesses } from '../support/sip-voice-processes.js';
import { until } from '../support/until.js';
import { recordingSides } from '../support/voice/recording-sides.js';

/** The platform's own, and the operator's. */
const OUR_CERTIFICATE = makeCertificate();
const OPERATOR_CERTIFICATE = makeCertificate();

const KILLS = lengthOf(1, Number(process.env.TAKEOVER_KILLS ?? 50));
const SIP_PORT = 25_060;
const RTP_FROM = 25_200;
const RECORDING_HZ = 8_000;
/** Of the line alone, and with an assistant. */
const LINE_MICROS_PER_MINUTE = 30_000;
const MICROS_PER_MINUTE = 90_000;
const PRICES = { CALL_PRICE_PER_MINUTE: '0.06', CARRIER_PRICE_PER_MINUTE: '0.03' };

const CUSTOMER = '+5511987650000';
const SUPERVISOR = '+5511987657707';
const CALL_CENTRE = '+551130009900';
const CALLER_HZ = 600;
const FAR_END_HZ = 1_100;
const CONNECTED = 'Pronto, pode falar.';
const EXCUSE = 'Desculpe, a ligação falhou por um instante.';
const GREETING = 'Olá! Como posso ajudar?';
/** A line that the sandbox's ears know. */
const QUESTION = 'Qual é o horário de atendimento?';
/** Says nothing by itself while a slow machine thinks. */
const PATIENT = { max_silence_duration: 300, reengagement_interval: 300 };

/** What the far end may hear nothing for. A busy machine takes longer, which is no fault of the takeover. */
const PAUSE_MS = 3_000;
const MOST_PAUSE_MS = 30_000;
/** What is still on its way, or waits in buffers, when a process dies. */
const LAST_SOUND_MS = 250;
const WAIT_MS = 120_000;
/** So long a person who has taken over may be away. */
const AWAY_MS = 10_000;
const QUEUE = { max_waiting: 5, max_seconds: 300, message: 'Um momento, já vamos atender.' };

interface CallRow {
  readonly status: string;
  readonly seconds: number;
  readonly paid: number;
  readonly charges: number;
  readonly transcript: string | null;
  readonly recordingKey: string | null;
}

/** Of two voice processes one has the trunks; it dies in mid-call, and the other goes on with its calls. */
describe('calls over SIP whose voice process is killed', () => {
  let api: TestApp;
  let owner: TestAccount;
  let operator: SipOperator;
  let folder: string;
  let voices: SipVoiceProcesses;
  const telephones: SipTelephone[] = [];
  const pauses: number[] = [];
  /** Until the far end has agreed to the new addresses. */
  const takeovers: number[] = [];

  const settings = {
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

  beforeAll(async () => {
    await buildProduct();
    folder = await mkdtemp(join(tmpdir(), 'prosa-takeover-'));
    operator = await SipOperator.open(RTP_FROM + 200, {
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
    api = await TestApp.start({ PROSA_ROLES: 'api,worker', ...settings });
    owner = await api.account({ balanceUsd: 1_000 });
    voices = new SipVoiceProcesses(api, folder, settings);
    await voices.start();
    await voices.served();
    await voices.start();
  }, 300_000);
  afterAll(async () => {
    for (const telephone of telephones) telephone.close();
    await voices.stop();
    await operator.close();
    await api.stop();
    await rm(folder, { recursive: true, force: true });
  }, 60_000);

  /** The oldest has the trunks. Returns when that was, by `performance.now()`. */
  async function killServing(): Promise<number> {
    const serving = voices.running.shift()!;
    serving.kill('SIGKILL');
    const killedMs = performance.now();
    await serving.exit();
    return killedMs;
  }

  /** As many live as are needed, and one has the trunks. */
  async function startPair(): Promise<void> {
    while (voices.running.length < 2) await voices.start();
    await voices.served();
  }

  /** A number whose assistant never answers, as it is closed at all times. */
  async function addClosedNumber(
    closed: Readonly<Record<string, string>>,
    more: Readonly<Record<string, unknown>> = {},
  ): Promise<string> {
    const number = await addNumber();
    const hours = {
      timezone: 'UTC',
      weekly: [{ days: ['monday'], from: '00:00', to: '00:01' }],
      closed_dates: [-1, 0, 1].map((day) =>
        new Date(Date.now() + day * 86_400_000).toISOString().slice(0, 10),
      ),
    };
    await api
      .as(owner)
      .put(`${await pathOf(number)}/routing`)
      .send({ hours, closed, ...more })
      .expect(200);
    return number;
  }

  async function pathOf(number: string): Promise<string> {
    const [row] = await api.query<{ id: number }>('SELECT id FROM phone_numbers WHERE phone_number = $1', [
      number,
    ]);
    return `/api/user/phone-numbers/${row!.id}`;
  }

  let trunks = 0;
  function addNumber(tools: readonly object[] = []): Promise<string> {
    const trunk = operatorTrunk(`+5511300000${String(++trunks).padStart(2, '0')}`, operator.port);
    return voices.addNumber(owner, trunk, (trunkId) => ({
      ...PATIENT,
      initial_message: GREETING,
      record: true,
      tools: tools.map((tool) => ({ outbound_phone_id: trunkId, description: 'Keypad', ...tool })),
    }));
  }

  function telephoneOf(call: SipCall): SipTelephone {
    const telephone = new SipTelephone(call);
    telephones.push(telephone);
    return telephone;
  }

  /** A call that has been greeted. The newest of its number is taken for it: no two call one number at the same time. */
  async function calls(number: string, trunk = 'platform') {
    const call = operator.agent.call(trunk, { from: CUSTOMER, to: number, ringingTimeoutMs: 30_000 })!;
    await nextEvent(call, 'answered', 30_000);
    const answeredMs = performance.now();
    const [row] = await api.query<{ id: number }>(
      'SELECT id FROM calls WHERE assistant_phone_number = $1 ORDER BY id DESC LIMIT 1',
      [number],
    );
    const telephone = telephoneOf(call);
    await telephone.heardSpeech();
    return { call, telephone, answeredMs, greetedMs: performance.now(), callId: row!.id };
  }

  async function finished(callId: number): Promise<CallRow> {
    const read = async () =>
      (
        await api.query<CallRow>(
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

  function expectExact(
    { seconds, paid, charges }: CallRow,
    lastedMs: number,
    microsPerMinute = MICROS_PER_MINUTE,
  ): void {
    expect(Math.abs(seconds - lastedMs / 1_000)).toBeLessThan(3);
    expect(paid).toBe((seconds * microsPerMinute) / 60);
    expect(charges).toBe(1);
  }

  /** A customer who talks with a supervisor over a second leg of ours. */
  async function bridged(number: string) {
    const customer = await calls(number);
    customer.telephone.press('42#');
    const called = await operator.answeredAt(SUPERVISOR, WAIT_MS);
    const supervisor = telephoneOf(called);
    await supervisor.heardAgain();
    supervisor.press('1');
    await until(async () => (await saidOn(customer.callId)).includes(CONNECTED), WAIT_MS);
    return { customer, called };
  }

  const saidOn = async (callId: number) =>
    (
      await api.query<{ text: string }>('SELECT text FROM call_turns WHERE call_id = $1 ORDER BY position', [
        callId,
      ])
    ).map(({ text }) => text);

  /** Kills, and measures how long it takes until all hear the assistant again. */
  async function killAndHear(answered: readonly Pick<Answered, 'call' | 'telephone'>[]): Promise<number[]> {
    const killedMs = await killServing();
    for (const { call } of answered) {
      call.once('changed', () => takeovers.push(performance.now() - killedMs));
    }
    await sleep(LAST_SOUND_MS);
    return Promise.all(
      answered.map(async ({ telephone }) => {
        await telephone.heardAgain(MOST_PAUSE_MS);
        return performance.now() - killedMs;
      }),
    );
  }

  type Answered = Awaited<ReturnType<typeof calls>>;

  async function expectWhole({ call, answeredMs, greetedMs, callId }: Answered): Promise<void> {
    call.hangUp();
    const lastedMs = performance.now() - answeredMs;
    const row = await finished(callId);
    expectExact(row, lastedMs);
    const [before = '', ...after] = row.transcript?.split(EXCUSE) ?? [];
    expect(after).toHaveLength(1);
    // The far end may have spoken into the greeting; the model's answers may begin as it does.
    expect(before.split('Olá!')).toHaveLength(2);
    const path = join(folder, 'files', row.recordingKey ?? '');
    const { assistant } = await recordingSides(path, RECORDING_HZ, 30_000);
    const samplesPerMs = RECORDING_HZ / 1_000;
    expect(Math.abs(assistant.length / samplesPerMs - lastedMs)).toBeLessThan(3_000);
    // What the process before has recorded is there as well.
    expect(rmsOf(assistant.subarray(0, (greetedMs - answeredMs) * samplesPerMs))).toBeGreaterThan(0.01);
  }

  async function listen(callId: number): Promise<CallListener | null> {
    const { body, status } = await api.as(owner).post(`/api/user/calls/${callId}/monitor`);
    return status === 201 ? CallListener.connect(body.data as MonitorGrant) : null;
  }

  it('leave the customer to the person who has taken over, and who comes back in time', async () => {
    await startPair();
    const { call, telephone, callId } = await calls(await addNumber());
    const desk = (await listen(callId))!;
    desk.send({ type: 'take_over' });
    await desk.sees(({ type }) => type === 'done');
    const killedMs = await killServing();
    await desk.closed();
    const found: CallListener[] = [];
    await until(async () => {
      const listener = await listen(callId);
      if (listener?.closeCode === null) found.push(listener);
      return found.length > 0;
    }, AWAY_MS - 1_000);
    const replacedMs = performance.now() - killedMs;
    process.stdout.write(`a person had the call again ${replacedMs.toFixed()} ms after the kill\n`);
    const again = found[0]!;
    expect(again.shown[0]).toMatchObject({ type: 'ready', holder: 'agent' });
    const speaking = again.say(tone(CALLER_HZ, 24_000, 2_000, 0.4));
    await until(() => strengthOf(CALLER_HZ, telephone.heardLast(200), 8_000) > 0.15, MOST_PAUSE_MS);
    await speaking;
    expect(await saidOn(callId)).not.toContain(EXCUSE);
    call.hangUp();
    await finished(callId);
  });

  it('are answered by the assistant when the person does not come back', async () => {
    await startPair();
    const { call, telephone, callId } = await calls(await addNumber());
    const desk = (await listen(callId))!;
    desk.send({ type: 'take_over' });
    await desk.sees(({ type }) => type === 'done');
    await telephone.say(QUESTION);
    await until(async () => (await saidOn(callId)).includes(QUESTION), WAIT_MS);
    // The turn is on record for the process that takes the call over.
    await sleep(LAST_SOUND_MS);
    const killedMs = await killServing();
    await sleep(LAST_SOUND_MS);
    await telephone.heardAgain(AWAY_MS + MOST_PAUSE_MS);
    const heardMs = performance.now() - killedMs;
    process.stdout.write(
      `the assistant was heard ${(heardMs - AWAY_MS).toFixed()} ms after the kill and the ten seconds of the person\n`,
    );
    expect(heardMs).toBeGreaterThan(AWAY_MS);
    await until(async () => (await saidOn(callId)).at(-1) !== QUESTION, WAIT_MS);
    const said = await saidOn(callId);
    expect(said.indexOf(QUESTION)).toBe(said.length - 2);
    expect(said).not.toContain(EXCUSE);
    const events = await api.query<{ event: string }>(
      "SELECT entry->>'event' AS event FROM calls, jsonb_array_elements(desk) entry WHERE id = $1",
      [callId],
    );
    expect(events.map(({ event }) => event)).toEqual(['listened', 'taken_over', 'handed_back']);
    call.hangUp();
    await finished(callId);
  });

  it('are handed over when it is shut down: no BYE, a short pause, and whole conversations', async () => {
    await startPair();
    const [number, streamed, encrypted] = [await addNumber(), await addNumber(), await addNumber()];
    const answered = await Promise.all([
      calls(number),
      calls(streamed, 'platform-tcp'),
      calls(encrypted, 'platform-tls'),
    ]);
    const ends: string[] = [];
    for (const { call } of answered) call.once('ended', ({ by }) => ends.push(by));

    const leaving = voices.running.shift()!;
    const stoppedMs = performance.now();
    leaving.kill('SIGTERM');
    const pausesMs = await Promise.all(
      answered.map(async ({ call, telephone }) => {
        await nextEvent(call, 'changed', MOST_PAUSE_MS);
        const agreedMs = performance.now() - stoppedMs;
        await telephone.heardAgain(MOST_PAUSE_MS);
        const spokenMs = performance.now() - stoppedMs;
        await telephone.heardSpeech();
        return [agreedMs, spokenMs] as const;
      }),
    );
    expect(await leaving.exit()).toBe(0);
    expect(leaving.text).not.toContain('hung up at shutdown');
    expect(ends).toEqual([]);
    await answered[0].telephone.say(QUESTION);
    await answered[0].telephone.heardSpeech();
    for (const one of answered) await expectWhole(one);
    // The next process answers a caller in the meantime.
    const next = await calls(number);
    next.call.hangUp();
    await finished(next.callId);
    const [agreed, spoken] = [0, 1].map((at) => summaryOf(pausesMs.map((times) => times[at] ?? 0)));
    process.stdout.write(`handed over after SIGTERM: far ends agreed ${agreed}; words ${spoken}\n`);
  }, 300_000);

  /** A caller whom no assistant answers. */
  async function callsClosed(number: string) {
    const call = operator.agent.call('platform', { from: CUSTOMER, to: number, ringingTimeoutMs: 30_000 })!;
    await nextEvent(call, 'answered', WAIT_MS);
    const answeredMs = performance.now();
    const over = nextEvent(call, 'ended', WAIT_MS).then(([end]) => ({ end, atMs: performance.now() }));
    const row = async () =>
      (
        await api.query<{ id: number; status: string }>(
          'SELECT id, status FROM calls WHERE assistant_phone_number = $1 ORDER BY id DESC LIMIT 1',
          [number],
        )
      )[0];
    // The state of the line is on record soon after.
    await until(async () => (await row())?.status === 'in-progress', WAIT_MS);
    return { call, answeredMs, over, callId: (await row())!.id };
  }

  /** Its line alone is paid for, once, and nothing of it is left. */
  async function expectClosed(callId: number, lastedMs: number): Promise<void> {
    expectExact(await finished(callId), lastedMs, LINE_MICROS_PER_MINUTE);
    expect(await api.query('SELECT FROM active_calls')).toEqual([]);
    expect(await api.query('SELECT held_micros::text AS held FROM wallets')).toEqual([{ held: '0' }]);
  }

  it.each([
    ['is killed', 'SIGKILL'],
    ['is shut down', 'SIGTERM'],
  ] as const)(
    'go on waiting in the queue when it %s, and are served once a line is free',
    async (_title, signal) => {
      const number = await addNumber();
      await api
        .as(owner)
        .put(`${await pathOf(number)}/routing`)
        .send({ queue: QUEUE })
        .expect(200);
      await startPair();
      await api.query('UPDATE plans SET max_calls_in_parallel = 1');
      try {
        const talking = await calls(number);
        const { call, answeredMs, callId } = await callsClosed(number);
        const caller = telephoneOf(call);
        let isOver = false;
        call.once('ended', () => {
          isOver = true;
        });
        const waiting = async () =>
          (
            await api.query<{ isWaiting: boolean; name: string; waitedMs: number | null; waited: number }>(
              `SELECT active.queued_at IS NOT NULL AS "isWaiting", assistant_name AS name,
                 (routing->>'waitedMs')::integer AS "waitedMs", active.waited_seconds AS waited
               FROM calls JOIN active_calls active ON active.call_id = calls.id WHERE calls.id = $1`,
              [callId],
            )
          )[0];
        expect(await waiting()).toMatchObject({ isWaiting: true, waitedMs: null });
        await caller.heardAgain(MOST_PAUSE_MS);
        const stoppedMs = performance.now();
        let left: Promise<unknown> = Promise.resolve();
        if (signal === 'SIGKILL') await killServing();
        else {
          const changed = nextEvent(call, 'changed', MOST_PAUSE_MS);
          const leaving = voices.running.shift()!;
          leaving.kill(signal);
          left = leaving.exit().then((code) => {
            expect(code).toBe(0);
            expect(leaving.text).not.toContain('hung up at shutdown');
          });
          await changed;
        }
        await sleep(LAST_SOUND_MS);
        await Promise.all([caller.heardAgain(MOST_PAUSE_MS), talking.telephone.heardAgain(MOST_PAUSE_MS)]);
        const heardMs = performance.now() - stoppedMs;
        expect(await waiting()).toMatchObject({ isWaiting: true, waitedMs: null });
        await left;

        talking.call.hangUp();
        await finished(talking.callId);
        const freeMs = performance.now() - answeredMs;
        await until(async () => (await waiting())?.isWaiting === false, WAIT_MS);
        const servedMs = performance.now() - answeredMs;
        const { name, waitedMs, waited } = (await waiting())!;
        expect(name).not.toBe('');
        // From the answer, not from the takeover.
        expect(waitedMs).toBeGreaterThan(freeMs - 3_000);
        expect(waitedMs).toBeLessThan(servedMs + 1_000);
        expect(waited).toBe(Math.round((waitedMs ?? 0) / 1_000));
        await until(async () => (await saidOn(callId)).length > 0, WAIT_MS);
        expect((await saidOn(callId))[0]).toContain('Olá!');
        await caller.say(QUESTION);
        await until(async () => (await saidOn(callId)).length > 2, WAIT_MS);
        expect(isOver).toBe(false);
        call.hangUp();
        const lastedMs = performance.now() - answeredMs;
        const { seconds, paid, charges, transcript } = await finished(callId);
        expect(transcript).not.toContain(EXCUSE);
        expect(Math.abs(seconds - lastedMs / 1_000)).toBeLessThan(3);
        const ofAssistant = (MICROS_PER_MINUTE - LINE_MICROS_PER_MINUTE) * (seconds - waited);
        expect(paid).toBe((LINE_MICROS_PER_MINUTE * seconds + ofAssistant) / 60);
        expect(charges).toBe(1);
        expect(await api.query('SELECT FROM active_calls')).toEqual([]);
        expect(await api.query('SELECT held_micros::text AS held FROM wallets')).toEqual([{ held: '0' }]);
        process.stdout.write(
          `${signal} with a waiting caller: sound again after ${Math.round(heardMs)} ms\n`,
        );
      } finally {
        await api.query('UPDATE plans SET max_calls_in_parallel = 10');
      }
    },
    300_000,
  );

  /** A tone of the pitch that one side plays reaches the other one. */
  async function passes(speaker: SipTelephone, listener: SipTelephone, pitchHz: number): Promise<void> {
    await until(async () => {
      await speaker.play(tone(pitchHz, 8_000, 400));
      return strengthOf(pitchHz, listener.heardLast(200), 8_000) > 0.15;
    }, MOST_PAUSE_MS);
  }

  it('talk on with the far end of a forward, and end with it', async () => {
    const number = await addClosedNumber({ action: 'forward', phone_number: CALL_CENTRE });
    await startPair();
    const { call, answeredMs, over, callId } = await callsClosed(number);
    const far = await operator.answeredAt(CALL_CENTRE, WAIT_MS);
    const [caller, agent] = [telephoneOf(call), telephoneOf(far)];
    await passes(caller, agent, CALLER_HZ);
    const joinedAgain: number[] = [];
    for (const pitch of [1, 1.5]) {
      await startPair();
      const killedMs = await killServing();
      await sleep(LAST_SOUND_MS);
      await Promise.all([
        passes(caller, agent, CALLER_HZ * pitch),
        passes(agent, caller, FAR_END_HZ * pitch),
      ]);
      joinedAgain.push(performance.now() - killedMs);
    }
    far.hangUp();
    const { end, atMs } = await over;
    expect(end).toMatchObject({ outcome: 'hung-up', by: 'remote' });
    await expectClosed(callId, atMs - answeredMs);
    // The far end was called once.
    expect(operator.dialled.filter((to) => to === CALL_CENTRE)).toHaveLength(1);
    process.stdout.write(
      `forwards whose process was killed: both hear each other ${summaryOf(joinedAgain)}\n`,
    );
  }, 300_000);

  it('end on both sides of a forward that cannot be joined again', async () => {
    const number = await addClosedNumber({ action: 'forward', phone_number: CALL_CENTRE });
    await startPair();
    const { answeredMs, over, callId } = await callsClosed(number);
    const far = await operator.answeredAt(CALL_CENTRE, WAIT_MS);
    const farOver = nextEvent(far, 'ended', WAIT_MS);
    // Less than a second is not charged.
    await sleep(1_000);
    // It is not known any more who the far end is.
    await api.query("UPDATE calls SET routing = routing - 'forwardedTo' WHERE id = $1", [callId]);
    await killServing();
    const { end, atMs } = await over;
    expect(end).toMatchObject({ outcome: 'hung-up', by: 'remote' });
    expect((await farOver)[0]).toMatchObject({ outcome: 'hung-up', by: 'remote' });
    await expectClosed(callId, atMs - answeredMs);
  }, 300_000);

  it('leave nothing behind where it dies while it looks up who calls', async () => {
    const crm = await LocalServer.start((_request, response) => {
      if (crm.requests.length > 1) answerJson(response, {});
    });
    const lookups = () => api.query('SELECT status, call_id AS "callId" FROM number_lookups');
    try {
      const message = { action: 'message', text: 'Estamos fechados até amanhã.' };
      const number = await addClosedNumber(message, { lookup_url: crm.url, lookup_timeout_ms: 7_500 });
      await startPair();
      const unheard = operator.agent.call('platform', {
        from: CUSTOMER,
        to: number,
        ringingTimeoutMs: 5_000,
      })!;
      const unheardOver = nextEvent(unheard, 'ended', WAIT_MS);
      await until(async () => crm.requests.length === 1, WAIT_MS);
      expect(await lookups()).toEqual([{ status: null, callId: null }]);
      await killServing();
      await unheardOver;
      expect(await api.query('SELECT FROM active_calls')).toEqual([]);
      expect(await api.query('SELECT FROM calls WHERE assistant_phone_number = $1', [number])).toEqual([]);
      expect(await api.query('SELECT held_micros::text AS held FROM wallets')).toEqual([{ held: '0' }]);
      // As if so long had passed that no lookup may still run.
      await api.query("UPDATE number_lookups SET at = at - interval '10 seconds'");

      await voices.served();
      const { over, callId } = await callsClosed(number);
      await over;
      await finished(callId);
      expect(crm.requests).toHaveLength(2);
      expect(await lookups()).toEqual([{ status: 'ok', callId }]);
    } finally {
      await crm.stop();
    }
  }, 300_000);

  it('end during a message, also where no other process was there', async () => {
    await startPair();
    const number = await addClosedNumber({
      action: 'message',
      text: 'Estamos fechados até amanhã. '.repeat(30),
    });
    const { call, answeredMs, over, callId } = await callsClosed(number);
    await telephoneOf(call).heardAgain(WAIT_MS);
    await Promise.all([killServing(), killServing()]);
    const killedMs = performance.now();
    await voices.start();
    const { end, atMs } = await over;
    expect(end).toMatchObject({ outcome: 'hung-up', by: 'remote' });
    process.stdout.write(`message: the line ended ${Math.round(atMs - killedMs)} ms after the kill\n`);
    await expectClosed(callId, atMs - answeredMs);
  }, 300_000);

  it(
    `talk on in the other one, over UDP, TCP, and TLS with SRTP, also from the middle of a transfer, over ${KILLS} kills`,
    async () => {
      const tools = [
        { type: 'collect_keypad' },
        { type: 'warm_call_transfer', supervisor_phone: SUPERVISOR, connected_message: CONNECTED },
      ];
      await startPair();
      const [plain, streamed, encrypted] = [await addNumber(), await addNumber(), await addNumber()];
      const transferring = await addNumber(tools);
      for (let kill = 0; kill < KILLS; kill++) {
        const [first, second, secure] = await Promise.all([
          calls(plain),
          calls(streamed, 'platform-tcp'),
          calls(encrypted, 'platform-tls'),
        ]);
        const isFirst = kill === 0;
        const transfer = isFirst ? await bridged(transferring) : null;
        const leaving = isFirst ? await calls(plain) : null;
        await first.telephone.say(QUESTION);
        await sleep(Math.random() * 6_000);
        // Keys of the sound are in it.
        const states = await api.query<{ state: string }>('SELECT line_state AS state FROM active_calls');
        expect(states.every(({ state }) => state.startsWith('v1.'))).toBe(true);
        const supervisorEnd = transfer && nextEvent(transfer.called, 'ended', WAIT_MS);
        const heard = killAndHear([first, second, secure, ...(transfer ? [transfer.customer] : [])]);
        leaving?.call.hangUp();
        pauses.push(...(await heard));
        if (isFullLength) process.stdout.write(`kill ${kill + 1}: ${summaryOf(await heard)}\n`);

        await first.telephone.heardSpeech();
        await first.telephone.say(QUESTION);
        await first.telephone.heardSpeech();
        await expectWhole(first);
        await expectWhole(second);
        await expectWhole(secure);
        expect(secure.call.media?.negotiation.negotiated?.srtp).not.toBeNull();
        if (transfer) {
          // The second leg is not left in silence: the customer is back with the assistant, and it is ended.
          expect((await supervisorEnd)?.[0]).toMatchObject({ outcome: 'hung-up', by: 'remote' });
          await expectWhole(transfer.customer);
        }
        if (leaving) {
          const row = await finished(leaving.callId);
          expect(row.seconds).toBeLessThanOrEqual(
            Math.ceil((performance.now() - leaving.answeredMs) / 1_000),
          );
          expect(row.paid).toBe((row.seconds * MICROS_PER_MINUTE) / 60);
          expect(row.transcript).not.toContain(EXCUSE);
        }
        expect(await api.query('SELECT FROM active_calls')).toEqual([]);
        if (kill < KILLS - 1) await voices.start();
      }
      const quick = pauses.filter((pauseMs) => pauseMs <= PAUSE_MS).length;
      process.stdout.write(
        `${KILLS} kills: ${quick} of ${pauses.length} calls talked on within ${PAUSE_MS} ms ` +
          `(${summaryOf(pauses)}); their far ends had agreed to it after: ${summaryOf(takeovers)}\n`,
      );
    },
    KILLS * 240_000 + 300_000,
  );
});

function summaryOf(times: readonly number[]): string {
  const sorted = times.toSorted((one, other) => one - other).map(Math.round);
  return `median ${sorted[sorted.length >> 1]} ms, longest ${sorted.at(-1)} ms`;
}
