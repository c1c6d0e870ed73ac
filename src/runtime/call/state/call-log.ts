import type { AnsweredBy } from '../../../providers/telephony/call/carrier-call.js';
import type { CallScreener } from '../session/remote-party.js';
import type { CallAction, CallListener, TranscriptTurn } from '../session/call-setup.js';
import type { IgnoredWords, TurnMetrics } from '../session/session-facts.js';

type Untimed<Action> = Action extends CallAction ? Omit<Action, 'atMs'> : never;

/** The record of a call during the call. */
export class CallLog {
  readonly turns: TranscriptTurn[];
  readonly actions: CallAction[] = [];
  readonly metrics: TurnMetrics[] = [];
  readonly ignored = { noise: 0, backchannel: 0 };
  answeredBy: AnsweredBy | null = null;
  gatekeeper: CallScreener | null = null;

  /** @param atMs the time since the answer */
  constructor(
    earlier: readonly TranscriptTurn[],
    private readonly atMs: () => number,
    private readonly listener: CallListener = {},
  ) {
    this.turns = [...earlier];
  }

  /** In the order of the words. See `SessionListener.onTurn`. */
  addTurn(turn: TranscriptTurn, earlier?: TranscriptTurn): void {
    const place = earlier ? this.turns.lastIndexOf(earlier) : -1;
    if (place === -1) this.turns.push(turn);
    else this.turns.splice(place, 1, turn);
    this.listener.onTurn?.(turn, earlier);
  }

  addAction(action: Untimed<CallAction>): void {
    const timed = { ...action, atMs: this.atMs() } as CallAction;
    this.actions.push(timed);
    this.listener.onAction?.(timed);
  }

  /** @param answeredBy null: not known any more */
  setAnsweredBy(answeredBy: AnsweredBy | null): void {
    this.answeredBy = answeredBy;
    this.listener.onAnsweredBy?.(answeredBy);
  }

  addMetrics(turn: TurnMetrics): void {
    this.metrics.push(turn);
    this.listener.onMetrics?.(turn);
  }

  addIgnored(ignored: IgnoredWords): void {
    this.ignored[ignored.kind]++;
    this.listener.onIgnored?.(ignored);
  }

  reportError(error: unknown): void {
    this.listener.onError?.(error);
  }
}
