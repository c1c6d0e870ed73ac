import type { CancelTimer } from '../../../common/time/clock.js';
import type { CallEvent, CarrierCall } from '../call/carrier-call.js';
import type { EventQueue } from '../event-queue.js';
import type { SandboxCall } from './sandbox-call.js';
import type { SandboxRecord } from './sandbox-journal.js';

/** As long as Amazon Connect keeps the token of a dial request. */
export const KEY_RETENTION_MS = 7 * 86_400_000;

const FORGETS_EACH_DIALS = 1_000;

export type RecordOf<Type extends SandboxRecord['type']> = Extract<SandboxRecord, { type: Type }>;

/** A call and its place in the carrier. */
export interface SandboxEntry {
  readonly placed: RecordOf<'dial'> | RecordOf<'offer'>;
  /** How many dials its number had had. */
  readonly dial: number;
  answer: RecordOf<'answer'> | null;
  connect: RecordOf<'connect'> | null;
  end: RecordOf<'end'> | null;
  /** Null until it is asked for, for a call of another process or an earlier one; and after its end. */
  call: SandboxCall | null;
  cancelTimer: CancelTimer | null;
  readonly watchers: Set<EventQueue<CallEvent>>;
}

/** All calls that the journal tells of, by id and by key, as long as keys are kept. */
export class SandboxRegister {
  private readonly entries = new Map<string, SandboxEntry>();
  private readonly callIds = new Map<string, string>();
  private readonly dials = new Map<string, number>();
  private dialsUntilForgetting = FORGETS_EACH_DIALS;

  /**
   * @param nowMs the calendar, in milliseconds since 1970
   * @param onEndElsewhere hears of a call whose end another process on the same journal has seen
   */
  constructor(
    private readonly nowMs: () => number,
    private readonly onEndElsewhere: (entry: SandboxEntry) => void,
  ) {}

  get all(): Iterable<SandboxEntry> {
    return this.entries.values();
  }

  find(callId: string): SandboxEntry | undefined {
    return this.entries.get(callId);
  }

  /** The call of a key. */
  callIdOf(key: string): string | undefined {
    return this.callIds.get(key);
  }

  remember(record: SandboxRecord): void {
    const entry = this.entries.get(record.callId);
    switch (record.type) {
      case 'dial':
      case 'offer':
        if (!entry && record.at > this.nowMs() - KEY_RETENTION_MS) this.enter(record);
        return;
      case 'answer':
        if (entry) entry.answer ??= record;
        return;
      case 'connect':
        if (entry) entry.connect ??= record;
        return;
      case 'end':
        if (!entry || entry.end) return;
        entry.end = record;
        this.onEndElsewhere(entry);
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
    const fresh = { answer: null, connect: null, end: null, call: null, cancelTimer: null };
    this.entries.set(record.callId, { placed: record, dial, ...fresh, watchers: new Set() });
    if (--this.dialsUntilForgetting <= 0) this.forgetOld();
  }

  private forgetOld(): void {
    this.dialsUntilForgetting = FORGETS_EACH_DIALS;
    const oldest = this.nowMs() - KEY_RETENTION_MS;
    for (const [callId, { placed, end }] of this.entries) {
      if (placed.at > oldest) break;
      if (!end) continue;
      this.entries.delete(callId);
      if (placed.type === 'dial') this.forgetDial(placed);
    }
  }

  private forgetDial({ key, to }: RecordOf<'dial'>): void {
    this.callIds.delete(key);
    const dials = (this.dials.get(to) ?? 1) - 1;
    if (dials === 0) this.dials.delete(to);
    else this.dials.set(to, dials);
  }
}

/** The current state of a call, alive here or only recorded. */
export function stateOf({ placed, call, answer, connect, end }: SandboxEntry): CarrierCall {
  if (call) return call.state;
  return {
    callId: placed.callId,
    key: placed.type === 'dial' ? placed.key : null,
    direction: placed.type === 'dial' ? 'outbound' : 'inbound',
    from: placed.from,
    to: placed.to,
    progress: 'ended',
    answeredBy: end?.answeredBy ?? null,
    transfer: connect ? 'connected' : 'none',
    answeredAt: answer ? new Date(answer.at) : null,
    endedAt: end ? new Date(end.at) : null,
    end: end && { outcome: end.outcome, by: end.by, reason: end.reason, answeredMs: end.answeredMs },
  };
}
