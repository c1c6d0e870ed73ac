import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { KeyPairing, type KeyPath } from './key-pairing.js';

type Arrival = readonly [key: string, path: KeyPath, atMs: number];

function accepted(arrivals: readonly Arrival[]): string {
  const pairing = new KeyPairing();
  return arrivals.map(([key, path, atMs]) => (pairing.accept(key, path, atMs) ? key : '')).join('');
}

describe('KeyPairing', () => {
  it.each<[string, Arrival[], string]>([
    [
      'one that comes by both paths',
      [
        ['7', 'rtp', 0],
        ['7', 'info', 30],
      ],
      '7',
    ],
    [
      'one whose INFO comes first',
      [
        ['7', 'info', 0],
        ['7', 'rtp', 200],
      ],
      '7',
    ],
    [
      'two by one path',
      [
        ['7', 'rtp', 0],
        ['7', 'rtp', 90],
      ],
      '77',
    ],
    [
      'two by INFO alone',
      [
        ['7', 'info', 0],
        ['7', 'info', 90],
      ],
      '77',
    ],
    [
      'two, each by both paths',
      [
        ['7', 'rtp', 0],
        ['7', 'info', 20],
        ['7', 'rtp', 90],
        ['7', 'info', 110],
      ],
      '77',
    ],
    [
      'two by RTP before both INFOs',
      [
        ['7', 'rtp', 0],
        ['7', 'rtp', 90],
        ['7', 'info', 110],
        ['7', 'info', 130],
      ],
      '77',
    ],
    [
      'others by the two paths',
      [
        ['7', 'rtp', 0],
        ['8', 'info', 10],
      ],
      '78',
    ],
    [
      'the same after more than 200 ms',
      [
        ['7', 'rtp', 0],
        ['7', 'info', 201],
      ],
      '77',
    ],
  ])('counts %s', (_name, arrivals, keys) => {
    expect(accepted(arrivals)).toBe(keys);
  });

  it('counts every key once that comes by both paths, and all that come by one', () => {
    const keys = fc.array(
      fc.record({
        key: fc.constantFrom('1', '2', '*'),
        delayMs: fc.integer({ min: 0, max: 199 }),
        both: fc.boolean(),
      }),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(keys, (made) => {
        const arrivals = made.flatMap(({ key, delayMs, both }, index): Arrival[] => [
          [key, 'rtp', index * 400],
          ...(both ? [[key, 'info', index * 400 + delayMs] as const] : []),
        ]);
        expect(accepted(arrivals)).toBe(made.map(({ key }) => key).join(''));
      }),
    );
  });
});
