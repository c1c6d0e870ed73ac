import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../common/time/clock.js';
import { CallCarrier } from '../call-carrier.js';
import type { CallCarrierCapabilities } from '../call/call-capabilities.js';
import type { CallEvent } from '../call/carrier-call.js';
import type { CallLookup, PlaceCall, PlacedCall } from '../call/call-placing.js';
import type { ForwardCall, InboundOffer, RejectReason } from '../call/incoming-calls.js';
import type { TextLine, TransferCall } from '../call/call-line.js';
import { CallCarrierError } from '../call-carrier-error.js';
import { EventQueue } from '../event-queue.js';
import { SandboxCall } from './sandbox-call.js';
import { sandboxCapabilities } from './sandbox-capabilities.js';
import type { SandboxJournal } from './sandbox-journal.js';
import { personaOf, type SandboxPersona } from './sandbox-persona.js';
import { type RecordOf, type SandboxEntry, SandboxRegister, stateOf } from './sandbox-register.js';

const E164 = /^\+[1-9]\d{5,14}$/;
const DIGITS = /^[0-9A-D*#w]{1,64}$/;
const INBOUND_RINGING_MS = 60_000;

export interface SandboxCallCarrierOptions {
  readonly clock: Clock;
  readonly journal: SandboxJournal;
  /** False where other processes dial and write other journals: then a key that is not here may still have been dialled. */
  readonly knowsAllDials?: boolean;
  /** Who answers a number at its nth dial; by its last two digits when left out. */
  readonly persona?: (e164: string, dial: number) => SandboxPersona;
  /** See SandboxCallFacts; then another carrier handles the sound, and reports when the far end hangs up (`leave`). */
  readonly inSound?: boolean;
}

/**
 * Places no real calls: people and machines at the far end are scripts, chosen by the number (see `personaOf`). Calls
 * live in the process, and the journal remembers them.
 * The next process that looks up or watches a call resumes it after its process has died. An unanswered call
 * continues unchanged. A person who had answered says "Hello?" after a while and hangs up without an answer.
 */
export class SandboxCallCarrier extends CallCarrier {
  readonly name = 'sandbox';
  readonly capabilities: CallCarrierCapabilities;
  readonly media: { readonly text: TextLine } = {
    text: {
      say: async (callId, text) => {
        const durationMs = this.act(callId, (call, nowMs) => call.say(text, nowMs));
        return { durationMs };
      },
    },
  };
  private readonly clock: Clock;
  private readonly journal: SandboxJournal;
  private readonly persona: (e164: string, dial: number) => SandboxPersona;
  private readonly inSound: boolean;
  private readonly register: SandboxRegister;
  private readonly listeners = new Set<EventQueue<InboundOffer>>();

  constructor(options: SandboxCallCarrierOptions) {
    super();
    const { clock, journal, knowsAllDials = true, persona = personaOf, inSound = false } = options;
    this.clock = clock;
    this.journal = journal;
    this.persona = persona;
    this.inSound = inSound;
    this.register = new SandboxRegister(
      () => this.now(),
      (entry) => this.reportEnd(entry),
    );
    this.capabilities = {
      ...sandboxCapabilities(clock.speed),
      ...(knowsAllDials ? {} : { keyRetentionMs: 0, provesAbsence: false }),
    };
  }

  async place({ key, from, to, ringingTimeoutMs }: PlaceCall): Promise<PlacedCall> {
    this.readJournal();
    const known = this.register.callIdOf(key);
    if (known !== undefined) return this.repeat(key, known, to);
    if (!E164.test(to) || key === '') throw new CallCarrierError('rejected', 'no');
    const callId = `sandbox-${randomUUID()}`;
    const record = { type: 'dial', callId, key, from, to, ringingTimeoutMs, at: this.now() } as const;
    this.journal.append(record);
    this.register.remember(record);
    this.start(callId);
    return { callId, repeated: false };
  }

  async findCall(key: string): Promise<CallLookup> {
    this.readJournal();
    const callId = this.register.callIdOf(key);
    if (callId === undefined) return { found: this.capabilities.provesAbsence ? 'absent' : 'unknown' };
    return { found: 'yes', call: stateOf(this.entryOf(callId)) };
  }

  watch(callId: string, signal?: AbortSignal): AsyncIterableIterator<CallEvent> {
    const queue = new EventQueue<CallEvent>(signal);
    try {
      const entry = this.entryOf(callId);
      queue.push({ type: 'state', call: stateOf(entry) });
      if (entry.end) {
        queue.push({ type: 'ended', call: stateOf(entry) });
        queue.end();
      } else {
        entry.watchers.add(queue);
        queue.onClose = () => entry.watchers.delete(queue);
      }
    } catch (error) {
      queue.fail(error);
    }
    return queue;
  }

  async hangUp(callId: string): Promise<void> {
    if (this.entryOf(callId).call) this.act(callId, (call, nowMs) => call.hangUp(nowMs));
  }

  async transfer(callId: string, transfer: TransferCall): Promise<void> {
    const farEnd = this.persona(transfer.to, 2);
    this.act(callId, (call, nowMs) => call.transfer(transfer, farEnd, nowMs));
  }

  async sendDigits(callId: string, digits: string): Promise<void> {
    if (!DIGITS.test(digits)) throw new CallCarrierError('rejected', 'no');
    this.act(callId, (call, nowMs) => call.sendDigits(nowMs));
  }

  inboundOffers(signal: AbortSignal): AsyncIterableIterator<InboundOffer> {
    const queue = new EventQueue<InboundOffer>(signal);
    this.listeners.add(queue);
    queue.onClose = () => this.listeners.delete(queue);
    this.readJournal();
    for (const { placed, answer, end } of this.register.all) {
      if (placed.type !== 'offer' || answer || end) continue;
      if (stateOf(this.entryOf(placed.callId)).progress === 'ringing') queue.push(offerOf(placed));
    }
    return queue;
  }

  async accept(callId: string): Promise<void> {
    this.act(callId, (call, nowMs) => call.accept(nowMs));
  }

  override async forward(callId: string, forward: ForwardCall): Promise<void> {
    const farEnd = this.persona(forward.to, 2);
    this.act(callId, (call, nowMs) => call.forward(forward, farEnd, nowMs));
  }

  async reject(callId: string, _reason: RejectReason): Promise<void> {
    this.act(callId, (call, nowMs) => call.reject(nowMs));
  }

  /** The far end hangs up. */
  leave(callId: string): void {
    if (this.register.find(callId)?.call) this.act(callId, (call, nowMs) => call.leave(nowMs));
  }

  /** Who is at the far end of a call. */
  farEndOf(callId: string): SandboxPersona {
    return this.personaFor(this.entryOf(callId));
  }

  /** Takes up all calls of the journal that have not ended, as the one carrier of that journal. */
  resumeAll(): void {
    this.readJournal();
    for (const { placed, call, end } of this.register.all) if (!call && !end) this.start(placed.callId);
  }

  /** Simulates a call to one of the platform's numbers. Returns the id of the call. */
  callIn(from: string, to: string): string {
    const callId = `sandbox-${randomUUID()}`;
    const record = { type: 'offer', callId, from, to, at: this.now() } as const;
    this.journal.append(record);
    this.register.remember(record);
    this.start(callId);
    for (const listener of this.listeners) listener.push(offerOf(record));
    return callId;
  }

  async close(): Promise<void> {
    for (const entry of this.register.all) {
      entry.cancelTimer?.();
      for (const watcher of entry.watchers) watcher.end();
    }
    for (const listener of this.listeners) listener.end();
    this.journal.close();
  }

  private repeat(key: string, callId: string, to: string): PlacedCall {
    if (this.entryOf(callId).placed.to !== to) throw new CallCarrierError('rejected', 'no');
    this.journal.append({ type: 'repeat', callId, key, at: this.now() });
    return { callId, repeated: true };
  }

  private act<Result>(callId: string, deed: (call: SandboxCall, nowMs: number) => Result): Result {
    const entry = this.entryOf(callId);
    const { call } = entry;
    if (!call) throw new CallCarrierError('call-over', 'no');
    const nowMs = this.clock.nowMs();
    this.publish(entry, call, call.advance(nowMs));
    try {
      return deed(call, nowMs);
    } finally {
      this.publish(entry, call, call.advance(nowMs));
    }
  }

  /** A call that was alive when its process died begins to live here. */
  private entryOf(callId: string): SandboxEntry {
    if (!this.register.find(callId)) this.readJournal();
    const entry = this.register.find(callId);
    if (!entry) throw new CallCarrierError('no-such-call', 'no');
    if (!entry.call && !entry.end) this.start(callId);
    return entry;
  }

  private start(callId: string): void {
    const entry = this.register.find(callId);
    if (!entry) return;
    const { placed, answer, connect } = entry;
    const { key, direction, ringingTimeoutMs } =
      placed.type === 'dial'
        ? { ...placed, direction: 'outbound' as const }
        : { key: null, direction: 'inbound' as const, ringingTimeoutMs: INBOUND_RINGING_MS };
    const nowMs = this.clock.nowMs();
    const agoMs = (at: number) => Math.max(this.now() - at, 0) * this.clock.speed;
    const call = new SandboxCall(
      {
        callId,
        key,
        direction,
        from: placed.from,
        to: placed.to,
        ringingTimeoutMs,
        inSound: this.inSound,
      },
      this.personaFor(entry),
      nowMs - agoMs(placed.at),
      () => this.clock.date(),
    );
    entry.call = call;
    if (answer) {
      const connectedMs = connect ? agoMs(connect.at) : null;
      call.resume(new Date(answer.at), agoMs(answer.at), connectedMs, nowMs);
    }
    this.publish(entry, call, call.advance(nowMs));
  }

  /** Every simulated caller is a person, independent of the number. */
  private personaFor({ placed, dial }: SandboxEntry): SandboxPersona {
    return placed.type === 'dial'
      ? this.persona(placed.to, dial)
      : this.persona(`${placed.from.slice(0, -2)}00`, dial);
  }

  /** Tells of events, and sets the alarm for the next one. */
  private publish(entry: SandboxEntry, call: SandboxCall, events: readonly CallEvent[]): void {
    for (const event of events) this.record(entry, event);
    for (const event of events) for (const watcher of entry.watchers) watcher.push(event);
    entry.cancelTimer?.();
    entry.cancelTimer = null;
    if (call.isOver) {
      entry.call = null;
      for (const watcher of entry.watchers) watcher.end();
      return;
    }
    const { nextAtMs } = call;
    if (nextAtMs === null) return;
    const wait = Math.max(nextAtMs - this.clock.nowMs(), 0);
    entry.cancelTimer = this.clock.after(wait, () =>
      this.publish(entry, call, call.advance(this.clock.nowMs())),
    );
  }

  private record(entry: SandboxEntry, event: CallEvent): void {
    const { callId } = entry.placed;
    if (event.type === 'answered') {
      entry.answer = { type: 'answer', callId, at: this.now() };
      this.journal.append(entry.answer);
      if (entry.call?.state.transfer === 'connected') this.recordConnection(entry);
    } else if (event.type === 'transfer' && event.outcome === 'answered') {
      this.recordConnection(entry);
    } else if (event.type === 'ended' && event.call.end) {
      const { answeredBy, end } = event.call;
      entry.end = { type: 'end', callId, ...end, answeredBy, at: this.now() };
      this.journal.append(entry.end);
    }
  }

  private recordConnection(entry: SandboxEntry): void {
    entry.connect = { type: 'connect', callId: entry.placed.callId, at: this.now() };
    this.journal.append(entry.connect);
  }

  private readJournal(): void {
    for (const record of this.journal.readNew()) this.register.remember(record);
  }

  /** Another process on the same journal has seen the end of a call that lives here too. */
  private reportEnd(entry: SandboxEntry): void {
    entry.cancelTimer?.();
    entry.call = null;
    const call = stateOf(entry);
    for (const watcher of entry.watchers) {
      watcher.push({ type: 'ended', call });
      watcher.end();
    }
  }

  private now(): number {
    return this.clock.date().getTime();
  }
}

function offerOf({ callId, from, to }: RecordOf<'offer'>): InboundOffer {
  return { callId, from, to };
}
