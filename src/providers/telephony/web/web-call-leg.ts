import { rmsOf, type CallAudio, FRAME_MS, FrameQueue } from '@prosa/audio';
import type { AssistantState, ShownTurn } from '../call/call-line.js';
import { TurnDisplay } from '../turn-display.js';
import { WaitingFrames } from '../waiting-frames.js';
import type { WebCallConnection } from './web-call-connection.js';
import {
  type ClientMessage,
  CLOSE,
  type ServerMessage,
  WEB_CALL_SAMPLE_RATE_HZ,
} from './web-call-protocol.js';

/** What a customer does in the browser besides talking. */
export interface WebCallLegListener {
  onKey(digit: string): void;
  onTyped(text: string): void;
  /** The call is over for the browser: it hung up, broke the rules, or did not come back in time. */
  onGone(by: 'customer' | 'carrier', reason: string | null): void;
}

export interface WebCallTimes {
  /** How long a broken connection may take to come back. */
  readonly reconnectMs: number;
  /** How long a connection may say nothing at all, sound included. */
  readonly quietMs: number;
}

export const WEB_CALL_TIMES: WebCallTimes = { reconnectMs: 10_000, quietMs: 15_000 };

const FRAME_SAMPLES = (WEB_CALL_SAMPLE_RATE_HZ / 1000) * FRAME_MS;
/** Sound that came late waits until it is heard; of more than this the oldest is dropped. */
const MAX_WAITING_FRAMES = 100;
/**
 * A browser that is this far ahead of real time floods. Compared with elapsed time, not with what waits: after a
 * pause of this process or the network, all sound of the pause arrives at once. So does sound from before the
 * connection was handed over to this process.
 */
const MAX_AHEAD_MS = 10_000;
/** Unread frames that are kept. */
const MAX_UNREAD_FRAMES = 50;
/** Frames gathered after a gap, so that the next late message makes none. */
const CUSHION_FRAMES = 3;
/** With more than these waiting, what came late is made up for: in each pause, what goes beyond this much of it is left out. */
const MANY_WAITING_FRAMES = 5;
const KEPT_SILENT_FRAMES = 5;
/** Below it a frame counts as silent, 0 to 1. */
const SILENT_LEVEL = 0.01;
/** Messages of text in a second; keys and what was played come some times a second. */
const MAX_TEXTS_A_SECOND = 50;

/**
 * The browser's end of one web call, over whichever connection it has at the moment. Frames come out at the pace of
 * `tick`, one each time, silence where nothing came.
 */
export class WebCallLeg implements CallAudio {
  readonly sampleRateHz = WEB_CALL_SAMPLE_RATE_HZ;
  readonly heard = new FrameQueue(MAX_UNREAD_FRAMES);
  private readonly waiting = new WaitingFrames(FRAME_SAMPLES, MAX_WAITING_FRAMES);
  private connection: WebCallConnection | null = null;
  private readonly display = new TurnDisplay({
    onTurn: (turn, isFinal) => this.tellTurn(turn, isFinal),
    onState: (state) => this.sendMessage({ type: 'state', state }),
  });
  private isFilling = true;
  /** Silent frames in a row, to the one that was heard last. */
  private silentFrames = 0;
  private isOpen = true;
  private lastMessageMs = 0;
  /** Since when, and how much, this connection has sent. */
  private attachedMs = 0;
  private receivedMs = 0;
  private textsThisSecond = 0;
  private secondStartedMs = 0;
  private reconnection: NodeJS.Timeout | null = null;

