import { createHmac, hkdfSync, randomInt, timingSafeEqual } from 'node:crypto';

const DIGITS = 6;

/**
 * Codes that are spoken in calls. There are a million of them, so a plain hash would reveal the code. The hash is
 * made with a key that is derived from the installation's, and the database alone reveals nothing.
 */
export class SpokenCodes {
  private readonly keys: readonly Buffer[];

  /** @param keys as those of SecretBox: the newest first. Codes of older ones are still known. */
  constructor(keys: readonly string[]) {
    this.keys = keys.map((key) =>
      Buffer.from(hkdfSync('sha256', Buffer.from(key, 'base64'), '', 'prosa spoken codes', 32)),
    );
  }

  /** A random code that cannot be guessed. */
  create(): string {
    return String(randomInt(0, 10 ** DIGITS)).padStart(DIGITS, '0');
  }

  /** @param purpose what it is for: the same code for something else has another hash */
  hash(purpose: string, code: string): string {
    return hashWith(this.keys[0] ?? Buffer.alloc(0), purpose, code).toString('base64url');
  }

  matches(purpose: string, code: string, hash: string): boolean {
    const stored = Buffer.from(hash, 'base64url');
    return this.keys.some((key) => {
      const known = hashWith(key, purpose, code);
      return known.length === stored.length && timingSafeEqual(known, stored);
    });
  }
}

function hashWith(key: Buffer, purpose: string, code: string): Buffer {
  return createHmac('sha256', key).update(`${purpose}:${code}`).digest();
}
