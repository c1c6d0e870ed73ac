import { Handoffs, type HandoffSource } from '../../handoff/handoffs.js';
import type { CallSpeaker, TurnAssistant } from '../call-engine.js';

const NOBODY: HandoffSource<CallSpeaker> = { count: 0, find: () => Promise.resolve(null) };

/** Who speaks on one call, and who may take over. */
export class CallSpeakers {
  readonly handoffs: Handoffs<CallSpeaker>;

  /**
   * @param ownId the assistant that the call began with
   * @param current who has the customer now
   * @param source left out: nobody takes over
   */
  constructor(
    private readonly ownId: number,
    public current: CallSpeaker,
    source: HandoffSource<CallSpeaker> = NOBODY,
  ) {
    this.handoffs = new Handoffs(source);
  }

  /** As the turns of whoever speaks now name it; undefined for the call's own. */
  get turnAssistant(): TurnAssistant | undefined {
    const { id, name } = this.current.assistant;
    return id === this.ownId ? undefined : { id, name };
  }
}
