import type {
  AnsweredBy,
  CallEnd,
  CallEvent,
  CallProgress,
  CarrierCall,
  TransferOutcome,
  TransferProgress,
} from '../call/carrier-call.js';
import type { ForwardCall } from '../call/incoming-calls.js';
import type { TransferCall } from '../call/call-line.js';
import { CallCarrierError } from '../call-carrier-error.js';
import { SandboxAgenda } from './sandbox-agenda.js';
import { keyAskedFor, type PersonaReply, type SandboxPersona } from './sandbox-persona.js';
import { SANDBOX_TIMES, speechMs } from './sandbox-times.js';
import { transferOutcome } from './sandbox-transfer.js';

export interface SandboxCallFacts {
  readonly callId: string;
  readonly key: string | null;
  readonly direction: 'outbound' | 'inbound';
  readonly from: string;
  readonly to: string;
  readonly ringingTimeoutMs: number;
  /** What is said goes over the line as sound: the far end's script is played there, and none of it here. */
  readonly inSound?: boolean;
}

type Deed =
  | { readonly do: 'ring' | 'answer' | 'nudge' }
  | { readonly do: 'answering-machine-detection'; readonly answeredBy: AnsweredBy }
  | { readonly do: 'say'; readonly text: string }
  | { readonly do: 'press'; readonly digits: string }
  | { readonly do: 'end'; readonly outcome: CallEnd['outcome']; readonly by: CallEnd['by'] }
  | { readonly do: 'conclude-forward'; readonly outcome: TransferOutcome; readonly maxMs: number }
  | { readonly do: 'conclude-transfer'; readonly transferId: string; readonly outcome: TransferOutcome };

/**
 * One call of the sandbox: what happens at which moment, without a clock of its own. Its owner calls `advance` when
 * `nextAtMs` has come, and before doing anything with it.
 */
export class SandboxCall {
  private progress: CallProgress = 'dialing';
  private answeredBy: AnsweredBy | null = null;
  private answeredAt: Date | null = null;
  private endedAt: Date | null = null;
  private end: CallEnd | null = null;
  private answeredAtMs = 0;
  private readonly agenda = new SandboxAgenda<Deed>();
  private replies: readonly PersonaReply[];
  /** Planned, and not begun. */
  private pendingReply: PersonaReply | null = null;
  private nudges = 0;
  private readonly persona: SandboxPersona;
  private transferProgress: TransferProgress = 'none';
  private isForwarded = false;
  private happened: CallEvent[] = [];

  /**
   * @param startedMs when the call was placed, in the time of `advance`
   * @param wallClock the calendar, for the moments a caller is shown
   */
  constructor(
    readonly facts: SandboxCallFacts,
    persona: SandboxPersona,
    startedMs: number,
    private readonly wallClock: () => Date,
  ) {
    this.persona = facts.inSound ? { ...persona, opening: null, replies: [], nudge: null } : persona;
    this.replies = this.persona.replies;
    if (facts.direction === 'inbound') this.offer(startedMs);
    else this.dial(startedMs);
  }

  /** Null when nothing more happens by itself. */
  get nextAtMs(): number | null {
    return this.agenda.nextAtMs;
  }

  get isOver(): boolean {
    return this.end !== null;
  }

  get isAnswered(): boolean {
    return this.progress === 'answered';
  }

  get state(): CarrierCall {
    const { callId, key, direction, from, to } = this.facts;
    const { progress, answeredBy, transferProgress: transfer, answeredAt, endedAt, end } = this;
    return { callId, key, direction, from, to, progress, answeredBy, transfer, answeredAt, endedAt, end };
  }

  /** Does what was to happen until now; returns what has happened since it was last asked. */
  advance(nowMs: number): CallEvent[] {
    for (;;) {
      const next = this.agenda.takeDue(nowMs);
      if (!next) return this.happened.splice(0);
      this.perform(next.atMs, next.deed);
    }
  }

