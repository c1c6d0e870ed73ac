import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rmsOf } from '@prosa/audio';
import type { SipCall } from '@prosa/sip';
import { type TestAccount, TestApp } from '../support/app.js';
import { makeCertificate } from '@prosa/testing';
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
const MICROS_PER_MINUTE = 60_000;
const PRICES = { CALL_PRICE_PER_MINUTE: '0.06', CARRIER_PRICE_PER_MINUTE: '0' };

const CUSTOMER = '+5511987650000';
const SUPERVISOR = '+5511987657707';
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

  function expectExact({ seconds, paid, charges }: CallRow, lastedMs: number): void {
    expect(Math.abs(seconds - lastedMs / 1_000)).toBeLessThan(3);
    expect(paid).toBe((seconds * MICROS_PER_MINUTE) / 60);
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
