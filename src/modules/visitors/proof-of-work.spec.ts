import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { isSolved } from './proof-of-work.js';

/** By hand, another way: the hash written out in bits. */
function zeroBits(token: string, solution: string): number {
  const hash = createHash('sha256').update(`${token}.${solution}`).digest();
  const bits = [...hash].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return bits.indexOf('1');
}

describe('a proof of work', () => {
  it('is solved for as many leading zero bits as its hash has, and not for one more', () => {
    const seen = new Set<number>();
    for (let solution = 0; solution < 3_000; solution++) {
      const bits = zeroBits('token', String(solution));
      expect(isSolved('token', String(solution), bits)).toBe(true);
      expect(isSolved('token', String(solution), bits + 1)).toBe(false);
      seen.add(bits);
    }
    // The first byte zero, and more than that: the boundary between two bytes was among them.
    expect([...seen].toSorted((a, b) => a - b).slice(0, 10)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('is of its token alone', () => {
    let solution = 0;
    while (zeroBits('a', String(solution)) < 8) solution++;
    expect(isSolved('a', String(solution), 8)).toBe(true);
    expect(isSolved('b', String(solution), 8)).toBe(zeroBits('b', String(solution)) >= 8);
  });
});
