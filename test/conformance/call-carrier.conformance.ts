import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CallCarrier } from '../../src/providers/telephony/call-carrier.js';
import type { CallEvent, CarrierCall } from '../../src/providers/telephony/call/carrier-call.js';
import type { TransferCall } from '../../src/providers/telephony/call/call-line.js';
import {
  CallCarrierError,
  type CallCarrierErrorCode,
} from '../../src/providers/telephony/call-carrier-error.js';

/** What an adapter's spec brings: its carrier, and numbers that behave in known ways. */
export interface CallCarrierSubject {
  carrier: () => CallCarrier | Promise<CallCarrier>;
  /** E.164. */
  numbers: {
    readonly from: string;
    /** Id of its row, where the carrier asks for it. */
    readonly fromId?: number;
    /** Answers, listens, and answers what is said; does not hang up while a test runs. */
    readonly human: string;
    readonly busy: string;
    readonly noAnswer: string;
    readonly machine: string;
    readonly failing: string;
    /** Cannot be a number. */
    readonly invalid: string;
  };
  /** Places an inbound call, and returns its id; left out where there are no inbound calls. */
  callIn?: (from: string, to: string) => Promise<string>;
  /** The carrier as another process sees it, to adopt calls; the same one when left out. */
  otherProcess?: () => CallCarrier | Promise<CallCarrier>;
}

const RINGING_TIMEOUT_MS = 20_000;

/** Reads events until one is of the type, or is what is looked for, and returns all that were read. */
export async function readUntil(
  events: AsyncIterator<CallEvent>,
  wanted: CallEvent['type'] | ((event: CallEvent) => boolean),
): Promise<CallEvent[]> {
  const isWanted = typeof wanted === 'string' ? ({ type }: CallEvent) => type === wanted : wanted;
  const seen: CallEvent[] = [];
  for (;;) {
    const { done, value } = await events.next();
    if (done) throw new Error(`not among ${seen.map(({ type }) => type).join(', ')}: ${String(wanted)}`);
    seen.push(value);
    if (isWanted(value)) return seen;
  }
}

/** Reads until the call has been answered, which may be its first event. */
async function readAnswer(events: AsyncIterator<CallEvent>): Promise<CallEvent[]> {
  return readUntil(events, (event) =>
    event.type === 'state' ? event.call.progress === 'answered' : event.type === 'answered',
  );
}

function tellsWhoAnswered(event: CallEvent): boolean {
  return event.type === 'state'
    ? event.call.answeredBy !== null
    : event.type === 'answering-machine-detection';
}

/** The CallCarrierError a promise fails with; fails when it does not. */
export async function carrierFailure(promise: Promise<unknown>): Promise<CallCarrierError> {
  const outcome: unknown = await promise.catch((error: unknown) => error);
  if (outcome instanceof CallCarrierError) return outcome;
  throw new Error('it did not fail with a CallCarrierError', { cause: outcome });
}

/** Defines the tests every adapter of the CallCarrier port passes. */
export function describeCallCarrierConformance(name: string, subject: CallCarrierSubject): void {
  describe(`${name} as a CallCarrier`, () => {
    const line = new TestLine(subject);
    beforeAll(() => line.open());
    afterAll(() => line.close());
    describeDialling(line, subject);
    describeKeys(line, subject);
    describeAdoption(line, subject);
    describeActing(line, subject);
    describeAudio(line);
    describeInbound(line, subject);
  });
}

/** A carrier with the few moves that tests repeat. */
class TestLine {
  declare carrier: CallCarrier;
  declare other: CallCarrier;

  constructor(private readonly subject: CallCarrierSubject) {}

  async open(): Promise<void> {
    this.carrier = await this.subject.carrier();
    this.other = (await this.subject.otherProcess?.()) ?? this.carrier;
  }

  async close(): Promise<void> {
    await this.carrier.close();
    if (this.other !== this.carrier) await this.other.close();
  }

  async dial(to: string, ringingTimeoutMs = RINGING_TIMEOUT_MS) {
    const key = randomUUID();
    const { from, fromId } = this.subject.numbers;
    const request = { key, from, to, ringingTimeoutMs, ...(fromId && { phoneNumberId: fromId }) };
    const { callId, repeated } = await this.carrier.place(request);
    return { key, request, callId, repeated, events: this.carrier.watch(callId) };
  }

