import { FRAME_MS } from '@prosa/audio';
import type { WebSocket } from 'ws';
import type { AssistantState, ShownTurn } from '../../../providers/telephony/call/call-line.js';
import { samplesOf } from '../../../providers/telephony/web/web-call-protocol.js';
import { bufferOf, closeSocket } from '../../../providers/telephony/web/web-socket-connection.js';
import type { FeedListener, Holder, ShownTool } from '../../active-calls/monitors/call-feed.js';
import { MONITOR_SAMPLE_RATE_HZ } from '../../active-calls/monitors/stereo-sound.js';
import {
  type CallView,
  commandOf,
  type CommandRefusal,
  MONITOR_CLOSE,
  type MonitorCloseCode,
  type MonitorCommand,
  type MonitorMessage,
} from './monitor-protocol.js';

/** About a second of sound that the network does not take: more of it is left out. */
const MAX_UNSENT_SOUND_BYTES = 96_000;
/** With more than this unsent, the listener takes nothing any more. */
const MAX_UNSENT_BYTES = 1_000_000;
const MAX_COMMANDS_A_SECOND = 20;
/** Sound of the listener comes in at least 10 ms a message. */
const MAX_SOUNDS_A_SECOND = 200;

export interface MonitorSocketListener {
  /** Answers the command with `done` or `refused`. */
  onCommand(command: MonitorCommand): void;
  /** Sound of the person. */
  onSound(samples: Int16Array): void;
  /** Another one has the customer. */
  onHolder(): void;
  onClosed(): void;
}

/** The socket of one person who listens to a call. Until it is opened it sends nothing. */
export class MonitorSocket implements FeedListener {
  private view: CallView | null = null;
  private hearsCall = false;
  private isAlive = true;
  private secondStartedMs = 0;
  private commands = 0;
  private sounds = 0;

  constructor(
    private readonly socket: WebSocket,
    private readonly listener: MonitorSocketListener,
  ) {
    socket.on('close', () => listener.onClosed());
    socket.on('pong', () => (this.isAlive = true));
  }

  /** From now on it shows the call, and takes commands. @param turn what the assistant says at the moment */
  open(view: CallView, turn: ShownTurn | null): void {
    this.view = view;
    this.socket.on('message', (data, isBinary) => this.received(bufferOf(data), isBinary));
    this.send({
      type: 'ready',
      sample_rate: MONITOR_SAMPLE_RATE_HZ,
      frame_ms: FRAME_MS,
      channels: 2,
      holder: view.holder,
      member_name: view.member_name,
    });
    this.send({ type: 'state', ...view });
    if (turn) this.onTurn(turn, false);
  }

  /** From now on it sends the sound of the call as well. */
  openSound(): void {
    this.hearsCall = true;
  }

  /** A slow listener loses sound, and is not waited for. */
  onSound(frame: Buffer): void {
    const { socket } = this;
    if (!this.hearsCall || socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount <= MAX_UNSENT_SOUND_BYTES) socket.send(frame);
  }

  onTurn({ speaker, text, memberName = null }: ShownTurn, isFinal: boolean): void {
    const member = speaker === 'agent' ? { member_name: memberName } : {};
    this.send({ type: 'turn', role: speaker, ...member, text, final: isFinal });
  }

  onState(state: AssistantState): void {
    this.update({ state });
  }

  onTool({ name, arguments: given, result }: ShownTool): void {
    const called = { type: 'tool', name, arguments: given } as const;
    if (!result) this.send({ ...called, status: 'started' });
    else this.send({ ...called, status: 'error' in result ? 'failed' : 'done', result });
  }

  onListeners(listeners: number): void {
    this.update({ listeners });
  }

  onHolder(): void {
    this.listener.onHolder();
  }

  showHolder({ holder, memberName }: Holder): void {
    this.update({ holder, member_name: memberName });
  }

  onEnd(reason: string | null): void {
    if (reason === null) return this.close(MONITOR_CLOSE.elsewhere);
    this.send({ type: 'ended', reason });
    this.close(MONITOR_CLOSE.over);
  }

  done({ type: command, id }: MonitorCommand): void {
    this.send({ type: 'done', command, ...(id === undefined ? {} : { id }) });
  }

  refuse({ type: command, id }: MonitorCommand, error: CommandRefusal): void {
    this.send({ type: 'refused', command, ...(id === undefined ? {} : { id }), error });
  }

  /** To be called at an interval: a listener who has not answered since the last time is gone. */
  checkAlive(): void {
    if (!this.isAlive) return this.close(MONITOR_CLOSE.nothingCame);
    this.isAlive = false;
    if (this.socket.readyState === this.socket.OPEN) this.socket.ping();
  }

  close(code: MonitorCloseCode): void {
    closeSocket(this.socket, code);
  }

  private update(change: Partial<CallView>): void {
    const { view } = this;
    if (!view) return;
    this.view = { ...view, ...change };
    const isChanged = (['state', 'holder', 'member_name', 'listeners'] as const).some(
      (key) => view[key] !== this.view?.[key],
    );
    if (isChanged) this.send({ type: 'state', ...this.view });
  }

  private send(message: MonitorMessage): void {
    const { socket } = this;
    if (!this.view || socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > MAX_UNSENT_BYTES) this.close(MONITOR_CLOSE.tooMuch);
    else socket.send(JSON.stringify(message));
  }

  private received(data: Buffer, isBinary: boolean): void {
    if (this.socket.readyState !== this.socket.OPEN) return;
    if (!this.isWithinLimits(isBinary)) return this.close(MONITOR_CLOSE.tooMuch);
    if (isBinary) {
      const samples = samplesOf(data);
      return samples ? this.listener.onSound(samples) : this.close(MONITOR_CLOSE.badFrame);
    }
    const command = commandOf(data);
    if (!command) this.close(MONITOR_CLOSE.badFrame);
    else if ('invalid' in command) this.send({ type: 'refused', ...command.invalid, error: 'invalid' });
    else this.listener.onCommand(command);
  }

  private isWithinLimits(isBinary: boolean): boolean {
    const nowMs = performance.now();
    if (nowMs - this.secondStartedMs >= 1_000) {
      this.secondStartedMs = nowMs;
      this.commands = this.sounds = 0;
    }
    if (isBinary) return ++this.sounds <= MAX_SOUNDS_A_SECOND;
    return ++this.commands <= MAX_COMMANDS_A_SECOND;
  }
}
