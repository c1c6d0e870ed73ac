import { once } from 'node:events';
import { WebSocket } from 'ws';
import { until } from './until.js';

export interface OpenedWebCall {
  readonly call_id: number;
  readonly token: string;
  readonly url: string;
}

export interface ShownTurn {
  readonly type: string;
  readonly role?: 'assistant' | 'customer';
  readonly text?: string;
}

const FRAME_MS = 20;
const FRAME = Buffer.alloc(960);
/** Root mean square above which a frame is heard. */
const AUDIBLE = 300;

/** A browser on a web call: it hears, and says only what the test makes it say. */
export class WebCaller {
  readonly shown: ShownTurn[] = [];
  /** How much was heard that is no silence. */
  soundMs = 0;
  /** When that was last, by `performance.now()`. */
  heardAtMs = 0;
  closeCode: number | null = null;
  /** The longest time in which neither side was heard. */
  longestSilenceMs = 0;
  private lastSoundAtMs = performance.now();
  private readonly words: Buffer[] = [];
  private readonly microphone: NodeJS.Timeout;

  private constructor(readonly socket: WebSocket) {
    socket.on('message', (data: Buffer, isBinary) => {
      if (!isBinary) this.shown.push(JSON.parse(data.toString('utf8')) as ShownTurn);
      else if (levelOf(data) > AUDIBLE) {
        this.soundMs += FRAME_MS;
        this.heardAtMs = performance.now();
        this.sounds();
      }
    });
    socket.on('close', (code) => {
      this.sounds();
      this.closeCode = code;
      clearInterval(this.microphone);
    });
    socket.on('error', () => socket.terminate());
    // By the clock: timers of a busy machine come late, and a voice that stutters is another voice.
    const startedAtMs = performance.now();
    let sent = 0;
    this.microphone = setInterval(() => {
      if (socket.readyState !== socket.OPEN) return;
      for (; sent * FRAME_MS <= performance.now() - startedAtMs; sent++) this.sendFrame();
    }, FRAME_MS);
  }

  /** Since either side was heard last. */
  get silenceMs(): number {
    return performance.now() - this.lastSoundAtMs;
  }

  /** Speaks. Returns when it is said. @param samples mono PCM16 at 24 kHz */
  async say(samples: Int16Array, timeoutMs = 30_000): Promise<void> {
    const bytes = Buffer.from(new Int16Array(samples).buffer);
    for (let at = 0; at + FRAME.length <= bytes.length; at += FRAME.length)
      this.words.push(bytes.subarray(at, at + FRAME.length));
    await until(() => this.words.length === 0 || this.closeCode !== null, timeoutMs);
  }

  /** Connects and shows the token; the call has been answered, or refused by a close, when something comes back. */
  static async connect({ url, token }: Pick<OpenedWebCall, 'url' | 'token'>): Promise<WebCaller> {
    const socket = new WebSocket(url);
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'start', token }));
    const caller = new WebCaller(socket);
    await until(() => caller.shown.length > 0 || caller.closeCode !== null, 60_000);
    return caller;
  }

  private sendFrame(): void {
    const frame = this.words.shift();
    if (frame) this.sounds();
    this.socket.send(frame ?? FRAME);
  }

  private sounds(): void {
    this.longestSilenceMs = Math.max(this.longestSilenceMs, this.silenceMs);
    this.lastSoundAtMs = performance.now();
  }

  async hears(ms: number, timeoutMs = 60_000): Promise<void> {
    const enough = this.soundMs + ms;
    await until(() => this.soundMs >= enough, timeoutMs);
  }

  /** Types instead of speaking. */
  type(text: string): void {
    this.socket.send(JSON.stringify({ type: 'text', text }));
  }

  hangUp(): void {
    this.socket.send(JSON.stringify({ type: 'hangup' }));
  }

  async closed(timeoutMs = 30_000): Promise<number> {
    await until(() => this.closeCode !== null, timeoutMs);
    return this.closeCode ?? 0;
  }

  /** Without a word to the other end. */
  drop(): void {
    clearInterval(this.microphone);
    this.socket.terminate();
  }
}

/** Root mean square of PCM16. */
function levelOf(data: Buffer): number {
  let sum = 0;
  for (let at = 0; at + 1 < data.length; at += 2) sum += data.readInt16LE(at) ** 2;
  return Math.sqrt(sum / (data.length / 2));
}