  constructor(
    private readonly listener: WebCallLegListener,
    private readonly times: WebCallTimes = WEB_CALL_TIMES,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /** The connection from now on; one before it is closed as replaced. */
  attach(connection: WebCallConnection): void {
    const before = this.connection;
    this.connection = connection;
    before?.close(CLOSE.replaced);
    if (this.reconnection) clearTimeout(this.reconnection);
    this.reconnection = null;
    this.lastMessageMs = this.nowMs();
    this.attachedMs = this.lastMessageMs;
    this.receivedMs = 0;
    const ifCurrent = <T>(receive: (received: T) => void) => {
      return (received: T) => {
        if (connection === this.connection) receive(received);
      };
    };
    connection.listen({
      onSound: ifCurrent((samples) => this.receiveSound(samples)),
      onMessage: ifCurrent((message) => this.receiveMessage(message)),
      onClosed: ifCurrent((isOver) => this.lost(isOver)),
    });
    this.sendMessage({ type: 'ready', sample_rate: WEB_CALL_SAMPLE_RATE_HZ, frame_ms: FRAME_MS });
    const { state, openTurn } = this.display;
    if (state !== 'listening') this.sendMessage({ type: 'state', state });
    if (openTurn) this.tellTurn(openTurn, false);
  }

  /** Lets the next frame be heard; to be called every {@link FRAME_MS}. @param skipped ticks that were given up before this one */
  tick(skipped = 0): void {
    if (!this.isOpen) return;
    this.heard.pushSilence(skipped, FRAME_SAMPLES);
    if (this.isQuiet()) this.drop(CLOSE.nothingCame);
    if (this.isFilling && this.waiting.length >= CUSHION_FRAMES) this.isFilling = false;
    const frame = this.isFilling ? undefined : this.nextWaiting();
    if (!frame) this.isFilling = true;
    this.heard.push(frame ?? new Int16Array(FRAME_SAMPLES));
  }

  send(frame: Int16Array): void {
    if (this.connection && !this.connection.send(frame)) this.drop(CLOSE.tooMuch);
  }

  clear(): void {
    this.connection?.clear();
  }

  sendMessage(message: ServerMessage): void {
    this.connection?.sendMessage(message);
  }

  showTurn(turn: ShownTurn): void {
    this.display.showTurn(turn);
  }

  showState(state: AssistantState): void {
    this.display.showState(state);
  }

  /** Ends the leg; the browser receives the reason. */
  close(reason: string): void {
    if (!this.isOpen) return;
    this.display.close();
    this.sendMessage({ type: 'ended', reason });
    this.end();
    this.connection?.close(CLOSE.over);
  }

  /**
   * A process that stood still, while it loaded the engine say, finds seconds of sound. Heard as they are, they would delay
   * every later word of the call as much.
   */
  private nextWaiting(): Int16Array | undefined {
    for (;;) {
      const frame = this.waiting.shift();
      if (!frame) return undefined;
      this.silentFrames = rmsOf(frame) < SILENT_LEVEL ? this.silentFrames + 1 : 0;
      const isSpare = this.silentFrames > KEPT_SILENT_FRAMES && this.waiting.length >= MANY_WAITING_FRAMES;
      if (!isSpare) return frame;
    }
  }

  private tellTurn({ speaker, text }: ShownTurn, final: boolean): void {
    // Customers do not see who speaks to them.
    const role = speaker === 'customer' ? speaker : 'assistant';
    this.sendMessage({ type: 'turn', role, text, final });
  }

  private isQuiet(): boolean {
    if (!this.connection || this.connection.noticesBreaks) return false;
    return this.nowMs() - this.lastMessageMs > this.times.quietMs;
  }

  private receiveSound(samples: Int16Array | null): void {
    this.lastMessageMs = this.nowMs();
    if (!samples) return this.drop(CLOSE.badFrame);
    this.receivedMs += (samples.length * 1_000) / WEB_CALL_SAMPLE_RATE_HZ;
    if (this.receivedMs - (this.nowMs() - this.attachedMs) > MAX_AHEAD_MS) return this.drop(CLOSE.tooMuch);
    this.waiting.push(samples);
  }

  private receiveMessage(message: ClientMessage | null): void {
    const now = this.nowMs();
    this.lastMessageMs = now;
    if (now - this.secondStartedMs >= 1_000) {
      this.secondStartedMs = now;
      this.textsThisSecond = 0;
    }
    if (++this.textsThisSecond > MAX_TEXTS_A_SECOND) return this.drop(CLOSE.tooMuch);
    if (!message) this.drop(CLOSE.badFrame);
    else if (message.type === 'key') this.listener.onKey(message.digit);
    else if (message.type === 'text') this.listener.onTyped(message.text);
    else if (message.type === 'hangup') this.gone('customer', null);
  }

  /** Breaks the connection for a rule that was not kept. The browser may come back as after any break. */
  private drop(code: number): void {
    this.waiting.clear();
    this.connection?.close(code);
  }

  private lost(isOver: boolean): void {
    this.connection = null;
    if (!this.isOpen) return;
    if (isOver) this.gone('customer', null);
    else
      this.reconnection = setTimeout(() => this.gone('customer', 'connection-lost'), this.times.reconnectMs);
  }

  private gone(by: 'customer' | 'carrier', reason: string | null): void {
    if (!this.isOpen) return;
    this.listener.onGone(by, reason);
  }

  private end(): void {
    this.isOpen = false;
    if (this.reconnection) clearTimeout(this.reconnection);
    this.waiting.clear();
    this.heard.end();
  }
}
