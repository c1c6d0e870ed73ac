import type { Spoken } from '../../../runtime/call/session/assistant-session.js';
import type { AgentTurn } from '../state/agent-turn.js';
import { isOver, isTakenOver } from '../state/agent-turn-states.js';
import type { EngineSession } from '../engine/engine-session.js';
import type { ToolTurns } from './tool-turns.js';

/** What is said when an assistant hands the customer over to another one. */
export class Handovers {
  constructor(
    private readonly turn: AgentTurn,
    private readonly engine: EngineSession,
    private readonly tools: ToolTurns,
    private readonly sayInCall: (words: string) => Promise<Spoken>,
  ) {}

  /** The last words of the assistant that hands over. A customer who interrupts them is answered by the next assistant. */
  async say(words: string): Promise<void> {
    const before = await this.tools.spoken();
    const said = before === 'heard' ? await this.sayInCall(words) : before;
    this.turn.dispatch(said === 'heard' ? 'handover-heard' : 'handover-unheard');
  }

  /** Lets the assistant that has taken over speak; not where the customer has interrupted, and is answered anyway. */
  resume(note: string): void {
    const { turn, engine } = this;
    const { handover, hold, line } = turn.state;
    if (
      !engine.current ||
      turn.is(isOver) ||
      turn.is(isTakenOver) ||
      handover === 'unheard' ||
      hold !== 'none'
    )
      return;
    if (line === 'held') return turn.dispatch('answer-cut-off');
    void engine.reply({ instructions: note });
  }
}
