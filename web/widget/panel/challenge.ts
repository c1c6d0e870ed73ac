import { sha256 } from '@noble/hashes/sha2.js';

/** The page stays responsive: this long at a time. */
const SLICE_MS = 12;

/** A text for which SHA-256 of `token.solution` begins with so many zero bits. Works on pages without https, too. */
export async function solve(token: string, difficulty: number): Promise<string> {
  const encoder = new TextEncoder();
  let sliceEnd = performance.now() + SLICE_MS;
  for (let solution = 0; ; solution++) {
    const hash = sha256(encoder.encode(`${token}.${solution}`));
    if (Math.clz32(new DataView(hash.buffer, hash.byteOffset).getUint32(0)) >= difficulty)
      return `${solution}`;
    if (solution % 64 === 0 && performance.now() > sliceEnd) {
      await new Promise((resolve) => setTimeout(resolve));
      sliceEnd = performance.now() + SLICE_MS;
    }
  }
}
