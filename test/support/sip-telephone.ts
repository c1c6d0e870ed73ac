import { setTimeout as sleep } from 'node:timers/promises';
import { type CallAudio, rmsOf } from '@prosa/audio';
import type { SipCall } from '@prosa/sip';
import { spoken, joined } from '@prosa/testing';

const FRAME_SAMPLES = 160;
/** As root mean square, 0 to 1. */
const LOUD = 0.015;

/** A person at the far end of a call: detects speech, and speaks in a voice of espeak-ng. */
export class SipTelephone {
  private readonly frames: Int16Array[] = [];
  private readonly waiting: Int16Array[] = [];
  private readonly timer: NodeJS.Timeout;
  private readonly startedAtMs = performance.now();
  private sent = 0;
  private loudFrames = 0;
  private quietFrames = 0;

  private readonly audio: CallAudio;

  /** @param call answered */
  constructor(private readonly call: SipCall) {
    const audio = call.openAudio();
    if (!audio) throw new Error('the call has no audio');
    this.audio = audio;
    this.timer = setInterval(() => this.speak(), 10);
    void this.listen();
  }

  /** Waits for some speech and then for silence. */
  async heardSpeech(timeoutMs = 90_000): Promise<void> {
    this.loudFrames = 0;
    const deadline = performance.now() + timeoutMs;
    while (this.loudFrames < 15 || this.quietFrames < 40) {
      if (performance.now() > deadline) {
        throw new Error(
          `no speech within ${timeoutMs} ms, ${this.loudFrames} loud frames of ${this.frames.length}`,
        );
      }
      await sleep(20);
    }
  }

  /** Waits for speech from now on; returns how long that took, in milliseconds. */
  async heardAgain(timeoutMs = 90_000): Promise<number> {
    const startedMs = performance.now();
    this.loudFrames = 0;
    while (this.loudFrames < 5) {
      const lastedMs = performance.now() - startedMs;
      if (lastedMs > timeoutMs) throw new Error(`no speech within ${timeoutMs} ms`);
      await sleep(10);
    }
    return performance.now() - startedMs;
  }

  /** Says a line; returns when it is said. */
  async say(text: string): Promise<void> {
    await this.play(await spoken(text, 8_000));
  }

  /** Plays a sound, 8 kHz; returns when it is over. */
  async play(samples: Int16Array): Promise<void> {
    for (let at = 0; at < samples.length; at += FRAME_SAMPLES) {
      const frame = new Int16Array(FRAME_SAMPLES);
      frame.set(samples.subarray(at, at + FRAME_SAMPLES));
      this.waiting.push(frame);
    }
    while (this.waiting.length > 0) await sleep(20);
  }

  /** What was heard in the last so many milliseconds. */
  heardLast(ms: number): Int16Array {
    return joined(...this.frames.slice(-ms / 20));
  }

  /** Presses keys: 0-9, * and #. */
  press(keys: string): void {
    this.call.sendDigits(keys);
  }

  close(): void {
    clearInterval(this.timer);
  }

  /** After a pause of the process nothing is made up for: what came all at once would be thrown away. */
  private speak(): void {
    const due = Math.floor((performance.now() - this.startedAtMs) / 20) + 2;
    this.sent = Math.max(this.sent, due - 4);
    for (; this.sent < due; this.sent++) {
      this.audio.send(this.waiting.shift() ?? new Int16Array(FRAME_SAMPLES));
    }
  }

  private async listen(): Promise<void> {
    for await (const frame of this.audio.heard) {
      this.frames.push(frame);
      if (rmsOf(frame) > LOUD) {
        this.loudFrames++;
        this.quietFrames = 0;
      } else {
        this.quietFrames++;
      }
    }
  }
}
