import type { AssistantState } from '../../../providers/telephony/call/call-line.js';
import {
  type AgentTurnEvent,
  type AgentTurnState,
  INITIAL_TURN,
  isBusy,
  nextTurn,
  shownTurn,
} from './agent-turn-states.js';

export interface AgentTurnListener {
  /** The customer waits for an answer, or waits no more. */
  onReply(reply: AgentTurnState['reply']): void;
  /** The assistant begins to be busy, or listens again; not in between. */
  onActivity(activity: 'busy' | 'listening'): void;
  onShown(state: AssistantState): void;
}

/** The turn of an assistant on a line of sound: the one place that holds its state. See agent-turn-states.ts. */
export class AgentTurn {
  readonly tools = this.overlap('tools-began', 'tools-ended');
  readonly speeches = this.overlap('speeches-began', 'speeches-ended');
  readonly queue = this.overlap('queue-began', 'queue-ended');
  private readonly actions = this.overlap('actions-began', 'actions-ended');
  private current = INITIAL_TURN;

  constructor(private readonly listener: AgentTurnListener) {}

  get state(): AgentTurnState {
    return this.current;
  }

  is(guard: (state: AgentTurnState) => boolean): boolean {
    return guard(this.current);
  }

  dispatch(event: AgentTurnEvent): void {
    const before = this.current;
    const after = nextTurn(before, event);
    if (after === before) return;
    this.current = after;
    if (before.reply !== after.reply) this.listener.onReply(after.reply);
    if (isBusy(before) !== isBusy(after)) this.listener.onActivity(isBusy(after) ? 'busy' : 'listening');
    if (shownTurn(before) !== shownTurn(after)) this.listener.onShown(shownTurn(after));
  }

  /** The assistant is busy until the action ends. */
  async during<Result>(action: () => Promise<Result>): Promise<Result> {
    const end = this.actions.begin();
    try {
      return await action();
    } finally {
      end();
    }
  }

  private overlap(began: AgentTurnEvent, ended: AgentTurnEvent): Overlap {
    return new Overlap(
      () => this.dispatch(began),
      () => this.dispatch(ended),
    );
  }
}

/** Several of a kind that run at once: the first one begins it, and the last one ends it. */
export class Overlap {
  private count = 0;

  constructor(
    private readonly onBegan: () => void,
    private readonly onEnded: () => void,
  ) {}

  /** @returns ends it; to be called once */
  begin(): () => void {
    if (this.count++ === 0) this.onBegan();
    return () => {
      if (--this.count === 0) this.onEnded();
    };
  }
}
