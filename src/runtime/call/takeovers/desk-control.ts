import type { CallLog } from '../state/call-log.js';
import type { CallTermination } from '../state/call-termination.js';
import type { AssistantSession } from '../session/assistant-session.js';
import type { TranscriptTurn } from '../session/call-setup.js';
import type { PersonOnCall, PersonVoice } from '../session/person-on-call.js';
import type { SilenceWatch } from '../silence/silence-watch.js';
import type { CallToolsAdapter } from '../tools/call-tools-adapter.js';
import { transferTarget } from '../transfers/transfer-policy.js';

/** `invalid`: it is no number; `forbidden`: calls may not go there, or no line of the account can call it. */
export type DeskTransferTarget = { readonly e164: string } | { readonly refused: 'invalid' | 'forbidden' };

export interface DeskControlHost {
  readonly session: AssistantSession | null;
  /** The customer waits for a transfer that another process began. */
  readonly isOnHold: boolean;
  /** The far end of a transfer was not reached, and the assistant has the customer. */
  onTransferFailed(outcome: string): void;
}

/** What people who listen to a call may do with it besides words for the assistant: take over, hand back and transfer. */
export class DeskControl {
  private takenOver = false;

  constructor(
    private readonly controls: CallToolsAdapter,
    private readonly record: CallLog,
    private readonly silence: SilenceWatch,
    private readonly termination: CallTermination,
    private readonly host: DeskControlHost,
  ) {}

  /** Whether a person has the customer. */
  get isTakenOver(): boolean {
    return this.takenOver;
  }

  /** Whether the assistant, or a person in its place, talks with the customer. */
  get isTalking(): boolean {
    const { controls, host, record, termination } = this;
    const isOpen = host.session !== null && !termination.isOver;
    return isOpen && !host.isOnHold && !controls.isTransferring && record.answeredBy !== 'machine';
  }

  /** @returns null when the customer talks with no assistant that could be replaced */
  takeOver(person: PersonOnCall): PersonVoice | null {
    const { session } = this.host;
    if (!session || !this.isTalking) return null;
    const voice = session.takeOver(person);
    this.takenOver = true;
    this.silence.pause('person', true);
    return voice;
  }

  /** @param note an instruction for the assistant, which the customer does not hear */
  async handBack(note: string | null): Promise<void> {
    const { session } = this.host;
    if (!this.takenOver || !session || this.termination.isOver) return;
    this.takenOver = false;
    if (note !== null) session.whisper(note);
    // During a transfer nothing is owed: the assistant only speaks again when it fails.
    await session.handBack(() => !this.controls.isTransferring && isAnswerOwed(this.record.turns));
    this.silence.pause('person', false);
  }

  /** The person who was to have the customer did not come, so the assistant tells the customer. */
  reportAbsence(): void {
    if (!this.takenOver && !this.termination.isOver) this.host.onTransferFailed('no-answer');
  }

  async targetOf(wanted: string): Promise<DeskTransferTarget> {
    const { controls } = this;
    const target = transferTarget(wanted, controls.transferCountries);
    if ('refused' in target) return { refused: target.refused === 'no-number' ? 'invalid' : 'forbidden' };
    const refused = await controls.refusalOf(target.e164);
    return refused ? { refused: 'forbidden' } : target;
  }

  /** Returns when the far end was not reached, or the customer has left the call. */
  async transfer(to: string): Promise<void> {
    const { controls, host, silence } = this;
    if (!this.isTalking) return;
    if (!this.takenOver) host.session?.cut();
    silence.pause('transfer', true);
    const outcome = await controls.transferAtOnce(to);
    if (this.termination.isOver) return;
    silence.pause('transfer', false);
    if (!this.takenOver) host.onTransferFailed(typeof outcome === 'string' ? outcome : 'failed');
  }
}

/** Whether what was said last is the customer's. */
function isAnswerOwed(turns: readonly TranscriptTurn[]): boolean {
  const last = turns.reduce<TranscriptTurn | null>(
    (latest, turn) => (latest && latest.startMs > turn.startMs ? latest : turn),
    null,
  );
  return last?.speaker === 'customer';
}
