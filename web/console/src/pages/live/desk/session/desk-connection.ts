import { ApiError } from '#web/console/src/api/api-error.js';
import {
  CLOSE,
  type DeskCommand,
  type DeskMessage,
  FINAL_CODES,
  KEEPS_TAKEOVER_MS,
  type RefusalReason,
} from './protocol.js';

const RETRY_MS = 500;
/** A voice process that ends a call's connection is replaced within seconds. */
const GIVE_UP_MS = 30_000;
/** Sound comes 50 times a second while a person has the call. */
const SILENT_MS = 4_000;
const CHECK_MS = 1_000;
/** Answers that can change within seconds: no answer, and servers that start or are busy. */
const PASSING = new Set([0, 429, 500, 502, 503, 504]);
const CONFLICT = 409;

export interface Grant {
  readonly url: string;
  readonly token: string;
}

/** `lost`: no answer came, because the connection broke. */
export type CommandResult = 'done' | 'lost' | 'notRecorded' | RefusalReason;

/** Why there will be no more connection: a close code, or the answer to the request for a grant. */
export type ConnectionEnd = { readonly code: number } | { readonly error: unknown };

export interface ConnectionListener {
  onMessage(message: DeskMessage): void;
  onSound(frame: ArrayBuffer): void;
  /** The connection broke; another one is being opened. */
  onLost(): void;
  onEnd(end: ConnectionEnd): void;
}

/** The WebSocket of one person to one call. Asks for another grant and connects again when it breaks. */
export class DeskConnection {
  /** Whether nothing for some seconds means that the connection is dead. */
  expectsSound = false;
  private socket: WebSocket | null = null;
  private isClosed = false;
  private lostAt = performance.now();
  private aliveAt = 0;
  private hasWorked = false;
  private lastId = 0;
  private readonly pending = new Map<number, (result: CommandResult) => void>();
  private readonly check = setInterval(() => this.checkAlive(), CHECK_MS);
  private retry: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly grant: () => Promise<Grant>,
    private readonly listener: ConnectionListener,
  ) {}

  async open(): Promise<void> {
    try {
      const { url, token } = await this.grant();
      if (!this.isClosed) this.connect(url, token);
    } catch (error) {
      if (this.isClosed) return;
      if (this.isPassing(error)) this.openLater();
      else this.end({ error });
    }
  }

  /** Sends a command and waits for its answer. */
  send(command: DeskCommand): Promise<CommandResult> {
    const { socket } = this;
    if (!this.isOpen(socket)) return Promise.resolve('lost');
    const id = ++this.lastId;
    return new Promise((resolve) => {
      this.pending.set(id, resolve);
      socket.send(JSON.stringify({ ...command, id }));
    });
  }

  sendSound(frame: ArrayBuffer): void {
    if (this.isOpen(this.socket)) this.socket.send(frame);
  }

  /** Everything sent before still reaches the server. */
  close(): void {
    this.isClosed = true;
    clearInterval(this.check);
    clearTimeout(this.retry);
    this.socket?.close(CLOSE.over);
    this.settle('lost');
  }

  private isOpen(socket: WebSocket | null): socket is WebSocket {
    return socket?.readyState === WebSocket.OPEN && this.lostAt === 0;
  }

  private connect(url: string, token: string): void {
    const socket = new WebSocket(url);
    socket.binaryType = 'arraybuffer';
    this.socket = socket;
    socket.addEventListener('open', () => socket.send(JSON.stringify({ type: 'start', token })));
    socket.addEventListener('message', ({ data }) => {
      if (socket === this.socket) this.received(data as string | ArrayBuffer);
    });
    socket.addEventListener('close', ({ code }) => {
      if (socket === this.socket) this.disconnected(code);
    });
  }

  private received(data: string | ArrayBuffer): void {
    if (this.isClosed) return;
    this.aliveAt = performance.now();
    if (typeof data !== 'string') return this.listener.onSound(data);
    const message = JSON.parse(data) as DeskMessage;
    if (message.type === 'ready') {
      this.lostAt = 0;
      this.hasWorked = true;
    }
    if (message.type === 'done') this.answered(message.id, 'done');
    else if (message.type === 'refused') this.answered(message.id, message.error);
    else this.listener.onMessage(message);
  }

  private answered(id: number | undefined, result: CommandResult): void {
    if (id === undefined) return;
    this.pending.get(id)?.(result);
    this.pending.delete(id);
  }

  private settle(result: CommandResult): void {
    for (const resolve of this.pending.values()) resolve(result);
    this.pending.clear();
  }

  private disconnected(code: number): void {
    this.socket = null;
    this.settle(code === CLOSE.notRecorded ? 'notRecorded' : 'lost');
    if (this.isClosed) return;
    if (code === CLOSE.over || FINAL_CODES.has(code)) return this.end({ code });
    const isFirst = this.lostAt === 0;
    if (isFirst) this.lostAt = performance.now();
    if (this.lostMs() > GIVE_UP_MS) return this.end({ code });
    if (isFirst) this.listener.onLost();
    // A connection that has worked is replaced at once.
    if (isFirst) void this.open();
    else this.openLater();
  }

  private lostMs(): number {
    return performance.now() - this.lostAt;
  }

  private isPassing(error: unknown): boolean {
    if (!(error instanceof ApiError)) return false;
    // The broken connection counts as a listener until the server has noticed.
    if (error.status === CONFLICT) return this.hasWorked && this.lostMs() < KEEPS_TAKEOVER_MS;
    return PASSING.has(error.status) && this.lostMs() < GIVE_UP_MS;
  }

  private openLater(): void {
    this.retry = setTimeout(() => void this.open(), RETRY_MS);
  }

  private checkAlive(): void {
    const { socket } = this;
    if (!this.expectsSound || !this.isOpen(socket) || performance.now() - this.aliveAt < SILENT_MS) return;
    // The browser reports the end of a dead connection only after a while.
    socket.close();
    this.disconnected(0);
  }

  private end(end: ConnectionEnd): void {
    if (this.isClosed) return;
    this.close();
    this.listener.onEnd(end);
  }
}
