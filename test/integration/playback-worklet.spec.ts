import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const RATE_HZ = 24_000;
const FRAME_SAMPLES = 480;
const BLOCK_SAMPLES = 128;

interface Playback {
  readonly waiting: number;
  add(frame: Int16Array): void;
  process(inputs: unknown[], outputs: Float32Array[][]): boolean;
}
type PlaybackClass = new (options: {
  readonly processorOptions?: { readonly channels?: 1 | 2; readonly isLive?: boolean };
}) => Playback;

describe('The playback of call sound', () => {
  let Processor: PlaybackClass;
  const globals = globalThis as Record<string, unknown>;

  beforeAll(async () => {
    globals.sampleRate = RATE_HZ;
    globals.AudioWorkletProcessor = class {
      readonly port = Object.assign(new EventTarget(), { start() {}, postMessage() {} });
    };
    globals.registerProcessor = (_name: string, processor: PlaybackClass) => (Processor = processor);
    await import(new URL('../../web/talk/playback-worklet.js', import.meta.url).href);
  });
  afterAll(() => {
    for (const name of ['sampleRate', 'AudioWorkletProcessor', 'registerProcessor'])
      Reflect.deleteProperty(globals, name);
  });

  const frame = (...channels: readonly number[]) =>
    Int16Array.from({ length: FRAME_SAMPLES * channels.length }, (_, at) => channels[at % channels.length]!);
  const add = (playback: Playback, frames: number, sound: Int16Array) => {
    for (let count = 0; count < frames; count++) playback.add(sound);
  };
  /** One sample of each side. */
  function play(playback: Playback): number[] {
    const sides = [new Float32Array(BLOCK_SAMPLES), new Float32Array(BLOCK_SAMPLES)];
    playback.process([], [sides]);
    return sides.map((side) => Math.round((side[BLOCK_SAMPLES / 2] ?? 0) * 32_768));
  }
  const waitingMs = ({ waiting }: Playback) => (waiting * 1_000) / RATE_HZ;

  it('plays mono on both sides, and each channel of stereo on its own', () => {
    const mono = new Processor({});
    add(mono, 4, frame(300));
    expect(play(mono)).toEqual([300, 300]);

    const stereo = new Processor({ processorOptions: { channels: 2 } });
    add(stereo, 2, frame(1_000, -2_000));
    expect([play(stereo), waitingMs(stereo)]).toEqual([[0, 0], 40]);
    add(stereo, 2, frame(1_000, -2_000));
    expect(play(stereo)).toEqual([1_000, -2_000]);
  });

  it('drops the oldest sound for people who listen live, and keeps what an assistant sends ahead', () => {
    const live = new Processor({ processorOptions: { channels: 2, isLive: true } });
    add(live, 21, frame(500, 500));
    expect(waitingMs(live)).toBe(420);
    live.add(frame(700, 700));
    expect(waitingMs(live)).toBe(80);

    const call = new Processor({});
    add(call, 100, frame(500));
    expect(waitingMs(call)).toBe(2_000);
  });
});
