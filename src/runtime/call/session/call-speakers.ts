import { Handoffs, type HandoffSource } from '../../handoff/handoffs.js';
import { COLLEAGUE_SPOKE } from './colleague-words.js';
import { Whispers } from '../whispers/whispers.js';
import type { CallSpeaker, TurnAssistant } from './call-setup.js';

const NO_OTHERS: HandoffSource<CallSpeaker> = { count: 0, find: () => Promise.resolve(null) };

/** Who speaks on one call, and who may take over. */
export class CallSpeakers {
  readonly handoffs: Handoffs<CallSpeaker>;
  /** They are for whichever assistant speaks. */
  readonly whispers = new Whispers();
  private note: string | null = null;
  private hasColleagueSpoken = false;

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

  /** A person has spoken to the customer in place of the assistant; from now on the instructions explain their marked words. */
  colleagueSpoke(): void {
    this.hasColleagueSpoken = true;
  }

  /** Of the current assistant, with the note about this call and with what was whispered. */
  get instructions(): string {
    const { assistant, variables } = this.current;
    const own = assistant.instructions(variables);
    const parts = [own, this.note, this.hasColleagueSpoken ? COLLEAGUE_SPOKE : null];
    return this.whispers.addTo(parts.filter((part) => part !== null).join('\n\n'));
  }

  /** As the turns of the current assistant name it; undefined for the call's own. */
  get turnAssistant(): TurnAssistant | undefined {
    const { id, name } = this.current.assistant;
    return id === this.ownId ? undefined : { id, name };
  }
}
