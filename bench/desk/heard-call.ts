import { once } from 'node:events';
import { rmsOf } from '@prosa/audio';
import type { SipCall } from '@prosa/sip';
import { strengthOf } from '@prosa/testing';
import { type OpenedWebCall, WebCaller } from '../../test/support/web-caller.js';

/** What the person at the desk sounds like: a tone, so that no frame of it is taken for the assistant's. */
export const PITCH_HZ = 500;
/** As root mean square, 0 to 1. */
const AUDIBLE = 0.01;
/** Of a frame's level, so much is the tone where the person is heard. */
const PITCHED = 0.85;
const WEB_RATE_HZ = 24_000;
const SIP_RATE_HZ = 8_000;
const FRAME_MS = 20;

/** The end of a call at which the customer is: says when they heard whom. */
export class HeardCall {
  /** Of `performance.now()`. */
  private readonly assistantMs: number[] = [];
  private readonly personMs: number[] = [];

  private constructor(readonly hangUp: () => void) {}

  static async web(opened: OpenedWebCall): Promise<HeardCall> {
    const caller = await WebCaller.connect(opened);
    const call = new HeardCall(() => caller.hangUp());
    caller.socket.on('message', (data: Buffer, isBinary) => {
      if (!isBinary) return;
      call.heard(
        Int16Array.from({ length: data.length / 2 }, (_, at) => data.readInt16LE(at * 2)),
        WEB_RATE_HZ,
      );
    });
    return call;
  }

  static async sip(sip: SipCall): Promise<HeardCall> {
    const audio = sip.openAudio();
    if (!audio) throw new Error('the call has no audio');
    const silence = setInterval(() => audio.send(new Int16Array((SIP_RATE_HZ * FRAME_MS) / 1_000)), FRAME_MS);
    const call = new HeardCall(() => sip.hangUp());
    void once(sip, 'ended').finally(() => clearInterval(silence));
    void (async () => {
      for await (const frame of audio.heard) call.heard(frame, SIP_RATE_HZ);
    })();
    return call;
  }

  /** How much was heard of the assistant. */
  get assistantHeardMs(): number {
    return this.assistantMs.length * FRAME_MS;
  }

  /** Since the assistant was heard last. */
  get silentMs(): number {
    return performance.now() - (this.assistantMs.at(-1) ?? performance.now());
  }

  /** When the person was heard first after a moment; null: not yet. */
  personAfter(ms: number): number | null {
    return this.personMs.find((atMs) => atMs >= ms) ?? null;
  }

  /** How long after a moment the assistant was still heard. A frame in which the person's tone begins is not the assistant's. */
  assistantAfter(ms: number): number {
    const person = this.personAfter(ms) ?? Infinity;
    const last = this.assistantMs.findLast((atMs) => atMs < person - FRAME_MS * 1.5);
    return Math.max((last ?? 0) - ms, 0);
  }

  private heard(frame: Int16Array, rateHz: number): void {
    const level = rmsOf(frame);
    if (level < AUDIBLE) return;
    const share = strengthOf(PITCH_HZ, frame, rateHz) / (level * Math.SQRT2);
    (share > PITCHED ? this.personMs : this.assistantMs).push(performance.now());
  }
}
