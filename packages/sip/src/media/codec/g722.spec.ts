import { describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { spoken, framesOf, noise, tone } from '@prosa/testing';
import { G722Decoder, G722Encoder } from './g722.js';

const RATE_HZ = 16_000;
/** From a sample to the same one at the far end: what both filters take. */
const DELAY_SAMPLES = 22;

/** A stream of whole numbers that is the same in every language. */
function* sequence(): Generator<number> {
  let state = 722;
  for (;;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state;
  }
}

/** Two seconds of noise from full scale down to silence and up again: every state of the adaptation. */
function hardSignal(): Int16Array {
  const numbers = sequence();
  return Int16Array.from({ length: 32_000 }, (_, index) => {
    const sample = ((numbers.next().value as number) >>> 16) - 32_768;
    return sample >> (Math.floor(index / 1_000) % 16);
  });
}

function encoded(samples: Int16Array): Uint8Array {
  return new G722Encoder().encode(samples);
}

function throughCodec(samples: Int16Array): Int16Array {
  return new G722Decoder().decode(encoded(samples));
}

function digest(values: Uint8Array | Int16Array): string {
  const bytes =
    values instanceof Uint8Array
      ? values
      : Buffer.from(Array.from(values, (v) => [v & 0xff, (v >> 8) & 0xff]).flat());
  return createHash('sha256').update(bytes).digest('hex');
}

/** Signal to noise in decibels: of what is heard `DELAY_SAMPLES` later, against what was said. */
function signalToNoise(said: Int16Array, heard: Int16Array): number {
  let signal = 0;
  let error = 1;
  for (let index = 0; index + DELAY_SAMPLES < heard.length; index++) {
    signal += said[index]! ** 2;
    error += (said[index]! - heard[index + DELAY_SAMPLES]!) ** 2;
  }
  return 10 * Math.log10(signal / error);
}

describe('G.722', () => {
  // The digests are those of libg722 1.2.8 (github.com/sippy/libg722) for the same numbers.
  it('encodes and decodes bit by bit as another implementation does', () => {
    expect(digest(encoded(hardSignal()))).toBe(
      '260fc68cc5f41947f927d9bc432bfd8c1ed4001628b19f7dcffb981fc7ea1af4',
    );
    const numbers = sequence();
    const octets = Uint8Array.from({ length: 16_000 }, () => (numbers.next().value as number) >>> 24);
    expect(digest(new G722Decoder().decode(octets))).toBe(
      '79e4100d7333e28fbcf300926a0986f599e18536c3db417f8bb0148461b74dbc',
    );
  });

  it('makes the same stream of frames as of the whole', () => {
    const samples = hardSignal();
    const encoder = new G722Encoder();
    const octets = [...framesOf(samples, RATE_HZ)].flatMap((frame) => [...encoder.encode(frame)]);
    expect(octets).toEqual([...encoded(samples)]);
    const decoder = new G722Decoder();
    const whole = new G722Decoder().decode(Uint8Array.from(octets));
    const parts = Array.from({ length: 100 }, (_, at) => [
      ...decoder.decode(Uint8Array.from(octets.slice(at * 160, at * 160 + 160))),
    ]);
    expect(parts.flat()).toEqual([...whole]);
  });

  it.each([
    [100, 60],
    [300, 60],
    [1_000, 45],
    [2_500, 45],
    [3_400, 33],
    [5_000, 20],
    [6_800, 22],
  ])('carries %i Hz at its level with %i dB to its noise', (hertz, decibels) => {
    const said = tone(hertz, RATE_HZ, 1_000, 0.4);
    const heard = throughCodec(said);
    expect(signalToNoise(said.subarray(1_600), heard.subarray(1_600))).toBeGreaterThan(decibels);
  });

  it('is 1.4 ms late', () => {
    const said = noise(RATE_HZ, 200, 0.3);
    const heard = throughCodec(said);
    const likeness = (delay: number) =>
      said.reduce((sum, sample, index) => sum + sample * (heard[index + delay] ?? 0), 0);
    const delays = Array.from({ length: 64 }, (_, delay) => delay);
    expect(delays.reduce((best, delay) => (likeness(delay) > likeness(best) ? delay : best))).toBe(
      DELAY_SAMPLES,
    );
  });

  it('carries speech, loud and soft', async () => {
    const words = await spoken('Qual é o horário de atendimento?', RATE_HZ);
    for (const gain of [1, 0.1, 0.02]) {
      const said = words.map((sample) => Math.round(sample * gain));
      expect(signalToNoise(said, throughCodec(said))).toBeGreaterThan(18);
    }
  });

  it('neither wraps at full scale nor sounds in silence', () => {
    const loud = throughCodec(tone(1_000, RATE_HZ, 200, 1));
    let steepest = 0;
    for (let index = 1; index < loud.length; index++)
      steepest = Math.max(steepest, Math.abs(loud[index]! - loud[index - 1]!));
    expect(steepest).toBeLessThan(16_000);
    const silent = throughCodec(new Int16Array(RATE_HZ));
    expect(Math.max(...silent.map(Math.abs))).toBeLessThan(16);
  });

  it('is itself again 20 ms after a frame was lost', () => {
    const said = tone(700, RATE_HZ, 1_000, 0.3);
    const octets = encoded(said);
    const decoder = new G722Decoder();
    decoder.decode(octets.subarray(0, 4_000));
    const heard = decoder.decode(octets.subarray(4_160));
    const from = 8_320 + 320;
    expect(signalToNoise(said.subarray(from), heard.subarray(320))).toBeGreaterThan(30);
  });
});