  /**
   * Takes up a call that was answered before, by a process that is gone: its words are unknown.
   *
   * @param connectedMs how long ago the customer was transferred; null for never. A transfer that was under way has
   *   failed: the far end does not ring any more.
   */
  resume(answeredAt: Date, answeredMs: number, connectedMs: number | null, nowMs: number): void {
    this.progress = 'answered';
    this.answeredAt = answeredAt;
    this.answeredAtMs = nowMs - answeredMs;
    this.answeredBy = this.persona.answers === 'machine' ? 'machine' : 'human';
    this.agenda.clear();
    if (connectedMs !== null) this.connect(nowMs - connectedMs);
    else if (this.answeredBy === 'machine')
      this.agenda.plan(nowMs + SANDBOX_TIMES.recordsMs, { do: 'end', outcome: 'hung-up', by: 'customer' });
    else this.waitPatiently(nowMs);
  }

  accept(nowMs: number): void {
    this.mustBeOffered();
    this.agenda.clear();
    this.perform(nowMs, { do: 'answer' });
  }

  /**
   * The caller, who may have been answered to wait, hears ringing until the far end answers.
   *
   * @param farEnd who is at the number the call is forwarded to
   */
  forward({ ringingTimeoutMs, maxMs }: ForwardCall, farEnd: SandboxPersona, nowMs: number): void {
    if (!this.isAnswered || this.isForwarded) this.mustBeOffered();
    this.isForwarded = true;
    const { outcome, afterMs } = transferOutcome(farEnd, { briefing: null, ringingTimeoutMs });
    this.agenda.plan(nowMs + afterMs, { do: 'conclude-forward', outcome, maxMs });
  }

  reject(nowMs: number): void {
    this.mustBeOffered();
    this.finish(nowMs, 'busy', 'platform');
  }

  hangUp(nowMs: number): void {
    if (!this.isOver) this.finish(nowMs, this.isAnswered ? 'hung-up' : 'no-answer', 'platform');
  }

  /** The far end hangs up, where its script is not played here; or a caller gives up. */
  leave(nowMs: number): void {
    const isCaller = this.facts.direction === 'inbound';
    if (!this.isOver && (this.isAnswered || isCaller))
      this.finish(nowMs, this.isAnswered ? 'hung-up' : 'no-answer', 'customer');
  }

  /** Returns how long the words take. */
  say(text: string, nowMs: number): number {
    this.mustBeAnswered();
    const durationMs = speechMs(text);
    if (this.isListening) this.listen(nowMs, durationMs, keyAskedFor(text));
    return durationMs;
  }

  sendDigits(nowMs: number): void {
    this.mustBeAnswered();
    if (this.isListening) this.waitPatiently(nowMs);
  }

  /** @param farEnd who is at the number the customer is transferred to */
  transfer({ transferId, ...how }: TransferCall, farEnd: SandboxPersona, nowMs: number): void {
    this.mustBeAnswered();
    if (this.transferProgress !== 'none') throw new CallCarrierError('rejected', 'no');
    this.transferProgress = 'running';
    this.dropPlans();
    const { outcome, afterMs } = transferOutcome(farEnd, how);
    this.agenda.plan(nowMs + afterMs, { do: 'conclude-transfer', transferId, outcome });
  }

  /** A person on the line hears what we say; one who is on hold or talks with another party does not. */
  private get isListening(): boolean {
    return this.transferProgress === 'none' && this.persona.answers === 'human';
  }

  private mustBeOffered(): void {
    if (this.isOver) throw new CallCarrierError('call-over', 'no');
    const isOffered = this.facts.direction === 'inbound' && this.progress === 'ringing' && !this.isForwarded;
    if (!isOffered) throw new CallCarrierError('taken', 'no');
  }

  private mustBeAnswered(): void {
    if (this.isOver) throw new CallCarrierError('call-over', 'no');
    if (!this.isAnswered) throw new CallCarrierError('not-answered', 'no');
  }

