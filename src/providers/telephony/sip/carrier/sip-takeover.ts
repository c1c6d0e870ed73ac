import type { KeptLine, LineTakeover } from '../../call-carrier.js';
import { CallCarrierError } from '../../call-carrier-error.js';
import type { CallFacts } from '../../call-record.js';
import type { ResumedCall, SipCallSnapshot } from '@prosa/sip';
import type { SipLeg, SipLegPast } from './sip-leg.js';

/** The carrier whose calls are kept and taken over. */
export interface TakeoverHost {
  /** This process serves trunks. */
  isServing(): boolean;
  /** Other processes place calls as well. */
  isShared(): boolean;
  find(callId: string): SipLeg | null;
  /** The ids of calls that have not ended. */
  standing(): readonly string[];
  /** Null for a trunk that is gone. */
  resume(snapshot: SipCallSnapshot): ResumedCall | null;
  keep(facts: CallFacts, call: ResumedCall, past: SipLegPast): void;
  /** Hangs up open calls, and frees the addresses. */
  close(): Promise<void>;
}

/** A line as it is kept, in JSON. */
interface KeptState {
  readonly version: 1;
  readonly facts: CallFacts;
  /** ISO 8601. */
  readonly answeredAt: string;
  readonly call: SipCallSnapshot;
  readonly secondLegs: readonly SipCallSnapshot[];
}

/** Takes calls over whose process has died: each by a re-INVITE with the addresses of this process. */
export class SipTakeover implements LineTakeover {
  private readonly listeners = new Set<() => void>();
  private readonly confirmations = new Set<() => Promise<void>>();

  constructor(private readonly host: TakeoverHost) {}

  get isReady(): boolean {
    return this.host.isServing();
  }

  get isShared(): boolean {
    return this.host.isShared();
  }

  onReady(listener: () => void): () => void {
    this.listeners.add(listener);
    if (this.host.isServing()) listener();
    return () => this.listeners.delete(listener);
  }

  /** This process serves trunks now. */
  ready(): void {
    for (const listener of this.listeners) listener();
  }

  onStandstill(confirm: () => Promise<void>): () => void {
    this.confirmations.add(confirm);
    return () => this.confirmations.delete(confirm);
  }

  /** The process has stood still: it is found out what is still this process's. */
  async confirm(): Promise<void> {
    await Promise.all([...this.confirmations].map((confirm) => confirm()));
  }

  save(callId: string, secondLegs: readonly string[]): string | null {
    const leg = this.host.find(callId);
    const call = leg?.call.snapshot() ?? null;
    const answeredAt = leg?.record.state.answeredAt ?? null;
    if (!leg || !call || !answeredAt) return null;
    const others = secondLegs.flatMap((id) => this.host.find(id)?.call.snapshot() ?? []);
    const kept: KeptState = {
      version: 1,
      facts: leg.facts,
      answeredAt: answeredAt.toISOString(),
      call,
      secondLegs: others,
    };
    return JSON.stringify(kept);
  }

  onChange(callId: string, listener: () => void): () => void {
    const call = this.host.find(callId)?.call;
    const events = ['changed', 'answered', 'ended'] as const;
    for (const event of events) call?.on(event, listener);
    return () => {
      for (const event of events) call?.off(event, listener);
    };
  }

  async resume({ callId, state, lastHeardMs }: KeptLine): Promise<void> {
    if (!this.host.isServing()) throw new CallCarrierError('unavailable', 'no');
    const known = this.host.find(callId);
    // A call that has ended here belonged to another process in the meantime.
    if (known && !known.record.end) return;
    const kept = JSON.parse(state) as KeptState;
    // No process bridges the second legs any more; the customer is back with the assistant.
    for (const secondLeg of kept.secondLegs) this.host.resume(secondLeg)?.hangUp();
    const call = this.host.resume(kept.call);
    if (!call) throw new CallCarrierError('no-such-call', 'no');
    this.host.keep(kept.facts, call, { answeredAt: new Date(kept.answeredAt), lastHeardMs });
    await call.takeOver();
  }

  release(callId: string): void {
    const call = this.host.find(callId)?.call;
    // An unanswered call cannot be continued; it must not ring for ever.
    if (call?.state === 'setup') return call.hangUp();
    call?.abandon();
  }

  countOthers(callIds: readonly string[]): number {
    return this.host.standing().filter((callId) => !callIds.includes(callId)).length;
  }

  leave(): Promise<void> {
    return this.host.close();
  }
}
