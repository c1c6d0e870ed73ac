import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

const COST = 32_768;
const BLOCK_SIZE = 8;
const PARALLELISM = 1;
const KEY_BYTES = 32;

/** In place of a hash: no password fits it, and a check takes as long as one of a hash. */
export const NO_PASSWORD = '!';

const MAX_MEMORY_BYTES = 64 * 1024 * 1024;

/** Hashes a password as `scrypt$N$r$p$salt$hash`, so that the cost can rise without breaking old ones. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, COST, BLOCK_SIZE, PARALLELISM);
  return [
    'scrypt',
    COST,
    BLOCK_SIZE,
    PARALLELISM,
    salt.toString('base64url'),
    key.toString('base64url'),
  ].join('$');
}

/**
 * Compares in constant time. A missing hash costs the same work, so that response times do not reveal unknown
 * accounts.
 */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  const [, cost = COST, blockSize = BLOCK_SIZE, parallelism = PARALLELISM, salt = '', key = ''] =
    hash?.split('$') ?? [];
  const derived = await derive(
    password,
    Buffer.from(salt, 'base64url'),
    Number(cost),
    Number(blockSize),
    Number(parallelism),
  );
  const expected = Buffer.from(key, 'base64url');
  return expected.length === derived.length && timingSafeEqual(expected, derived);
}

function derive(password: string, salt: Buffer, N: number, r: number, p: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(
      password.normalize('NFKC'),
      salt,
      KEY_BYTES,
      { N, r, p, maxmem: MAX_MEMORY_BYTES },
      (error, key) => (error ? reject(error) : resolve(key)),
    );
  });
}
