import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { until } from './until.js';

export interface MonitorGrant {
  readonly url: string;
  readonly token: string;
}

/** A text message of the server, as far as it is looked at. */
export interface MonitorMessage {
  readonly type: string;
  readonly role?: string;
  readonly text?: string;
  readonly final?: boolean;
  readonly state?: string;
  readonly holder?: string;
  readonly member_name?: string | null;
  readonly listeners?: number;
  readonly command?: string | null;
  readonly id?: string | number;
  readonly error?: string;
  readonly reason?: string;
  readonly name?: string;
  readonly status?: string;
}

const FRAME_MS = 20;
/** Of 20 ms of mono PCM16 at 24 kHz. */
const MICROPHONE_BYTES = 960;
/** Of 20 ms of stereo PCM16 at 24 kHz. */
const FRAME_BYTES = 1_920;
/** Root mean square above which a side is heard. */
const AUDIBLE = 300;

/** A person who listens to a call by its WebSocket. */
export class CallListener {
  readonly shown: MonitorMessage[] = [];
  /** How much was heard of each side that is no silence. */
  customerMs = 0;
  assistantMs = 0;
  frames = 0;
  /** Frames of another length than the protocol says. */
  oddFrames = 0;
  closeCode: number | null = null;

  private constructor(readonly socket: WebSocket) {
    socket.on('message', (data: Buffer, isBinary) => {
      if (!isBinary) return void this.shown.push(JSON.parse(data.toString('utf8')) as MonitorMessage);
      this.frames++;
      if (data.length !== FRAME_BYTES) this.oddFrames++;
      if (levelOf(data, 0) > AUDIBLE) this.customerMs += FRAME_MS;
      if (levelOf(data, 1) > AUDIBLE) this.assistantMs += FRAME_MS;
    });
    socket.on('close', (code) => (this.closeCode = code));
    socket.on('error', () => socket.terminate());
  }

  /** Connects and shows the token; something has come back, or the connection is closed. */
  static async connect({ url, token }: MonitorGrant): Promise<CallListener> {
    const socket = new WebSocket(url);
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'start', token }));
    const listener = new CallListener(socket);
    await until(() => listener.shown.length > 0 || listener.closeCode !== null, 20_000);
    return listener;
  }

  /** Speaks, in real time. @param samples mono PCM16 at 24 kHz */
  async say(samples: Int16Array): Promise<void> {
    const bytes = Buffer.from(new Int16Array(samples).buffer);
    const startedAtMs = performance.now();
    for (let at = 0; at + MICROPHONE_BYTES <= bytes.length; at += MICROPHONE_BYTES) {
      this.socket.send(bytes.subarray(at, at + MICROPHONE_BYTES));
      const dueMs = startedAtMs + (at / MICROPHONE_BYTES + 1) * FRAME_MS;
      await sleep(Math.max(dueMs - performance.now(), 0));
    }
  }

  send(message: object): void {
    this.socket.send(JSON.stringify(message));
  }

  /** The first message that fits. */
  async sees(fits: (message: MonitorMessage) => boolean, timeoutMs = 30_000): Promise<MonitorMessage> {
    await until(() => this.shown.some(fits), timeoutMs);
    const found = this.shown.find(fits);
    if (!found) throw new Error('no such message');
    return found;
  }

  async closed(timeoutMs = 30_000): Promise<number> {
    await until(() => this.closeCode !== null, timeoutMs);
    return this.closeCode ?? 0;
  }
}

/** Root mean square of one channel. */
function levelOf(data: Buffer, channel: 0 | 1): number {
  let sum = 0;
  for (let at = channel * 2; at + 1 < data.length; at += 4) sum += data.readInt16LE(at) ** 2;
  return Math.sqrt(sum / (data.length / 4));
}
