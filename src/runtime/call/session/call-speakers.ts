import { Handoffs, type HandoffSource } from '../../handoff/handoffs.js';
import { Whispers } from '../whispers/whispers.js';
import type { CallSpeaker, TurnAssistant } from './call-setup.js';

const NO_OTHERS: HandoffSource<CallSpeaker> = { count: 0, find: () => Promise.resolve(null) };

/** Who speaks on one call, and who may take over. */
export class CallSpeakers {
  readonly handoffs: Handoffs<CallSpeaker>;
  /** They are for whichever assistant speaks. */
  readonly whispers = new Whispers();
  private note: string | null = null;

  /**
   * @param ownId the assistant that the call began with
   * @param current who has the customer now
   * @param source left out: no assistant takes over
   */
  constructor(
    private readonly ownId: number,
    public current: CallSpeaker,
    source: HandoffSource<CallSpeaker> = NO_OTHERS,
  ) {
    this.handoffs = new Handoffs(source);
  }

  /** Adds a note about this call to the instructions of the current assistant. */
  instruct(note: string): void {
    this.note = note;
  }

  /** Of the current assistant, with the note about this call and with what was whispered. */
  get instructions(): string {
    const { assistant, variables } = this.current;
    const own = assistant.instructions(variables);
    return this.whispers.addTo(this.note === null ? own : `${own}\n\n${this.note}`);
  }

  /** As the turns of the current assistant name it; undefined for the call's own. */
  get turnAssistant(): TurnAssistant | undefined {
    const { id, name } = this.current.assistant;
    return id === this.ownId ? undefined : { id, name };
  }
}
