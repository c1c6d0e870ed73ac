import type { AssistantState, ShownTurn } from './call/call-line.js';

export interface TurnDisplayListener {
  /** @param isFinal false while more of it may come; the next one of the same speaker then replaces it */
  onTurn(turn: ShownTurn, isFinal: boolean): void;
  onState(state: AssistantState): void;
}

/** Turns and states of a call as a screen shows them during the call: which turn is whole, and which one still grows. */
export class TurnDisplay {
  private shownState: AssistantState = 'listening';
  /** What the assistant says now. */
  private growing: ShownTurn | null = null;

  constructor(private readonly listener: TurnDisplayListener) {}

  get state(): AssistantState {
    return this.shownState;
  }

  /** What the assistant says now, as far as it was shown; null when it says nothing. */
  get openTurn(): ShownTurn | null {
    return this.growing;
  }

  /** Only what the assistant says grows while it is said; it is whole once it has been spoken. */
  showTurn(turn: ShownTurn): void {
    const isWhole = turn.speaker !== 'assistant';
    // The turn of a customer who is heard while the assistant continues to speak stays open.
    const isContinued = isWhole ? this.state === 'speaking' : this.growing?.startMs === turn.startMs;
    if (!isContinued) this.close();
    if (!isWhole) this.growing = turn;
    this.listener.onTurn(turn, isWhole);
  }

  showState(state: AssistantState): void {
    if (state !== 'speaking') this.close();
    if (state === this.shownState) return;
    this.shownState = state;
    this.listener.onState(state);
  }

  /** What the assistant has said so far is all of it. */
  close(): void {
    const { growing } = this;
    this.growing = null;
    if (growing) this.listener.onTurn(growing, true);
  }
}
