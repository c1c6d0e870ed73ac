import type {
  AnsweredBy,
  CallEnd,
  CallEvent,
  CallProgress,
  CarrierCall,
  TransferCall,
  TransferOutcome,
} from '../call-carrier.js';
import { CallCarrierError } from '../call-carrier-error.js';
import type { PersonaReply, SandboxPersona } from './sandbox-persona.js';

/** How long things take, in milliseconds of the sandbox's time. */
export const SANDBOX_TIMES = {
  untilRingingMs: 500,
  untilBusyMs: 1_000,
  untilFailedMs: 500,
  /** From the first ring to the answer. */
  ringsMs: 2_500,
  untilHintMs: 1_000,
  untilOpeningMs: 1_500,
  thinksMs: 800,
  /** Of silence before a person says something about it; the second time, they hang up. */
  patienceMs: 15_000,
  /** How far into somebody's words a person hangs up who does not let them finish. */
  interruptsAfterMs: 1_000,
  /** What a voicemail records. */
  recordsMs: 30_000,
  farEndAnswersMs: 3_000,
  farEndDecidesMs: 1_000,
  talkAfterTransferMs: 10_000,
} as const;

const MS_PER_CHARACTER = 60;

/** Speech at about 150 words a minute. */
export function speechMs(text: string): number {
  return Math.max(text.length * MS_PER_CHARACTER, 300);
}

export interface SandboxCallFacts {
  readonly callId: string;
  readonly key: string | null;
  readonly direction: 'outbound' | 'inbound';
  readonly from: string;
  readonly to: string;
  readonly ringingTimeoutMs: number;
}

type Deed =
  | { readonly do: 'ring' | 'answer' | 'nudge' }
  | { readonly do: 'hint'; readonly answeredBy: AnsweredBy }
  | { readonly do: 'say'; readonly text: string }
  | { readonly do: 'press'; readonly digits: string }
  | { readonly do: 'end'; readonly outcome: CallEnd['outcome']; readonly by: CallEnd['by'] }
  | { readonly do: 'conclude-transfer'; readonly transferId: string; readonly outcome: TransferOutcome };

interface Appointment {
  readonly atMs: number;
  readonly deed: Deed;
}

/**
 * One call of the sandbox: what happens at which moment, without a clock of its own. Whoever holds it calls `advance` when
 * `nextAtMs` has come, and before doing anything with it.
 */
export class SandboxCall {
  private progress: CallProgress = 'dialing';
  private answeredBy: AnsweredBy | null = null;
  private answeredAt: Date | null = null;
  private endedAt: Date | null = null;
  private end: CallEnd | null = null;
  private answeredAtMs = 0;
  private agenda: Appointment[] = [];
  private replies: readonly PersonaReply[];
  /** Planned, and not begun. */
  private pendingReply: PersonaReply | null = null;
  private nudges = 0;
  private transferring = false;
  private transferred = false;
  private happened: CallEvent[] = [];

  /**
   * @param startedMs when the call was placed, in the time of `advance`
   * @param wallClock the calendar, for the moments a caller is shown
   */
  constructor(
    readonly facts: SandboxCallFacts,
    private readonly persona: SandboxPersona,
    startedMs: number,
    private readonly wallClock: () => Date,
  ) {
    this.replies = persona.replies;
    this.agenda = facts.direction === 'inbound' ? this.offering(startedMs) : this.dialing(startedMs);
    if (facts.direction === 'inbound') this.progress = 'ringing';
  }

  /** Null when nothing more happens by itself. */
  get nextAtMs(): number | null {
    return this.agenda[0]?.atMs ?? null;
  }

  get isOver(): boolean {
    return this.end !== null;
  }

  get isAnswered(): boolean {
    return this.progress === 'answered';
  }

  get state(): CarrierCall {
    const { callId, key, direction, from, to } = this.facts;
    const { progress, answeredBy, answeredAt, endedAt, end } = this;
    return { callId, key, direction, from, to, progress, answeredBy, answeredAt, endedAt, end };
  }

  /** Does what was to happen until now; returns what has happened since it was last asked. */
  advance(nowMs: number): CallEvent[] {
    for (;;) {
      const [next] = this.agenda;
      if (!next || next.atMs > nowMs) return this.happened.splice(0);
      this.agenda.shift();
      this.perform(next);
    }
  }

  /** Takes up a call that was answered before, by a process that is gone: nobody knows what was said. */
  resume(answeredAt: Date, answeredMs: number, nowMs: number): void {
    this.progress = 'answered';
    this.answeredAt = answeredAt;
    this.answeredAtMs = nowMs - answeredMs;
    this.answeredBy = this.persona.answers === 'machine' ? 'machine' : 'human';
    this.agenda = [];
    if (this.answeredBy === 'machine')
      this.plan(nowMs + SANDBOX_TIMES.recordsMs, { do: 'end', outcome: 'hung-up', by: 'customer' });
    else this.waitPatiently(nowMs);
  }