  async dialAnswered() {
    const call = await this.dial(this.subject.numbers.human);
    await readAnswer(call.events);
    return call;
  }

  async endOf(to: string, ringingTimeoutMs?: number): Promise<{ types: string[]; call: CarrierCall }> {
    const { events } = await this.dial(to, ringingTimeoutMs);
    const seen = await readUntil(events, 'ended');
    const last = seen.at(-1);
    if (last?.type !== 'ended') throw new Error('the last event is not the end');
    expect(await events.next()).toEqual({ value: undefined, done: true });
    return { types: seen.map(({ type }) => type), call: last.call };
  }
}

function describeDialling(line: TestLine, { numbers }: CallCarrierSubject): void {
  it('rings, is answered, and ends when it is hung up', async () => {
    const { callId, events, key } = await line.dial(numbers.human);
    const begun = await readAnswer(events);
    await line.carrier.hangUp(callId);
    const rest = await readUntil(events, 'ended');

    expect(begun[0]).toMatchObject({ type: 'state', call: { callId, key, direction: 'outbound' } });
    expect(rest.at(-1)).toMatchObject({
      type: 'ended',
      call: { progress: 'ended', to: numbers.human, end: { outcome: 'hung-up', by: 'platform' } },
    });
    expect(await events.next()).toEqual({ value: undefined, done: true });
  });

  it('tells of a busy line', async () => {
    const { types, call } = await line.endOf(numbers.busy);

    expect(call.end).toMatchObject({ outcome: 'busy', answeredMs: 0 });
    expect(types).not.toContain('answered');
  });

  it('gives up ringing after the time allowed', async () => {
    const { types, call } = await line.endOf(numbers.noAnswer, 2_000);

    expect(call.end).toMatchObject({ outcome: 'no-answer', answeredMs: 0 });
    expect(types).not.toContain('answered');
  });

  it('tells of its own failure', async () => {
    const { call } = await line.endOf(numbers.failing);

    expect(call.end).toMatchObject({ outcome: 'failed', by: 'carrier', answeredMs: 0 });
    expect(call.end?.reason).not.toBeNull();
  });

  it('gives hints of people and machines where it can', async () => {
    if (!line.carrier.capabilities.machineDetection) return;
    const person = await line.dial(numbers.human);
    const machine = await line.dial(numbers.machine);

    const hintOf = async (events: AsyncIterator<CallEvent>) => {
      const last = (await readUntil(events, tellsWhoAnswered)).at(-1);
      return last?.type === 'state'
        ? last.call.answeredBy
        : last?.type === 'answering-machine-detection' && last.answeredBy;
    };

    expect(await Promise.all([hintOf(person.events), hintOf(machine.events)])).toEqual(['human', 'machine']);
    await Promise.all([person, machine].map(({ callId }) => line.carrier.hangUp(callId)));
  });

  it('refuses what is no number, and has dialled nothing', async () => {
    const error = await carrierFailure(line.dial(numbers.invalid));

    expect(error).toMatchObject({ code: 'rejected', sent: 'no' });
  });
}

