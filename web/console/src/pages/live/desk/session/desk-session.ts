import type { WebCallNotice, WebCallSound } from '#web/console/src/live/call-sound.js';
import {
  type CommandResult,
  DeskConnection,
  type ConnectionEnd,
  type ConnectionListener,
  type Grant,
} from './desk-connection.js';
import { addLine, addResult, addTool, addTurn, type DeskLines } from './desk-lines.js';
import { DeskSound, NO_SOUND } from './desk-sound.js';
import { forgetHeld, isHeld, keepHeld, wasJustAccepted } from '#web/console/src/live/held-call.js';
import { type Activity, CLOSE, type DeskCommand, type DeskMessage, type Holder } from './protocol.js';

const LAST_ANSWER_MS = 2_000;
/** A person who has the call has it again after a transfer without an answer. */
const KEPT_BY: ReadonlySet<Holder> = new Set(['agent', 'transfer']);

/** What the desk shows of what has happened. */
export type DeskNotice =
  | { readonly kind: 'taken' | 'returned' | 'transferred' | 'transferredFromYou' | 'resumed' | 'lapsed' }
  | { readonly kind: 'failed'; readonly command: DeskCommand['type']; readonly result: CommandResult }
  | { readonly kind: 'microphone'; readonly problem: WebCallNotice };

export interface DeskState {
  readonly phase: 'connecting' | 'running' | 'reconnecting' | 'ended' | 'failed';
  /** Why listening has failed. */
  readonly end: ConnectionEnd | null;
  readonly holder: Holder;
  /** The member who has the customer. */
  readonly memberName: string | null;
  readonly activity: Activity;
  readonly listeners: number;
  /** Whether this desk has the customer, or gets them back when a transfer fails. */
  readonly isHolding: boolean;
  readonly isTakingOver: boolean;
  readonly isMuted: boolean;
  readonly lines: DeskLines;
  readonly sound: WebCallSound;
  /** Sound of the call has come. */
  readonly isAudible: boolean;
  readonly notice: DeskNotice | null;
}

const START: DeskState = {
  phase: 'connecting',
  end: null,
  holder: 'assistant',
  memberName: null,
  activity: 'listening',
  listeners: 0,
  isHolding: false,
  isTakingOver: false,
  isMuted: false,
  lines: [],
  sound: NO_SOUND,
  isAudible: false,
  notice: null,
};

/** The person has the customer; not while the customer is transferred, who comes back when there is no answer. */
export function isTalking({ isHolding, holder }: DeskState): boolean {
  return isHolding && holder !== 'transfer';
}

export interface DeskSources {
  readonly grant: () => Promise<Grant>;
  /** What was said before; empty where it could not be read. */
  readonly history: () => Promise<DeskLines>;
}

/** One person at one call: listens, gives the assistant words, and talks with the customer. */
export class DeskSession implements ConnectionListener {
  private state = START;
  private readonly listeners = new Set<() => void>();
  private readonly connection: DeskConnection;
  private readonly sound: DeskSound;
  /** The server has confirmed by a state that this desk holds the call. States of before may still come after its `done`. */
  private isConfirmed = false;
  /** The name that the server shows for this desk as the holder; undefined before its first state. */
  private heldAs: string | null | undefined;

  constructor(
    private readonly callId: number,
    private readonly sources: DeskSources,
  ) {
    this.connection = new DeskConnection(sources.grant, this);
    this.sound = new DeskSound({
      onVoice: (frame) => isTalking(this.state) && this.connection.sendSound(frame),
      onChange: (sound) => this.set({ sound }),
    });
  }

  readonly getState = (): DeskState => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  async open(): Promise<void> {
    const [history] = await Promise.all([
      this.sources.history(),
      // Without sound the turns can still be read.
      this.sound.open().catch(() => undefined),
    ]);
    this.set({ lines: history });
    await this.connection.open();
  }

  /** Gives the call back to the assistant if this desk has it. */
  close(): void {
    const hasToHandBack = isTalking(this.state);
    this.release(null);
    this.sound.close();
    if (!hasToHandBack) return this.connection.close();
    // The server keeps the takeover for a while when the connection ends before its answer.
    const answered = this.connection.send({ type: 'hand_back' });
    const isLate = new Promise((resolve) => setTimeout(resolve, LAST_ANSWER_MS));
    void Promise.race([answered, isLate]).then(() => this.connection.close());
  }

  /** @param text at most MAX_WORDS */
  async speak(command: 'whisper' | 'say', text: string): Promise<void> {
    const lines = addLine(this.state.lines, { kind: 'sent', command, text, result: 'sending' });
    this.set({ lines, notice: null });
    const id = lines.at(-1)?.id ?? 0;
    const result = await this.connection.send({ type: command, text });
    this.set({ lines: addResult(this.state.lines, id, result) });
  }