  accept(nowMs: number): void {
    if (this.isOver) throw new CallCarrierError('call-over', 'no');
    if (this.facts.direction !== 'inbound' || this.progress !== 'ringing')
      throw new CallCarrierError('taken', 'no');
    this.agenda = [];
    this.perform({ atMs: nowMs, deed: { do: 'answer' } });
  }

  reject(nowMs: number): void {
    if (this.isOver) throw new CallCarrierError('call-over', 'no');
    if (this.facts.direction !== 'inbound' || this.progress !== 'ringing')
      throw new CallCarrierError('taken', 'no');
    this.finish(nowMs, 'busy', 'platform');
  }

  hangUp(nowMs: number): void {
    if (!this.isOver) this.finish(nowMs, this.isAnswered ? 'hung-up' : 'no-answer', 'platform');
  }

  /** Returns how long the words take. */
  say(text: string, nowMs: number): number {
    this.mustBeAnswered();
    const durationMs = speechMs(text);
    if (!this.transferring && !this.transferred && this.persona.answers === 'human') {
      this.listen(nowMs, durationMs);
    }
    return durationMs;
  }

  sendDigits(nowMs: number): void {
    this.mustBeAnswered();
    if (!this.transferring && !this.transferred && this.persona.answers === 'human')
      this.waitPatiently(nowMs);
  }

  /** @param farEnd who is at the number the customer is transferred to */
  transfer(
    { transferId, briefing, ringingTimeoutMs }: TransferCall,
    farEnd: SandboxPersona,
    nowMs: number,
  ): void {
    this.mustBeAnswered();
    if (this.transferring || this.transferred) throw new CallCarrierError('rejected', 'no');
    this.transferring = true;
    this.dropPlans();
    const { outcome, afterMs } = transferOutcome(farEnd, briefing, ringingTimeoutMs);
    this.plan(nowMs + afterMs, { do: 'conclude-transfer', transferId, outcome });
  }

  private mustBeAnswered(): void {
    if (this.isOver) throw new CallCarrierError('call-over', 'no');
    if (!this.isAnswered) throw new CallCarrierError('not-answered', 'no');
  }

  private dialing(startedMs: number): Appointment[] {
    const { untilRingingMs, untilBusyMs, untilFailedMs, ringsMs } = SANDBOX_TIMES;
    const ringing: Appointment = { atMs: startedMs + untilRingingMs, deed: { do: 'ring' } };
    const givesUpAtMs = ringing.atMs + this.facts.ringingTimeoutMs;
    switch (this.persona.answers) {
      case 'failed':
        return [{ atMs: startedMs + untilFailedMs, deed: { do: 'end', outcome: 'failed', by: 'carrier' } }];
      case 'busy':
        return [{ atMs: startedMs + untilBusyMs, deed: { do: 'end', outcome: 'busy', by: 'carrier' } }];
      case 'no-answer':
      case 'human':
      case 'machine':
        return this.persona.answers !== 'no-answer' && ringsMs < this.facts.ringingTimeoutMs
          ? [ringing, { atMs: ringing.atMs + ringsMs, deed: { do: 'answer' } }]
          : [ringing, { atMs: givesUpAtMs, deed: { do: 'end', outcome: 'no-answer', by: 'carrier' } }];
    }
  }

  private offering(startedMs: number): Appointment[] {
    const givesUpAtMs = startedMs + this.facts.ringingTimeoutMs;
    return [{ atMs: givesUpAtMs, deed: { do: 'end', outcome: 'no-answer', by: 'customer' } }];
  }