  private dial(startedMs: number): void {
    const { untilRingingMs, untilBusyMs, untilFailedMs, ringsMs } = SANDBOX_TIMES;
    const { ringingTimeoutMs } = this.facts;
    const ringsAtMs = startedMs + untilRingingMs;
    const end = (atMs: number, outcome: CallEnd['outcome']) =>
      this.agenda.plan(atMs, { do: 'end', outcome, by: 'carrier' });
    switch (this.persona.answers) {
      case 'failed':
        return end(startedMs + untilFailedMs, 'failed');
      case 'busy':
        return end(startedMs + untilBusyMs, 'busy');
      case 'no-answer':
      case 'human':
      case 'machine':
        break;
    }
    this.agenda.plan(ringsAtMs, { do: 'ring' });
    if (this.persona.answers !== 'no-answer' && ringsMs < ringingTimeoutMs)
      this.agenda.plan(ringsAtMs + ringsMs, { do: 'answer' });
    else end(ringsAtMs + ringingTimeoutMs, 'no-answer');
  }

  private offer(startedMs: number): void {
    this.progress = 'ringing';
    const givesUpAtMs = startedMs + this.facts.ringingTimeoutMs;
    this.agenda.plan(givesUpAtMs, { do: 'end', outcome: 'no-answer', by: 'customer' });
  }

  private perform(atMs: number, deed: Deed): void {
    switch (deed.do) {
      case 'ring':
        this.progress = 'ringing';
        this.happened.push({ type: 'ringing' });
        return;
      case 'answer':
        return this.answer(atMs);
      case 'answering-machine-detection':
        this.answeredBy = deed.answeredBy;
        this.happened.push({ type: 'answering-machine-detection', answeredBy: deed.answeredBy });
        return;
      case 'say':
        this.pendingReply = null;
        this.happened.push({ type: 'heard', text: deed.text });
        return;
      case 'press':
        this.pendingReply = null;
        this.happened.push({ type: 'digits', digits: deed.digits });
        return;
      case 'nudge':
        return this.nudge(atMs);
      case 'conclude-forward':
        return this.concludeForward(atMs, deed.outcome, deed.maxMs);
      case 'conclude-transfer':
        return this.concludeTransfer(atMs, deed.transferId, deed.outcome);
      case 'end':
        return this.finish(atMs, deed.outcome, deed.by);
    }
  }

  private answer(atMs: number): void {
    const { untilHintMs, untilOpeningMs, recordsMs } = SANDBOX_TIMES;
    const { answers, opening } = this.persona;
    this.progress = 'answered';
    this.answeredAt = this.wallClock();
    this.answeredAtMs = atMs;
    this.happened.push({ type: 'answered' });
    if (this.facts.inSound) return;
    const spokenMs = opening === null ? 0 : speechMs(opening);
    if (answers === 'machine') {
      this.agenda.plan(atMs + spokenMs, { do: 'answering-machine-detection', answeredBy: 'machine' });
      if (opening !== null) this.agenda.plan(atMs + spokenMs, { do: 'say', text: opening });
      this.agenda.plan(atMs + spokenMs + recordsMs, { do: 'end', outcome: 'hung-up', by: 'customer' });
      return;
    }
    this.agenda.plan(atMs + untilHintMs, { do: 'answering-machine-detection', answeredBy: 'human' });
    if (opening !== null) this.agenda.plan(atMs + untilOpeningMs + spokenMs, { do: 'say', text: opening });
    if (this.persona.nudge !== null)
      this.agenda.plan(atMs + untilOpeningMs + spokenMs + SANDBOX_TIMES.patienceMs, { do: 'nudge' });
  }

