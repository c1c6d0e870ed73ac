import { beforeEach, describe, expect, it } from '@jest/globals';
import { framesOf, joined, strengthOf, tone } from '@prosa/testing';
import { until } from '../../../test/support/until.js';
import { rmsOf, type SampleRateHz } from '@prosa/audio';
import { EventQueue } from '../../providers/telephony/event-queue.js';
import type { LineClock } from '../../providers/telephony/line-clock.js';
import { LineBridge } from './line-bridge.js';

/** A far end at a rate, and a bridge to it that is ticked by hand. */
class Harness {
  readonly sent: Int16Array[] = [];
  readonly heard = new EventQueue<Int16Array>();
  readonly bridge: LineBridge;
  isTicking = false;
  private onTick = () => {};

  constructor(
    private readonly customerRateHz: SampleRateHz,
    private readonly farRateHz: SampleRateHz,
  ) {
    const clock = {
      add: (tick: () => void) => {
        this.onTick = tick;
        this.isTicking = true;
        return () => {
          this.onTick = () => {};
          this.isTicking = false;
        };
      },
    } as unknown as LineClock;
    const audio = {
      sampleRateHz: farRateHz,
      heard: this.heard,
      send: (frame: Int16Array) => void this.sent.push(frame),
      clear: () => {},
    };
    this.bridge = new LineBridge(customerRateHz, audio, clock);
    this.bridge.start();
  }

  tick(): void {
    this.onTick();
  }

  /** Both speak at once, frame by frame; what the customer hears is returned. */
  async talk(customer: Int16Array, farEnd: Int16Array): Promise<Int16Array> {
    const farFrames = [...framesOf(farEnd, this.farRateHz)];
    const played: Int16Array[] = [];
    for (const [index, frame] of [...framesOf(customer, this.customerRateHz)].entries()) {
      this.bridge.customerSays(frame);
      this.heard.push(farFrames[index] ?? new Int16Array(this.farRateHz / 50));
      await Promise.resolve();
      await Promise.resolve();
      this.tick();
      played.push(this.play());
    }
    return joined(...played);
  }

  /** The next frame for the customer. */
  play(): Int16Array {
    const frame = new Int16Array(this.customerRateHz / 50);
    this.bridge.farEnd.read(frame);
    return frame;
  }

  get farEndHeard(): Int16Array {
    return joined(...this.sent);
  }
}

describe('LineBridge', () => {
  let harness: Harness;
  beforeEach(() => {
    harness = new Harness(8_000, 8_000);
  });

  it.each([
    [8_000, 8_000],
    [24_000, 8_000],
    [8_000, 16_000],
  ] as const)(
    'carries what either says to the other, as loud as it was said: %i and %i Hz',
    async (near, far) => {
      harness = new Harness(near, far);
      const heard = await harness.talk(tone(440, near, 1_000, 0.4), tone(1_000, far, 1_000, 0.2));
      const later = heard.subarray(heard.length / 2);
      expect(strengthOf(1_000, later, near)).toBeCloseTo(0.2, 1);
      expect(strengthOf(440, later, near)).toBeLessThan(0.01);
      const there = harness.farEndHeard.subarray(harness.farEndHeard.length / 2);
      expect(strengthOf(440, there, far)).toBeCloseTo(0.4, 1);
      expect(strengthOf(1_000, there, far)).toBeLessThan(0.01);
    },
  );

  it('adds no more than two frames of delay', async () => {
    const click = new Int16Array(8_000);
    click.fill(20_000, 1_600, 1_760);
    await harness.talk(click, new Int16Array(8_000));
    const at = harness.farEndHeard.findIndex((sample) => sample > 10_000);
    expect(at - 1_600).toBeGreaterThanOrEqual(0);
    expect(at - 1_600).toBeLessThanOrEqual(320);
  });

  it('lets the far end hear what the assistant still says, with the customer', () => {
    for (const frame of framesOf(tone(440, 8_000, 400, 0.3), 8_000)) {
      harness.bridge.customerSays(frame);
      harness.bridge.assistantSays(tone(1_200, 8_000, 20, 0.2));
      harness.tick();
    }
    expect(strengthOf(440, harness.farEndHeard, 8_000)).toBeCloseTo(0.3, 1);
    expect(strengthOf(1_200, harness.farEndHeard, 8_000)).toBeCloseTo(0.2, 1);
  });

  it('leaves out the oldest of a backlog, rather than to talk late from then on', () => {
    for (const frame of framesOf(tone(440, 8_000, 2_000, 0.4), 8_000)) harness.bridge.customerSays(frame);
    for (let frame = 0; frame < 12; frame++) harness.tick();
    expect(rmsOf(joined(...harness.sent.slice(0, 2)))).toBeGreaterThan(0.2);
    expect(rmsOf(joined(...harness.sent.slice(7)))).toBe(0);
  });

  it('sends silence during pauses, so that the far end does not take the line for dead', () => {
    for (let frame = 0; frame < 5; frame++) harness.tick();
    expect(harness.sent.map(({ length }) => length)).toEqual([160, 160, 160, 160, 160]);
    expect(rmsOf(harness.farEndHeard)).toBe(0);
    expect(rmsOf(harness.play())).toBe(0);
  });

  it('stops when the sound of the far end ends, and on stop()', async () => {
    harness.heard.end();
    await until(() => !harness.isTicking);
    const other = new Harness(8_000, 8_000);
    other.bridge.stop();
    other.heard.push(tone(440, 8_000, 20));
    await Promise.resolve();
    other.tick();
    expect([other.isTicking, other.sent.length, rmsOf(other.play())]).toEqual([false, 0, 0]);
  });
});