  private perform({ atMs, deed }: Appointment): void {
    switch (deed.do) {
      case 'ring':
        this.progress = 'ringing';
        this.happened.push({ type: 'ringing' });
        return;
      case 'answer':
        return this.answer(atMs);
      case 'hint':
        this.answeredBy = deed.answeredBy;
        this.happened.push({ type: 'hint', answeredBy: deed.answeredBy });
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
    const spokenMs = opening === null ? 0 : speechMs(opening);
    if (answers === 'machine') {
      this.plan(atMs + spokenMs, { do: 'hint', answeredBy: 'machine' });
      if (opening !== null) this.plan(atMs + spokenMs, { do: 'say', text: opening });
      this.plan(atMs + spokenMs + recordsMs, { do: 'end', outcome: 'hung-up', by: 'customer' });
      return;
    }
    this.plan(atMs + untilHintMs, { do: 'hint', answeredBy: 'human' });
    if (opening !== null) this.plan(atMs + untilOpeningMs + spokenMs, { do: 'say', text: opening });
    if (this.persona.nudge !== null)
      this.plan(atMs + untilOpeningMs + spokenMs + SANDBOX_TIMES.patienceMs, { do: 'nudge' });
  }

  /** A person who is spoken to lets go of what they were about to say, and answers when the words are over. */
  private listen(nowMs: number, durationMs: number): void {
    const hasSaidGoodbye = this.pendingReply === null && this.agenda.some(({ deed }) => deed.do === 'end');
    if (hasSaidGoodbye) return;
    this.dropPlans();
    this.nudges = 0;
    const [reply, ...later] = this.replies;
    if (reply?.hangUp === 'instead') {
      const atMs = nowMs + Math.min(SANDBOX_TIMES.interruptsAfterMs, durationMs);
      this.plan(atMs, { do: 'end', outcome: 'hung-up', by: 'customer' });
      return;
    }
    let atMs = nowMs + durationMs;
    if (reply) {
      this.replies = later;
      this.pendingReply = reply;
      atMs = this.planReply(reply, atMs + SANDBOX_TIMES.thinksMs);
    }
    if (!reply?.hangUp) this.waitPatiently(atMs);
  }

  /** What has not been said can still be said when it is their turn again. */
  private dropPlans(): void {
    if (this.pendingReply) this.replies = [this.pendingReply, ...this.replies];
    this.pendingReply = null;
    this.agenda = this.agenda.filter(({ deed }) => deed.do === 'hint');
  }

  private planReply({ say, press, hangUp }: PersonaReply, fromMs: number): number {
    let atMs = fromMs;
    if (say !== undefined) {
      atMs += speechMs(say);
      this.plan(atMs, { do: 'say', text: say });
    }
    if (press !== undefined) this.plan(atMs, { do: 'press', digits: press });
    if (hangUp) this.plan(atMs + SANDBOX_TIMES.thinksMs, { do: 'end', outcome: 'hung-up', by: 'customer' });
    return atMs;
  }

  private waitPatiently(fromMs: number): void {
    if (this.persona.nudge === null) return;
    this.agenda = this.agenda.filter(({ deed }) => deed.do !== 'nudge');
    this.plan(fromMs + SANDBOX_TIMES.patienceMs, { do: 'nudge' });
  }

  private nudge(atMs: number): void {
    const { nudge } = this.persona;
    this.nudges++;
    if (nudge === null || this.nudges > 1) return this.finish(atMs, 'hung-up', 'customer');
    this.happened.push({ type: 'heard', text: nudge });
    this.waitPatiently(atMs);
  }

  private concludeTransfer(atMs: number, transferId: string, outcome: TransferOutcome): void {
    this.transferring = false;
    this.happened.push({ type: 'transfer', transferId, outcome });
    if (outcome === 'answered') {
      this.transferred = true;
      this.plan(atMs + SANDBOX_TIMES.talkAfterTransferMs, { do: 'end', outcome: 'hung-up', by: 'customer' });
    } else this.waitPatiently(atMs);
  }

  private finish(atMs: number, outcome: CallEnd['outcome'], by: CallEnd['by']): void {
    const answeredMs = this.isAnswered ? Math.max(Math.round(atMs - this.answeredAtMs), 0) : 0;
    const reason = outcome === 'failed' ? 'sandbox-failure' : null;
    this.progress = 'ended';
    this.endedAt = this.wallClock();
    this.end = { outcome, by, reason, answeredMs };
    this.agenda = [];
    this.replies = [];
    this.happened.push({ type: 'ended', call: this.state });
  }

  private plan(atMs: number, deed: Deed): void {
    const later = this.agenda.findIndex((other) => other.atMs > atMs);
    this.agenda.splice(later < 0 ? this.agenda.length : later, 0, { atMs, deed });
  }
}

function transferOutcome(
  farEnd: SandboxPersona,
  briefing: string | null,
  ringingTimeoutMs: number,
): { outcome: TransferOutcome; afterMs: number } {
  const { untilBusyMs, untilFailedMs, farEndAnswersMs, farEndDecidesMs } = SANDBOX_TIMES;
  switch (farEnd.answers) {
    case 'busy':
      return { outcome: 'busy', afterMs: untilBusyMs };
    case 'failed':
      return { outcome: 'failed', afterMs: untilFailedMs };
    case 'no-answer':
      return { outcome: 'no-answer', afterMs: ringingTimeoutMs };
    case 'human':
    case 'machine':
      break;
  }
  if (farEndAnswersMs >= ringingTimeoutMs) return { outcome: 'no-answer', afterMs: ringingTimeoutMs };
  if (briefing === null) return { outcome: 'answered', afterMs: farEndAnswersMs };
  const takesIt = farEnd.answers === 'human' && !farEnd.replies.some(({ hangUp }) => hangUp === 'instead');
  return {
    outcome: takesIt ? 'answered' : 'declined',
    afterMs: farEndAnswersMs + speechMs(briefing) + farEndDecidesMs,
  };
}
