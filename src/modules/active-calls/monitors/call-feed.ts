import type { CallAudio } from '@prosa/audio';
import type { AssistantState, ShownTurn } from '../../../providers/telephony/call/call-line.js';
import { TurnDisplay } from '../../../providers/telephony/turn-display.js';
import type { DeskControl } from '../../../runtime/call/takeovers/desk-control.js';
import type { LiveState } from '../../calls/live/live-state.js';
import { PersonTakeover } from '../person-takeovers/person-takeover.js';
import { ListenerGate } from './listener-gate.js';
import { StereoSound } from './stereo-sound.js';
import { tapAudio } from './tap-audio.js';

/** Who has the customer. */
export type Holder = Pick<LiveState, 'holder' | 'memberName'>;

export const MAX_LISTENERS = 3;

/** A tool of the assistant. */
export interface ShownTool {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** What it has answered; left out while it runs. */
  readonly result?: Readonly<Record<string, unknown>>;
}

/** A person who listens to a call. It must not throw. */
export interface FeedListener {
  /** @param frame 20 ms of stereo PCM16 at 24 kHz: left the customer, right the assistant and people */
  onSound(frame: Buffer): void;
  /** As in TurnDisplayListener. */
  onTurn(turn: ShownTurn, isFinal: boolean): void;
  onState(state: AssistantState): void;
  onTool(tool: ShownTool): void;
  /** Another one has the customer, in this process. */
  onHolder(): void;
  /** Others have come or gone. */
  onListeners(count: number): void;
  /** Nothing more comes. @param reason why the call ended; null: it goes on in another process */
  onEnd(reason: string | null): void;
}

/** What people who listen may have the assistant do, and do in its place. */
export interface CallTalk {
  readonly desk: Pick<
    DeskControl,
    'isTalking' | 'takeOver' | 'handBack' | 'reportAbsence' | 'targetOf' | 'transfer'
  >;
  /** Gives the assistant an instruction that the customer does not hear. */
  whisper(text: string): void;
  /** Has the assistant say these words. Returns when they have been heard, or have not. */
  say(text: string): Promise<unknown>;
}

/** What happens on a call of this process, for the people who listen to it. Without any it costs next to nothing. */
export class CallFeed {
  /** Null while no assistant talks with the customer. */
  talk: CallTalk | null = null;
  readonly takeover = new PersonTakeover();
  /** Before they hear the call. */
  readonly gate = new ListenerGate();
  private readonly listeners = new Set<FeedListener>();
  private readonly sound = new StereoSound((frame) => {
    for (const listener of this.listeners) listener.onSound(frame);
  });
  private readonly display = new TurnDisplay({
    onTurn: (turn, isFinal) => {
      for (const listener of this.listeners) listener.onTurn(turn, isFinal);
    },
    onState: (state) => {
      for (const listener of this.listeners) listener.onState(state);
    },
  });
  private isOver = false;

  get listenerCount(): number {
    return this.listeners.size;
  }

  get state(): AssistantState {
    return this.display.state;
  }

  /** What the assistant says now, as far as it was shown; null when it says nothing. */
  get openTurn(): ShownTurn | null {
    return this.display.openTurn;
  }

  /** The audio of the line, which listeners hear from now on. */
  tap(audio: CallAudio): CallAudio {
    return tapAudio(audio, this.sound);
  }

  /**
   * @returns what ends the listening; `over` when nothing more comes, `full` when as many listen as may
   */
  listen(listener: FeedListener): (() => void) | 'over' | 'full' {
    if (this.isOver) return 'over';
    if (this.listeners.size >= MAX_LISTENERS) return 'full';
    this.listeners.add(listener);
    this.sound.start();
    this.tellListeners(listener);
    return () => this.leave(listener);
  }

  showTurn(turn: ShownTurn): void {
    this.display.showTurn(turn);
  }

  showState(state: AssistantState): void {
    this.display.showState(state);
  }

  /** Another one has the customer: the assistant, or a person in its place. */
  showHolder(): void {
    for (const listener of this.listeners) listener.onHolder();
  }

  /** Who has the customer, as `takeover` knows sooner than the database. */
  holderOf({ holder, memberName }: Holder): Holder {
    if (holder !== 'assistant' && holder !== 'agent') return { holder, memberName };
    const { person } = this.takeover;
    return person
      ? { holder: 'agent', memberName: person.memberName }
      : { holder: 'assistant', memberName: null };
  }

  showTool(tool: ShownTool): void {
    for (const listener of this.listeners) listener.onTool(tool);
  }

  /** @param reason as in FeedListener */
  end(reason: string | null): void {
    if (this.isOver) return;
    this.isOver = true;
    this.talk = null;
    this.takeover.close();
    this.gate.close();
    this.display.close();
    this.sound.stop();
    const listeners = [...this.listeners];
    this.listeners.clear();
    for (const listener of listeners) listener.onEnd(reason);
  }

  private leave(listener: FeedListener): void {
    if (!this.listeners.delete(listener)) return;
    if (this.listeners.size === 0) this.sound.stop();
    this.tellListeners();
  }

  /** @param newcomer hears of it with its first message */
  private tellListeners(newcomer?: FeedListener): void {
    for (const listener of this.listeners)
      if (listener !== newcomer) listener.onListeners(this.listeners.size);
  }
}
