import { createHash } from 'node:crypto';

/** Whether SHA-256 of `token.solution` begins with so many zero bits. */
export function isSolved(token: string, solution: string, difficulty: number): boolean {
  const hash = createHash('sha256').update(`${token}.${solution}`).digest();
  return leadingZeroBits(hash) >= difficulty;
}

function leadingZeroBits(bytes: Uint8Array): number {
  const first = bytes.findIndex((byte) => byte !== 0);
  return first === -1 ? bytes.length * 8 : first * 8 + Math.clz32(bytes[first] ?? 0) - 24;
}
