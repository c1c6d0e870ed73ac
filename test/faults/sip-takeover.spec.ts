import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestAccount, TestApp } from '../support/app.js';
import { strengthOf, tone } from '@prosa/testing';
import type { CallListener } from '../support/call-listener.js';
import { answerJson, LocalServer } from '../support/http-server.js';
import { isFullLength, lengthOf } from '../support/length.js';
import { nextEvent, type SipOperator } from '@prosa/sip/testing';
import type { SipTelephone } from '../support/sip-telephone.js';
import type { SipVoiceProcesses } from '../support/sip-voice-processes.js';
import { until } from '../support/until.js';
import {
  CONNECTED,
  CUSTOMER,
  EXCUSE,
  LAST_SOUND_MS,
  LINE_MICROS_PER_MINUTE,
  MICROS_PER_MINUTE,
  MOST_PAUSE_MS,
  SipTakeoverPair,
  SUPERVISOR,
  WAIT_MS,
} from './sip-takeover-pair.js';

const KILLS = lengthOf(1, Number(process.env.TAKEOVER_KILLS ?? 50));
const CALL_CENTRE = '+551130009900';
const CALLER_HZ = 600;
const FAR_END_HZ = 1_100;
/** A line that the sandbox's ears know. */
const QUESTION = 'Qual é o horário de atendimento?';

/** What the far end may hear nothing for. A busy machine takes longer, which is no fault of the takeover. */
const PAUSE_MS = 3_000;
/** So long a person who has taken over may be away. */
const AWAY_MS = 10_000;
const QUEUE = { max_waiting: 5, max_seconds: 300, message: 'Um momento, já vamos atender.' };