function describeKeys(line: TestLine, { numbers }: CallCarrierSubject): void {
  it('returns the same call for the same key, ringing or ended', async () => {
    if (line.carrier.capabilities.keyRetentionMs === 0) return;
    const { request, callId, repeated, events } = await line.dial(numbers.busy);
    const whileRinging = await line.other.place(request);
    await readUntil(events, 'ended');
    const afterwards = await line.other.place(request);

    expect(repeated).toBe(false);
    expect([whileRinging, afterwards]).toEqual([
      { callId, repeated: true },
      { callId, repeated: true },
    ]);
  });

  it('refuses a key that was used for another number', async () => {
    if (line.carrier.capabilities.keyRetentionMs === 0) return;
    const { request } = await line.dial(numbers.busy);
    const error = await carrierFailure(line.carrier.place({ ...request, to: numbers.noAnswer }));

    expect(error).toMatchObject({ code: 'rejected', sent: 'no' });
  });

  it('finds a call by its key, alive and ended', async () => {
    const { key, callId, events } = await line.dial(numbers.human);
    await readAnswer(events);
    const alive = await line.other.findCall(key);
    await line.carrier.hangUp(callId);
    await readUntil(events, 'ended');
    const ended = await line.other.findCall(key);

    expect(alive).toMatchObject({ found: 'yes', call: { callId, key, progress: 'answered', end: null } });
    expect(ended).toMatchObject({
      found: 'yes',
      call: { progress: 'ended', end: { outcome: 'hung-up' }, answeredAt: expect.any(Date) },
    });
  });

  it('reports an unused key as absent, or as unknown where the carrier cannot prove it', async () => {
    expect(await line.carrier.findCall(randomUUID())).toEqual({
      found: line.carrier.capabilities.provesAbsence ? 'absent' : 'unknown',
    });
  });
}

function describeAdoption(line: TestLine, { numbers }: CallCarrierSubject): void {
  it('reports the state of the call to a later watcher, and what happens then', async () => {
    const { callId } = await line.dialAnswered();
    const adopted = line.other.watch(callId);
    const { value: first } = await adopted.next();
    await line.other.hangUp(callId);

    expect(first).toMatchObject({ type: 'state', call: { callId, progress: 'answered', end: null } });
    expect((await readUntil(adopted, 'ended')).at(-1)).toMatchObject({ call: { progress: 'ended' } });
  });

  it('reports the end to a watcher that comes after it', async () => {
    const { callId, events } = await line.dial(numbers.busy);
    await readUntil(events, 'ended');
    const types: string[] = [];
    for await (const { type } of line.other.watch(callId)) types.push(type);

    expect(types).toEqual(['state', 'ended']);
  });

  it('goes on when the one who watched leaves', async () => {
    const { callId, events } = await line.dialAnswered();
    await events.return?.();
    const { value: first } = await line.other.watch(callId).next();

    expect(first).toMatchObject({ type: 'state', call: { progress: 'answered' } });
    await line.carrier.hangUp(callId);
  });

  it('stops watching at a signal, without an error', async () => {
    const controller = new AbortController();
    const { callId } = await line.dialAnswered();
    const types: string[] = [];
    for await (const { type } of line.carrier.watch(callId, controller.signal)) {
      types.push(type);
      controller.abort();
    }

    expect(types[0]).toBe('state');
    await line.carrier.hangUp(callId);
  });

  it('does not know calls it has not placed', async () => {
    const events = line.carrier.watch(`call-${randomUUID()}`);

    expect(await carrierFailure(events.next())).toMatchObject({ code: 'no-such-call' });
  });
}