  /** A person who is spoken to drops what they were about to say, and answers when the words are over. */
  private listen(nowMs: number, durationMs: number, askedKey: string | null): void {
    const hasSaidGoodbye = this.pendingReply === null && this.agenda.has((deed) => deed.do === 'end');
    if (hasSaidGoodbye) return;
    this.dropPlans();
    this.nudges = 0;
    const [reply, ...later] = this.replies;
    if (reply?.hangUp === 'instead') {
      const atMs = nowMs + Math.min(SANDBOX_TIMES.interruptsAfterMs, durationMs);
      this.agenda.plan(atMs, { do: 'end', outcome: 'hung-up', by: 'customer' });
      return;
    }
    let atMs = nowMs + durationMs;
    if (askedKey !== null) {
      atMs = this.planReply({ press: askedKey }, atMs + SANDBOX_TIMES.thinksMs);
    } else if (reply) {
      this.replies = later;
      this.pendingReply = reply;
      atMs = this.planReply(reply, atMs + SANDBOX_TIMES.thinksMs);
    }
    if (askedKey !== null || !reply?.hangUp) this.waitPatiently(atMs);
  }

  /** What has not been said can still be said when it is their turn again. */
  private dropPlans(): void {
    if (this.pendingReply) this.replies = [this.pendingReply, ...this.replies];
    this.pendingReply = null;
    this.agenda.keepOnly((deed) => deed.do === 'answering-machine-detection');
  }

  private planReply({ say, press, hangUp }: PersonaReply, fromMs: number): number {
    let atMs = fromMs;
    if (say !== undefined) {
      atMs += speechMs(say);
      this.agenda.plan(atMs, { do: 'say', text: say });
    }
    if (press !== undefined) this.agenda.plan(atMs, { do: 'press', digits: press });
    if (hangUp)
      this.agenda.plan(atMs + SANDBOX_TIMES.thinksMs, { do: 'end', outcome: 'hung-up', by: 'customer' });
    return atMs;
  }

  private waitPatiently(fromMs: number): void {
    if (this.persona.nudge === null) return;
    this.agenda.keepOnly((deed) => deed.do !== 'nudge');
    this.agenda.plan(fromMs + SANDBOX_TIMES.patienceMs, { do: 'nudge' });
  }

  private nudge(atMs: number): void {
    const { nudge } = this.persona;
    this.nudges++;
    if (nudge === null || this.nudges > 1) return this.finish(atMs, 'hung-up', 'customer');
    this.happened.push({ type: 'heard', text: nudge });
    this.waitPatiently(atMs);
  }

  private concludeTransfer(atMs: number, transferId: string, outcome: TransferOutcome): void {
    this.transferProgress = 'none';
    if (outcome === 'answered') this.connect(atMs);
    else this.waitPatiently(atMs);
    this.happened.push({ type: 'transfer', transferId, outcome });
  }

  private concludeForward(atMs: number, outcome: TransferOutcome, maxMs: number): void {
    if (outcome !== 'answered') {
      const ofOffer = outcome === 'declined' ? 'busy' : outcome;
      return this.finish(atMs, this.isAnswered ? 'hung-up' : ofOffer, 'carrier');
    }
    if (!this.isAnswered) {
      this.progress = 'answered';
      this.answeredAt = this.wallClock();
      this.answeredAtMs = atMs;
      this.happened.push({ type: 'answered' });
    }
    this.agenda.clear();
    this.connect(atMs);
    this.agenda.plan(atMs + maxMs, { do: 'end', outcome: 'hung-up', by: 'carrier' });
  }

  private connect(atMs: number): void {
    this.transferProgress = 'connected';
    const endsAtMs = atMs + SANDBOX_TIMES.talkAfterTransferMs;
    this.agenda.plan(endsAtMs, { do: 'end', outcome: 'hung-up', by: 'customer' });
  }

  private finish(atMs: number, outcome: CallEnd['outcome'], by: CallEnd['by']): void {
    const answeredMs = this.isAnswered ? Math.max(Math.round(atMs - this.answeredAtMs), 0) : 0;
    const reason = outcome === 'failed' ? 'sandbox-failure' : null;
    this.progress = 'ended';
    this.endedAt = this.wallClock();
    this.end = { outcome, by, reason, answeredMs };
    this.agenda.clear();
    this.replies = [];
    this.happened.push({ type: 'ended', call: this.state });
  }
}