  async takeOver(): Promise<void> {
    const { phase, isHolding, isTakingOver } = this.state;
    if (phase !== 'running' || isHolding || isTakingOver) return;
    this.set({ isTakingOver: true, notice: null });
    try {
      const problem = await this.sound.openMicrophone();
      if (problem) return this.set({ notice: { kind: 'microphone', problem } });
      const result = await this.command({ type: 'take_over' });
      if (result === 'done') this.hold('taken', false);
      else this.sound.closeMicrophone();
    } finally {
      this.set({ isTakingOver: false });
    }
  }

  async handBack(note: string): Promise<void> {
    const result = await this.command({ type: 'hand_back', ...(note !== '' && { note }) });
    if (result === 'done') this.release('returned', 'assistant');
  }

  async transfer(phone: string): Promise<void> {
    const result = await this.command({ type: 'transfer', phone_number: phone });
    if (result !== 'done') return;
    const kind = this.state.isHolding ? 'transferredFromYou' : 'transferred';
    this.set({ holder: 'transfer', notice: { kind } });
  }

  async hangUp(): Promise<void> {
    await this.command({ type: 'hangup' });
  }

  mute(isMuted: boolean): void {
    this.sound.mute(isMuted);
    this.set({ isMuted });
  }

  /** To be called by a click. */
  retrySound(): void {
    this.sound.retry();
  }

  chooseMicrophone(id: string): void {
    this.sound.choose(id);
  }

  onSound(frame: ArrayBuffer): void {
    if (!this.state.isAudible) {
      this.set({ isAudible: true });
      this.connection.expectsSound = this.state.isHolding;
    }
    this.sound.play(frame);
  }

  onMessage(message: DeskMessage): void {
    const { lines } = this.state;
    if (message.type === 'ready') return this.ready(message.holder, message.member_name);
    if (message.type === 'state') return this.stateChanged(message);
    if (message.type === 'turn') return this.set({ lines: addTurn(lines, message) });
    if (message.type === 'tool') return this.set({ lines: addTool(lines, message) });
    if (message.type === 'ended') this.onEnd({ code: CLOSE.over });
  }

  onLost(): void {
    this.set({ phase: 'reconnecting', notice: null, lines: addLine(this.state.lines, { kind: 'gap' }) });
  }

  onEnd(end: ConnectionEnd): void {
    const isOver = 'code' in end && end.code === CLOSE.over;
    this.release(null);
    this.connection.close();
    this.sound.close();
    this.set({ phase: isOver ? 'ended' : 'failed', end: isOver ? null : end, sound: NO_SOUND });
  }

  private ready(holder: Holder, memberName: string | null): void {
    const { phase, isHolding } = this.state;
    const wasHolding = isHolding || isHeld(this.callId);
    this.set({
      phase: 'running',
      holder,
      memberName,
      notice: phase === 'connecting' ? this.state.notice : null,
    });
    if (!wasHolding) return;
    // While the connection was lost, another member can have taken the call over.
    const isOther = holder === 'agent' && this.heldAs !== undefined && memberName !== this.heldAs;
    if (!KEPT_BY.has(holder) || isOther) return this.release('lapsed');
    this.hold(wasJustAccepted(this.callId) ? 'taken' : 'resumed', true);
    // The page was loaded anew, or the call was accepted before its desk was open.
    if (!isHolding) void this.reopenMicrophone();
  }

  private async reopenMicrophone(): Promise<void> {
    const problem = await this.sound.openMicrophone();
    if (problem) this.set({ notice: { kind: 'microphone', problem } });
  }

  private stateChanged(message: DeskMessage & { readonly type: 'state' }): void {
    const { holder, member_name: memberName = null, state: activity, listeners } = message;
    this.set({ holder, memberName, activity, listeners });
    if (!this.state.isHolding) return;
    if (holder === 'agent') this.heldAs = memberName;
    if (KEPT_BY.has(holder)) this.isConfirmed = true;
    else if (this.isConfirmed) this.release('lapsed');
  }

  private async command(command: DeskCommand): Promise<CommandResult> {
    this.set({ notice: null });
    const result = await this.connection.send(command);
    if (result !== 'done') this.set({ notice: { kind: 'failed', command: command.type, result } });
    return result;
  }

  private hold(kind: 'taken' | 'resumed', isConfirmed: boolean): void {
    this.isConfirmed = isConfirmed;
    // Nothing is heard before the customer was notified.
    this.connection.expectsSound = this.state.isAudible;
    keepHeld(this.callId);
    this.set({ isHolding: true, notice: { kind } });
  }

  /**
   * @param kind why this desk no longer has the call; null: the call or the listening is over
   * @param holder who has the customer now, before the server says so
   */
  private release(kind: 'returned' | 'lapsed' | null, holder = this.state.holder): void {
    if (this.state.isHolding) this.sound.closeMicrophone();
    this.isConfirmed = false;
    this.heldAs = undefined;
    this.connection.expectsSound = false;
    forgetHeld();
    this.set({ isHolding: false, isMuted: false, holder, notice: kind && { kind } });
  }

  private set(change: Partial<DeskState>): void {
    this.state = { ...this.state, ...change };
    this.sound.hearsCustomerOnly = isTalking(this.state);
    for (const listener of this.listeners) listener();
  }
}
