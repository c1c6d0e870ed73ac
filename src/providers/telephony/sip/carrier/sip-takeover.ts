import type { KeptLine, LineTakeover } from '../../call/line-takeover.js';
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

/** Facts of a second leg are left out by earlier releases. */
interface KeptSecondLeg extends SipCallSnapshot {
  readonly facts?: CallFacts;
  /** ISO 8601. */
  readonly answeredAt?: string;
}

/** A line as it is kept, in JSON. */
interface KeptState {
  readonly version: 1;
  readonly facts: CallFacts;
  /** ISO 8601. */
  readonly answeredAt: string;
  readonly call: SipCallSnapshot;
  readonly secondLegs: readonly KeptSecondLeg[];
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
    const leg = this.keptLeg(callId);
    if (!leg) return null;
    const others = secondLegs.flatMap((id) => {
      const { call, ...past } = this.keptLeg(id) ?? {};
      return call ? [{ ...call, ...past }] : [];
    });
    const kept: KeptState = { version: 1, ...leg, secondLegs: others };
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

  async resume({ callId, state, lastHeardMs, keepsSecondLeg = false }: KeptLine): Promise<void> {
    if (!this.host.isServing()) throw new CallCarrierError('unavailable', 'no');
    const known = this.host.find(callId);
    // A call that has ended here belonged to another process in the meantime.
    if (known && !known.record.end) return;
    const kept = JSON.parse(state) as KeptState;
    const call = this.host.resume(kept.call);
    const secondLegs = this.resumeSecondLegs(kept, keepsSecondLeg && call !== null);
    if (!call) throw new CallCarrierError('no-such-call', 'no');
    this.host.keep(kept.facts, call, { answeredAt: new Date(kept.answeredAt), lastHeardMs });
    call.once('ended', ({ outcome }) => {
      // Else another process has both lines.
      if (outcome === 'hung-up') for (const secondLeg of secondLegs) secondLeg.hangUp();
    });
    await Promise.all([call, ...secondLegs].map((line) => line.takeOver()));
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

  private keptLeg(callId: string) {
    const leg = this.host.find(callId);
    const call = leg?.call.snapshot() ?? null;
    const answeredAt = leg?.record.state.answeredAt ?? null;
    return leg && call && answeredAt
      ? { facts: leg.facts, answeredAt: answeredAt.toISOString(), call }
      : null;
  }

  /** Hangs up those that no process bridges any more: the customer is back with the assistant. Returns the others. */
  private resumeSecondLegs({ secondLegs }: KeptState, areKept: boolean): readonly ResumedCall[] {
    return secondLegs.flatMap((secondLeg) => {
      const call = this.host.resume(secondLeg);
      const { facts, answeredAt } = secondLeg;
      if (!call) return [];
      if (areKept && facts && answeredAt) {
        this.host.keep(facts, call, { answeredAt: new Date(answeredAt), lastHeardMs: 0 });
        return [call];
      }
      call.hangUp();
      return [];
    });
  }
}
