import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * Opaque tokens in the format of GitHub's: a prefix for secret scanners, 30 random base62 characters (178 bits) and a
 * CRC32 tail. The tail refuses a mistyped token before the database is asked. Only the hash is stored: a random
 * secret of this size needs no slow hash.
 */
export type TokenPrefix =
  | 'prosa_'
  | 'prosa_call_'
  | 'prosa_inv_'
  | 'prosa_login_'
  | 'prosa_mon_'
  | 'prosa_pub_'
  | 'prosa_reset_'
  | 'prosa_sess_'
  | 'prosa_share_';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 30;
const CHECKSUM_LENGTH = 6;

export function makeToken(prefix: TokenPrefix): string {
  const secret = randomBase62(SECRET_LENGTH);
  return `${prefix}${secret}${checksum(prefix + secret)}`;
}

/** Which kind a well-formed token is; null when its form or checksum is wrong. */
export function prefixOf(token: string): TokenPrefix | null {
  const match = /^(prosa_(?:sess_|pub_)?)([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/.exec(token);
  if (!match) return null;
  const [, prefix = '', secret = '', tail] = match;
  return checksum(prefix + secret) === tail ? (prefix as TokenPrefix) : null;
}

export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

function randomBase62(length: number): string {
  let result = '';
  while (result.length < length) {
    for (const byte of randomBytes(length)) {
      // 248 is the largest multiple of 62 in a byte: larger bytes would favour some characters.
      if (byte < 248 && result.length < length) result += ALPHABET.charAt(byte % 62);
    }
  }
  return result;
}

function checksum(input: string): string {
  let rest = crc32(input);
  let result = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    result = ALPHABET.charAt(rest % 62) + result;
    rest = Math.floor(rest / 62);
  }
  return result;
}