function describeActing(line: TestLine, { numbers }: CallCarrierSubject): void {
  const transfer = (to: string, extra: Partial<TransferCall> = {}): TransferCall => ({
    transferId: randomUUID(),
    to,
    from: numbers.from,
    ringingTimeoutMs: 30_000,
    briefing: null,
    holdMusicVolume: null,
    ...extra,
  });

  it('takes hanging up twice', async () => {
    const { callId } = await line.dialAnswered();
    await line.carrier.hangUp(callId);

    await expect(line.carrier.hangUp(callId)).resolves.toBeUndefined();
  });

  it('ends a call that still rings without an answer', async () => {
    const { callId, events } = await line.dial(numbers.noAnswer);
    await line.carrier.hangUp(callId);

    expect((await readUntil(events, 'ended')).at(-1)).toMatchObject({
      call: { end: { outcome: 'no-answer', by: 'platform' } },
    });
  });

  it.each([
    ['busy', 'busy'],
    ['noAnswer', 'no-answer'],
    ['failing', 'failed'],
    ['human', 'answered'],
  ] as const)('tells how a transfer went: %s', async (number, outcome) => {
    if (line.carrier.capabilities.transfer === 'none') return;
    const { callId, events } = await line.dialAnswered();
    const wanted = transfer(numbers[number], { ringingTimeoutMs: 5_000 });
    await line.carrier.transfer(callId, wanted);
    const { transferId } = wanted;

    expect((await readUntil(events, 'transfer')).at(-1)).toEqual({ type: 'transfer', transferId, outcome });
    await line.carrier.hangUp(callId);
  });

  it('lets only a person take a call they were briefed on', async () => {
    if (line.carrier.capabilities.transfer !== 'carrier') return;
    const outcomes = await Promise.all(
      [numbers.human, numbers.machine].map(async (to) => {
        const { callId, events } = await line.dialAnswered();
        await line.carrier.transfer(callId, transfer(to, { briefing: 'Ana, about an order.' }));
        const last = (await readUntil(events, 'transfer')).at(-1);
        await line.carrier.hangUp(callId);
        return last?.type === 'transfer' ? last.outcome : null;
      }),
    );

    expect(outcomes).toEqual(['answered', 'declined']);
  });

  it('reports a running and a connected transfer to a later watcher', async () => {
    if (line.carrier.capabilities.transfer === 'none') return;
    const { callId, events } = await line.dialAnswered();
    const progress = async () => {
      const [first] = await readUntil(line.carrier.watch(callId), 'state');
      return first?.type === 'state' ? first.call.transfer : null;
    };
    const before = await progress();
    await line.carrier.transfer(callId, transfer(numbers.human));
    const during = await progress();
    await readUntil(events, 'transfer');

    expect([before, during, await progress()]).toEqual(['none', 'running', 'connected']);
    await line.carrier.hangUp(callId);
  });

  it('refuses a second transfer while one runs', async () => {
    if (line.carrier.capabilities.transfer === 'none') return;
    const { callId } = await line.dialAnswered();
    await line.carrier.transfer(callId, transfer(numbers.noAnswer));

    expect(await carrierFailure(line.carrier.transfer(callId, transfer(numbers.human)))).toMatchObject({
      code: 'rejected',
    });
    await line.carrier.hangUp(callId);
  });

  it('plays digits, and refuses what is none', async () => {
    if (!line.carrier.capabilities.sendDigits) return;
    const { callId } = await line.dialAnswered();

    await expect(line.carrier.sendDigits(callId, '12w#')).resolves.toBeUndefined();
    expect(await carrierFailure(line.carrier.sendDigits(callId, 'call me'))).toMatchObject({
      code: 'rejected',
    });
    await line.carrier.hangUp(callId);
  });

  it.each<[string, CallCarrierErrorCode, (callId: string) => Promise<unknown>]>([
    ['transfer', 'call-over', (callId) => line.carrier.transfer(callId, transfer(numbers.human))],
    ['send digits on', 'call-over', (callId) => line.carrier.sendDigits(callId, '1')],
    ['speak on', 'call-over', (callId) => useOf(line.carrier, callId)],
  ])('does not %s a call that has ended', async (_deed, code, act) => {
    if (line.carrier.capabilities.transfer === 'none') return;
    const { callId, events } = await line.dial(numbers.busy);
    await readUntil(events, 'ended');

    expect(await carrierFailure(act(callId))).toMatchObject({ code, sent: 'no' });
  });

  it('allows only to end a call that is not answered', async () => {
    if (line.carrier.capabilities.transfer === 'none') return;
    const { callId } = await line.dial(numbers.noAnswer);

    expect(await carrierFailure(line.carrier.transfer(callId, transfer(numbers.human)))).toMatchObject({
      code: 'not-answered',
    });
    await line.carrier.hangUp(callId);
  });

  it('carries words both ways where it carries words', async () => {
    const { media } = line.carrier;
    if (!('text' in media)) return;
    const { callId, events } = await line.dialAnswered();
    const { durationMs } = await media.text.say(callId, 'Good morning, is this a good time?');
    const heard = (await readUntil(events, 'heard')).at(-1);

    expect(durationMs).toBeGreaterThan(0);
    expect(heard).toMatchObject({ text: expect.stringMatching(/\S/) });
    await line.carrier.hangUp(callId);
  });
}

/** Speaks on a call, or opens its audio. */
function useOf({ media }: CallCarrier, callId: string): Promise<unknown> {
  return 'text' in media
    ? media.text.say(callId, 'Hi')
    : media.audio.open(callId, new AbortController().signal);
}

