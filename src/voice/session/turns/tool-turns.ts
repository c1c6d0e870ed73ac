import type { Spoken } from '../../../runtime/call/session/assistant-session.js';
import type { ToolTurn } from '../../engine/runtime-tools.js';
import type { AgentTurn } from '../state/agent-turn.js';
import type { SpeechHandles } from '../state/speech-handles.js';

/** The turn of the assistant that tools run in. */
export class ToolTurns {
  private current: ToolTurn | null = null;

  /** @param onOver called when no tool runs any more */
  constructor(
    private readonly turn: AgentTurn,
    private readonly speeches: SpeechHandles,
    private readonly onOver: () => void,
  ) {}

  /** @returns to be called when the tool is over, or the call is */
  begin(toolTurn: ToolTurn): () => void {
    this.current = toolTurn;
    this.turn.dispatch('reply-due');
    const end = this.turn.tools.begin();
    return () => {
      end();
      if (this.turn.state.tools === 'running') return;
      this.current = null;
      this.onOver();
    };
  }

  /** Returns when all that the model said before its tools has been heard, or has not. */
  async spoken(): Promise<Spoken> {
    const { current } = this;
    return current ? this.speeches.outcomeOf(current.speech, current.spoken()) : 'heard';
  }
}
