import { FRAME_MS } from '@prosa/audio';

/** Keys by their event number (RFC 4733 §3.2). */
export const KEYS = '0123456789*#ABCD';

/** In frames of 20 ms: how long a key sounds, and the silence after it. */
const KEY_FRAMES = 6;
const GAP_FRAMES = 4;
/** Of `w` in a row of digits. */
const PAUSE_FRAMES = 25;
/** The end of a key is sent so often, as it may be lost (§2.5.1.4). */
const END_REPEATS = 3;
/** -10 dBm0, what telephones use. */
const VOLUME = 10;

/** Digits that wait to be sent; more are not taken. */
const MOST_DIGITS = 256;

export interface TelephoneEventPacket {
  readonly payload: Buffer;
  /** Of the key's beginning, the same in all its packets. */
  readonly timestamp: number;
  readonly marker: boolean;
}

/** Makes the packets of keys, one call a frame of 20 ms. */
export class TelephoneEventSender {
  private readonly waiting: (string | null)[] = [];
  private current: { readonly key: string; readonly timestamp: number; frames: number } | null = null;
  private pauseFrames = 0;

  /** @param digits 0-9, A-D, *, # and w for half a second of silence; others are left out */
  enqueue(digits: string): void {
    for (const digit of digits.toUpperCase()) {
      if (this.waiting.length >= MOST_DIGITS) return;
      if (digit === 'W') this.waiting.push(null);
      else if (KEYS.includes(digit)) this.waiting.push(digit);
    }
  }

  get isIdle(): boolean {
    return this.current === null && this.waiting.length === 0 && this.pauseFrames === 0;
  }

  /** The key that sounds now, for those who cannot send events but tones. */
  get sounding(): string | null {
    return this.current?.key ?? null;
  }

  clear(): void {
    this.waiting.length = 0;
  }

  /**
   * @param clockHz ticks a second of the durations
   * @returns the packets of this frame: none in a pause, three at the end of a key; null when there is nothing to do
   */
  nextFrame(timestamp: number, clockHz: number): TelephoneEventPacket[] | null {
    if (this.isIdle) return null;
    if (this.pauseFrames > 0) {
      this.pauseFrames--;
      return [];
    }
    if (this.current === null) {
      const key = this.waiting.shift();
      if (key === null || key === undefined) {
        this.pauseFrames = PAUSE_FRAMES - 1;
        return [];
      }
      this.current = { key, timestamp, frames: 0 };
    }
    this.current.frames++;
    return this.packets(this.current, (clockHz / 1_000) * FRAME_MS);
  }

  private packets(
    current: { key: string; timestamp: number; frames: number },
    frameTicks: number,
  ): TelephoneEventPacket[] {
    const isEnd = current.frames >= KEY_FRAMES;
    const payload = Buffer.alloc(4);
    payload.writeUInt8(KEYS.indexOf(current.key), 0);
    payload.writeUInt8((isEnd ? 0x80 : 0) | VOLUME, 1);
    payload.writeUInt16BE(current.frames * frameTicks, 2);
    if (isEnd) {
      this.current = null;
      this.pauseFrames = GAP_FRAMES;
    }
    const packet = { payload, timestamp: current.timestamp, marker: current.frames === 1 };
    return isEnd ? Array.from({ length: END_REPEATS }, () => packet) : [packet];
  }
}