function describeAudio(line: TestLine): void {
  const open = async (callId: string, signal: AbortSignal) => {
    const { media } = line.carrier;
    return 'audio' in media ? media.audio.open(callId, signal) : null;
  };

  it('brings a frame every 20 ms, in silence too, until the call ends', async () => {
    const { callId } = await line.dialAnswered();
    const audio = await open(callId, new AbortController().signal);
    if (!audio) return line.carrier.hangUp(callId);
    const startedAtMs = performance.now();
    const lengths = new Set<number>();
    let frames = 0;
    for await (const frame of audio.heard) {
      lengths.add(frame.length);
      if (++frames === 50) await line.carrier.hangUp(callId);
    }
    const tookMs = performance.now() - startedAtMs;

    expect([...lengths]).toEqual([audio.sampleRateHz / 50]);
    expect(frames).toBeGreaterThanOrEqual(50);
    // A machine under load is late, never early by more than what may be buffered.
    expect(tookMs).toBeGreaterThan(50 * 20 - 200);
  });

  it('lets go of the audio without ending the call, and bears frames after that', async () => {
    const release = new AbortController();
    const { callId, events } = await line.dialAnswered();
    const audio = await open(callId, release.signal);
    if (!audio) return line.carrier.hangUp(callId);
    audio.send(new Int16Array(audio.sampleRateHz / 50));
    release.abort();
    for await (const _frame of audio.heard);
    audio.send(new Int16Array(audio.sampleRateHz / 50));
    audio.clear();
    const [state] = await readUntil(line.carrier.watch(callId), 'state');

    expect(state).toMatchObject({ call: { progress: 'answered' } });
    await line.carrier.hangUp(callId);
    await readUntil(events, 'ended');
  });
}

function describeInbound(line: TestLine, { numbers, callIn }: CallCarrierSubject): void {
  if (callIn === undefined) return;

  it('offers calls that come in, also those that ring already, and answers them', async () => {
    const stop = new AbortController();
    const callId = await callIn(numbers.human, numbers.from);
    const { value: offer } = await line.carrier.inboundOffers(stop.signal).next();
    stop.abort();
    const events = line.carrier.watch(callId);
    await line.carrier.accept(callId);
    const seen = await readAnswer(events);
    await line.carrier.hangUp(callId);
    const last = (await readUntil(events, 'ended')).at(-1);

    const { dialled = [numbers.from], sipHeaders: _, ...offered } = offer;
    expect(offered).toEqual({ callId, from: numbers.human, to: numbers.from, phoneNumberId: numbers.fromId });
    expect(dialled).toContain(numbers.from);
    expect(seen[0]).toMatchObject({
      type: 'state',
      call: { callId, key: null, direction: 'inbound', progress: 'ringing' },
    });
    expect(last).toMatchObject({ call: { end: { outcome: 'hung-up', by: 'platform' } } });
  });

  it('tells every listener, and gives the call to the first', async () => {
    const stop = new AbortController();
    const offers = [line.carrier, line.other].map((one) => one.inboundOffers(stop.signal).next());
    const callId = await callIn(numbers.human, numbers.from);
    const offeredTo = (await Promise.all(offers)).map(({ value }) => value?.callId);
    stop.abort();
    const taken = await Promise.allSettled([line.carrier.accept(callId), line.other.accept(callId)]);
    const lost = taken.flatMap((one) => (one.status === 'rejected' ? [one.reason as CallCarrierError] : []));

    expect(offeredTo).toEqual([callId, callId]);
    expect(lost).toEqual([expect.objectContaining({ code: 'taken' })]);
    await line.carrier.hangUp(callId);
  });

  it('turns a call away', async () => {
    const callId = await callIn(numbers.human, numbers.from);
    const events = line.carrier.watch(callId);
    await line.carrier.reject(callId, 'busy');

    expect((await readUntil(events, 'ended')).at(-1)).toMatchObject({
      call: { end: { outcome: 'busy', answeredMs: 0 } },
    });
    expect(await carrierFailure(line.carrier.accept(callId))).toMatchObject({ code: 'call-over' });
  });
}