describe('calls over SIP whose voice process is killed', () => {
  let pair: SipTakeoverPair;
  let api: TestApp;
  let owner: TestAccount;
  let operator: SipOperator;
  let voices: SipVoiceProcesses;
  const pauses: number[] = [];

  beforeAll(async () => {
    pair = await SipTakeoverPair.open();
    ({ api, owner, operator, voices } = pair);
  }, 300_000);
  afterAll(() => pair.close(), 60_000);

  it('leave the customer to the person who has taken over, and who comes back in time', async () => {
    await pair.startPair();
    const { call, telephone, callId } = await pair.calls(await pair.addNumber());
    const desk = (await pair.listen(callId))!;
    desk.send({ type: 'take_over' });
    await desk.sees(({ type }) => type === 'done');
    const killedMs = await pair.killServing();
    await desk.closed();
    const found: CallListener[] = [];
    await until(async () => {
      const listener = await pair.listen(callId);
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
    expect(await pair.saidOn(callId)).not.toContain(EXCUSE);
    call.hangUp();
    await pair.finished(callId);
  });

  it('are answered by the assistant when the person does not come back', async () => {
    await pair.startPair();
    const { call, telephone, callId } = await pair.calls(await pair.addNumber());
    const desk = (await pair.listen(callId))!;
    desk.send({ type: 'take_over' });
    await desk.sees(({ type }) => type === 'done');
    await telephone.say(QUESTION);
    await until(async () => (await pair.saidOn(callId)).includes(QUESTION), WAIT_MS);
    // The turn is on record for the process that takes the call over.
    await sleep(LAST_SOUND_MS);
    const killedMs = await pair.killServing();
    await sleep(LAST_SOUND_MS);
    await telephone.heardAgain(AWAY_MS + MOST_PAUSE_MS);
    const heardMs = performance.now() - killedMs;
    process.stdout.write(
      `the assistant was heard ${(heardMs - AWAY_MS).toFixed()} ms after the kill and the ten seconds of the person\n`,
    );
    expect(heardMs).toBeGreaterThan(AWAY_MS);
    await until(async () => (await pair.saidOn(callId)).at(-1) !== QUESTION, WAIT_MS);
    const said = await pair.saidOn(callId);
    expect(said.indexOf(QUESTION)).toBe(said.length - 2);
    expect(said).not.toContain(EXCUSE);
    const events = await api.query<{ event: string }>(
      "SELECT entry->>'event' AS event FROM calls, jsonb_array_elements(desk) entry WHERE id = $1",
      [callId],
    );
    expect(events.map(({ event }) => event)).toEqual(['listened', 'taken_over', 'handed_back']);
    call.hangUp();
    await pair.finished(callId);
  });

  it('are handed over when it is shut down: no BYE, a short pause, and whole conversations', async () => {
    await pair.startPair();
    const [number, streamed, encrypted] = [
      await pair.addNumber(),
      await pair.addNumber(),
      await pair.addNumber(),
    ];
    const answered = await Promise.all([
      pair.calls(number),
      pair.calls(streamed, 'platform-tcp'),
      pair.calls(encrypted, 'platform-tls'),
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
    for (const one of answered) await pair.expectWhole(one);
    // The next process answers a caller in the meantime.
    const next = await pair.calls(number);
    next.call.hangUp();
    await pair.finished(next.callId);
    const [agreed, spoken] = [0, 1].map((at) => summaryOf(pausesMs.map((times) => times[at] ?? 0)));
    process.stdout.write(`handed over after SIGTERM: far ends agreed ${agreed}; words ${spoken}\n`);
  }, 300_000);

  it.each([
    ['is killed', 'SIGKILL'],
    ['is shut down', 'SIGTERM'],
  ] as const)(
    'go on waiting in the queue when it %s, and are served once a line is free',
    async (_title, signal) => {
      const number = await pair.addNumber();
      await api
        .as(owner)
        .put(`${await pair.pathOf(number)}/routing`)
        .send({ queue: QUEUE })
        .expect(200);
      await pair.startPair();
      await api.query('UPDATE plans SET max_calls_in_parallel = 1');
      try {
        const talking = await pair.calls(number);
        const { call, answeredMs, callId } = await pair.callsClosed(number);
        const caller = pair.telephoneOf(call);
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
        if (signal === 'SIGKILL') await pair.killServing();
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
        await pair.finished(talking.callId);
        const freeMs = performance.now() - answeredMs;
        await until(async () => (await waiting())?.isWaiting === false, WAIT_MS);
        const servedMs = performance.now() - answeredMs;
        const { name, waitedMs, waited } = (await waiting())!;
        expect(name).not.toBe('');
        // From the answer, not from the takeover.
        expect(waitedMs).toBeGreaterThan(freeMs - 3_000);
        expect(waitedMs).toBeLessThan(servedMs + 1_000);
        expect(waited).toBe(Math.round((waitedMs ?? 0) / 1_000));
        await until(async () => (await pair.saidOn(callId)).length > 0, WAIT_MS);
        expect((await pair.saidOn(callId))[0]).toContain('Olá!');
        await caller.say(QUESTION);
        await until(async () => (await pair.saidOn(callId)).length > 2, WAIT_MS);
        expect(isOver).toBe(false);
        call.hangUp();
        const lastedMs = performance.now() - answeredMs;
        const { seconds, paid, charges, transcript } = await pair.finished(callId);
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
    const number = await pair.addClosedNumber({ action: 'forward', phone_number: CALL_CENTRE });
    await pair.startPair();
    const { call, answeredMs, over, callId } = await pair.callsClosed(number);
    const far = await operator.answeredAt(CALL_CENTRE, WAIT_MS);
    const [caller, agent] = [pair.telephoneOf(call), pair.telephoneOf(far)];
    await passes(caller, agent, CALLER_HZ);
    const joinedAgain: number[] = [];
    for (const pitch of [1, 1.5]) {
      await pair.startPair();
      const killedMs = await pair.killServing();
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
    await pair.expectClosed(callId, atMs - answeredMs);
    // The far end was called once.
    expect(operator.dialled.filter((to) => to === CALL_CENTRE)).toHaveLength(1);
    process.stdout.write(
      `forwards whose process was killed: both hear each other ${summaryOf(joinedAgain)}\n`,
    );
  }, 300_000);

  it('end on both sides of a forward that cannot be joined again', async () => {
    const number = await pair.addClosedNumber({ action: 'forward', phone_number: CALL_CENTRE });
    await pair.startPair();
    const { answeredMs, over, callId } = await pair.callsClosed(number);
    const far = await operator.answeredAt(CALL_CENTRE, WAIT_MS);
    const farOver = nextEvent(far, 'ended', WAIT_MS);
    // Less than a second is not charged.
    await sleep(1_000);
    // It is not known any more who the far end is.
    await api.query("UPDATE calls SET routing = routing - 'forwardedTo' WHERE id = $1", [callId]);
    await pair.killServing();
    const { end, atMs } = await over;
    expect(end).toMatchObject({ outcome: 'hung-up', by: 'remote' });
    expect((await farOver)[0]).toMatchObject({ outcome: 'hung-up', by: 'remote' });
    await pair.expectClosed(callId, atMs - answeredMs);
  }, 300_000);

  it('leave nothing behind where it dies while it looks up who calls', async () => {
    const crm = await LocalServer.start((_request, response) => {
      if (crm.requests.length > 1) answerJson(response, {});
    });
    const lookups = () => api.query('SELECT status, call_id AS "callId" FROM number_lookups');
    try {
      const message = { action: 'message', text: 'Estamos fechados até amanhã.' };
      const number = await pair.addClosedNumber(message, { lookup_url: crm.url, lookup_timeout_ms: 7_500 });
      await pair.startPair();
      const unheard = operator.agent.call('platform', {
        from: CUSTOMER,
        to: number,
        ringingTimeoutMs: 5_000,
      })!;
      const unheardOver = nextEvent(unheard, 'ended', WAIT_MS);
      await until(async () => crm.requests.length === 1, WAIT_MS);
      expect(await lookups()).toEqual([{ status: null, callId: null }]);
      await pair.killServing();
      await unheardOver;
      expect(await api.query('SELECT FROM active_calls')).toEqual([]);
      expect(await api.query('SELECT FROM calls WHERE assistant_phone_number = $1', [number])).toEqual([]);
      expect(await api.query('SELECT held_micros::text AS held FROM wallets')).toEqual([{ held: '0' }]);
      // As if so long had passed that no lookup may still run.
      await api.query("UPDATE number_lookups SET at = at - interval '10 seconds'");

      await voices.served();
      const { over, callId } = await pair.callsClosed(number);
      await over;
      await pair.finished(callId);
      expect(crm.requests).toHaveLength(2);
      expect(await lookups()).toEqual([{ status: 'ok', callId }]);
    } finally {
      await crm.stop();
    }
  }, 300_000);

  it('end during a message, also where no other process was there', async () => {
    await pair.startPair();
    const number = await pair.addClosedNumber({
      action: 'message',
      text: 'Estamos fechados até amanhã. '.repeat(30),
    });
    const { call, answeredMs, over, callId } = await pair.callsClosed(number);
    await pair.telephoneOf(call).heardAgain(WAIT_MS);
    await Promise.all([pair.killServing(), pair.killServing()]);
    const killedMs = performance.now();
    await voices.start();
    const { end, atMs } = await over;
    expect(end).toMatchObject({ outcome: 'hung-up', by: 'remote' });
    process.stdout.write(`message: the line ended ${Math.round(atMs - killedMs)} ms after the kill\n`);
    await pair.expectClosed(callId, atMs - answeredMs);
  }, 300_000);

  it(
    `talk on in the other one, over UDP, TCP, and TLS with SRTP, also from the middle of a transfer, over ${KILLS} kills`,
    async () => {
      const tools = [
        { type: 'collect_keypad' },
        { type: 'warm_call_transfer', supervisor_phone: SUPERVISOR, connected_message: CONNECTED },
      ];
      await pair.startPair();
      const [plain, streamed, encrypted] = [
        await pair.addNumber(),
        await pair.addNumber(),
        await pair.addNumber(),
      ];
      const transferring = await pair.addNumber(tools);
      for (let kill = 0; kill < KILLS; kill++) {
        const [first, second, secure] = await Promise.all([
          pair.calls(plain),
          pair.calls(streamed, 'platform-tcp'),
          pair.calls(encrypted, 'platform-tls'),
        ]);
        const isFirst = kill === 0;
        const transfer = isFirst ? await pair.bridged(transferring) : null;
        const leaving = isFirst ? await pair.calls(plain) : null;
        await first.telephone.say(QUESTION);
        await sleep(Math.random() * 6_000);
        // Keys of the sound are in it.
        const states = await api.query<{ state: string }>('SELECT line_state AS state FROM active_calls');
        expect(states.every(({ state }) => state.startsWith('v1.'))).toBe(true);
        const supervisorEnd = transfer && nextEvent(transfer.called, 'ended', WAIT_MS);
        const heard = pair.killAndHear([first, second, secure, ...(transfer ? [transfer.customer] : [])]);
        leaving?.call.hangUp();
        pauses.push(...(await heard));
        if (isFullLength) process.stdout.write(`kill ${kill + 1}: ${summaryOf(await heard)}\n`);

        await first.telephone.heardSpeech();
        await first.telephone.say(QUESTION);
        await first.telephone.heardSpeech();
        await pair.expectWhole(first);
        await pair.expectWhole(second);
        await pair.expectWhole(secure);
        expect(secure.call.media?.negotiation.negotiated?.srtp).not.toBeNull();
        if (transfer) {
          // The second leg is not left in silence: the customer is back with the assistant, and it is ended.
          expect((await supervisorEnd)?.[0]).toMatchObject({ outcome: 'hung-up', by: 'remote' });
          await pair.expectWhole(transfer.customer);
        }
        if (leaving) {
          const row = await pair.finished(leaving.callId);
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
          `(${summaryOf(pauses)}); their far ends had agreed to it after: ${summaryOf(pair.takeovers)}\n`,
      );
    },
    KILLS * 240_000 + 300_000,
  );
});

function summaryOf(times: readonly number[]): string {
  const sorted = times.toSorted((one, other) => one - other).map(Math.round);
  return `median ${sorted[sorted.length >> 1]} ms, longest ${sorted.at(-1)} ms`;
}
