import { randomUUID } from 'node:crypto';
import type { CancelTimer, Clock } from '../../../common/time/clock.js';
import {
  CallCarrier,
  type CallCarrierCapabilities,
  type CallEvent,
  type CallLookup,
  type CarrierCall,
  type InboundOffer,
  type PlaceCall,
  type PlacedCall,
  type RejectReason,
  type TextLine,
  type TransferCall,
} from '../call-carrier.js';
import { CallCarrierError } from '../call-carrier-error.js';
import { EventQueue } from '../event-queue.js';
import { SandboxCall } from './sandbox-call.js';
import type { SandboxJournal, SandboxRecord } from './sandbox-journal.js';
import { personaOf, type SandboxPersona } from './sandbox-persona.js';

/** As long as Amazon Connect keeps the token of a dial request. */
export const KEY_RETENTION_MS = 7 * 86_400_000;

const E164 = /^\+[1-9]\d{5,14}$/;
const DIGITS = /^[0-9A-D*#w]{1,64}$/;
const INBOUND_RINGING_MS = 60_000;
const FORGETS_EACH_DIALS = 1_000;

type RecordOf<Type extends SandboxRecord['type']> = Extract<SandboxRecord, { type: Type }>;

export interface SandboxCallCarrierOptions {
  readonly clock: Clock;
  readonly journal: SandboxJournal;
  /** False where other processes dial and write other journals: then a key that is not here may still have been dialled. */
  readonly knowsAllDials?: boolean;
  /** Who answers a number at its nth dial; by its last two digits when left out. */
  readonly persona?: (e164: string, dial: number) => SandboxPersona;
}

/** A call and its place in the carrier. */
interface Entry {
  readonly placed: RecordOf<'dial'> | RecordOf<'offer'>;
  /** How many dials its number had had. */
  readonly dial: number;
  answer: RecordOf<'answer'> | null;
  end: RecordOf<'end'> | null;
  /** Null until somebody wants it, for a call of another process or an earlier one; and after its end. */
  call: SandboxCall | null;
  cancelTimer: CancelTimer | null;
  readonly watchers: Set<EventQueue<CallEvent>>;
}

/**
 * Dials nobody: people and machines at the far end are scripts, chosen by the number (see `personaOf`). Calls live in the
 * process, and the journal remembers them. A call whose process has died is taken up again by the process which looks it
 * up or watches it: what had not been answered goes on as if nothing had happened, and a person who had answered says
 * "Hello?" after a while and hangs up when nobody talks to them.
 */
export class SandboxCallCarrier extends CallCarrier {
  readonly capabilities: CallCarrierCapabilities;
  readonly textLine: TextLine = {
    say: async (callId, text) => {
      const durationMs = this.act(callId, (call, nowMs) => call.say(text, nowMs));
      return { durationMs };
    },
  };
  private readonly clock: Clock;
  private readonly journal: SandboxJournal;
  private readonly persona: (e164: string, dial: number) => SandboxPersona;
  private readonly entries = new Map<string, Entry>();
  private readonly callIds = new Map<string, string>();
  private readonly dials = new Map<string, number>();
  private readonly listeners = new Set<EventQueue<InboundOffer>>();
  private dialsUntilForgetting = FORGETS_EACH_DIALS;

  constructor({ clock, journal, knowsAllDials = true, persona = personaOf }: SandboxCallCarrierOptions) {
    super();
    this.clock = clock;
    this.journal = journal;
    this.persona = persona;
    this.capabilities = {
      keyRetentionMs: knowsAllDials ? KEY_RETENTION_MS : 0,
      provesAbsence: knowsAllDials,
      transfer: true,
      warmTransfer: true,
      sendDigits: true,
      inbound: true,
      machineDetection: true,
      media: 'text',
      speed: clock.speed,
    };
  }

  async place({ key, from, to, ringingTimeoutMs }: PlaceCall): Promise<PlacedCall> {
    this.readJournal();
    const known = this.callIds.get(key);
    if (known !== undefined) return this.repeat(key, known, to);
    if (!E164.test(to) || key === '') throw new CallCarrierError('rejected', 'no');
    const callId = `sandbox-${randomUUID()}`;
    const record = { type: 'dial', callId, key, from, to, ringingTimeoutMs, at: this.now() } as const;
    this.journal.append(record);
    this.remember(record);
    this.start(callId);
    return { callId, repeated: false };
  }

  async findCall(key: string): Promise<CallLookup> {
    this.readJournal();
    const callId = this.callIds.get(key);
    if (callId === undefined) return { found: this.capabilities.provesAbsence ? 'absent' : 'unknown' };
    return { found: 'yes', call: this.stateOf(this.entryOf(callId)) };
  }

  watch(callId: string, signal?: AbortSignal): AsyncIterableIterator<CallEvent> {
    const queue = new EventQueue<CallEvent>(signal);
    try {
      const entry = this.entryOf(callId);
      queue.push({ type: 'state', call: this.stateOf(entry) });
      if (entry.end) {
        queue.push({ type: 'ended', call: this.stateOf(entry) });
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
    for (const { placed, answer, end } of this.entries.values()) {
      if (placed.type !== 'offer' || answer || end) continue;
      if (this.stateOf(this.entryOf(placed.callId)).progress === 'ringing') queue.push(offerOf(placed));
    }
    return queue;
  }

  async accept(callId: string): Promise<void> {
    this.act(callId, (call, nowMs) => call.accept(nowMs));
  }

  async reject(callId: string, _reason: RejectReason): Promise<void> {
    this.act(callId, (call, nowMs) => call.reject(nowMs));
  }

  /** Takes up all calls of the journal that have not ended, as the one carrier of that journal. */
  resumeAll(): void {
    this.readJournal();
    for (const [callId, { call, end }] of this.entries) if (!call && !end) this.start(callId);
  }

  /** Somebody calls one of the platform's numbers. Returns the id of the call. */
  callIn(from: string, to: string): string {
    const callId = `sandbox-${randomUUID()}`;
    const record = { type: 'offer', callId, from, to, at: this.now() } as const;
    this.journal.append(record);
    this.remember(record);
    this.start(callId);
    for (const listener of this.listeners) listener.push(offerOf(record));
    return callId;
  }

  async close(): Promise<void> {
    for (const entry of this.entries.values()) {
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
  private entryOf(callId: string): Entry {
    if (!this.entries.has(callId)) this.readJournal();
    const entry = this.entries.get(callId);
    if (!entry) throw new CallCarrierError('no-such-call', 'no');
    if (!entry.call && !entry.end) this.start(callId);
    return entry;
  }

  private start(callId: string): void {
    const entry = this.entries.get(callId);
    if (!entry) return;
    const { placed, answer } = entry;
    const { key, direction, ringingTimeoutMs } =
      placed.type === 'dial'
        ? { ...placed, direction: 'outbound' as const }
        : { key: null, direction: 'inbound' as const, ringingTimeoutMs: INBOUND_RINGING_MS };
    const customer = placed.type === 'dial' ? placed.to : placed.from;
    const nowMs = this.clock.nowMs();
    const agoMs = (at: number) => Math.max(this.now() - at, 0) * this.clock.speed;
    const call = new SandboxCall(
      { callId, key, direction, from: placed.from, to: placed.to, ringingTimeoutMs },
      // Whoever calls in is a person, whatever their number.
      this.persona(direction === 'inbound' ? `${customer.slice(0, -2)}00` : customer, entry.dial),
      nowMs - agoMs(placed.at),
      () => this.clock.date(),
    );
    entry.call = call;
    if (answer) call.resume(new Date(answer.at), agoMs(answer.at), nowMs);
    this.publish(entry, call, call.advance(nowMs));
  }

  /** Tells of events, and sets the alarm for the next one. */
  private publish(entry: Entry, call: SandboxCall, events: readonly CallEvent[]): void {
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

  private record(entry: Entry, event: CallEvent): void {
    const { callId } = entry.placed;
    if (event.type === 'answered') {
      entry.answer = { type: 'answer', callId, at: this.now() };
      this.journal.append(entry.answer);
    } else if (event.type === 'ended' && event.call.end) {
      const { answeredBy, end } = event.call;
      entry.end = { type: 'end', callId, ...end, answeredBy, at: this.now() };
      this.journal.append(entry.end);
    }
  }

  private stateOf({ placed, call, answer, end }: Entry): CarrierCall {
    if (call) return call.state;
    return {
      callId: placed.callId,
      key: placed.type === 'dial' ? placed.key : null,
      direction: placed.type === 'dial' ? 'outbound' : 'inbound',
      from: placed.from,
      to: placed.to,
      progress: 'ended',
      answeredBy: end?.answeredBy ?? null,
      answeredAt: answer ? new Date(answer.at) : null,
      endedAt: end ? new Date(end.at) : null,
      end: end && { outcome: end.outcome, by: end.by, reason: end.reason, answeredMs: end.answeredMs },
    };
  }

  private readJournal(): void {
    for (const record of this.journal.readNew()) this.remember(record);
  }

  private remember(record: SandboxRecord): void {
    const entry = this.entries.get(record.callId);
    switch (record.type) {
      case 'dial':
      case 'offer':
        if (!entry && record.at > this.now() - KEY_RETENTION_MS) this.enter(record);
        return;
      case 'answer':
        if (entry) entry.answer ??= record;
        return;
      case 'end':
        if (entry && !entry.end) this.endElsewhere(entry, record);
        return;
      case 'repeat':
        return;
    }
  }

  private enter(record: RecordOf<'dial'> | RecordOf<'offer'>): void {
    const customer = record.type === 'dial' ? record.to : record.from;
    const dial = (this.dials.get(customer) ?? 0) + 1;
    if (record.type === 'dial') {
      this.callIds.set(record.key, record.callId);
      this.dials.set(customer, dial);
    }
    const fresh = { answer: null, end: null, call: null, cancelTimer: null };
    this.entries.set(record.callId, { placed: record, dial, ...fresh, watchers: new Set() });
    if (--this.dialsUntilForgetting <= 0) this.forgetOld();
  }

  /** Another process on the same journal has seen the end of a call that lives here too. */
  private endElsewhere(entry: Entry, record: RecordOf<'end'>): void {
    entry.end = record;
    entry.cancelTimer?.();
    entry.call = null;
    const call = this.stateOf(entry);
    for (const watcher of entry.watchers) {
      watcher.push({ type: 'ended', call });
      watcher.end();
    }
  }

  private forgetOld(): void {
    this.dialsUntilForgetting = FORGETS_EACH_DIALS;
    const oldest = this.now() - KEY_RETENTION_MS;
    for (const [callId, { placed, end }] of this.entries) {
      if (placed.at > oldest) break;
      if (!end) continue;
      this.entries.delete(callId);
      if (placed.type === 'dial') this.callIds.delete(placed.key);
    }
  }

  private now(): number {
    return this.clock.date().getTime();
  }
}

function offerOf({ callId, from, to }: RecordOf<'offer'>): InboundOffer {
  return { callId, from, to };
}
