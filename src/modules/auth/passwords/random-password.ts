import { randomInt } from 'node:crypto';

/** Without those that are taken for one another: 0 and o, 1, i and l. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUPS = 4;
const GROUP_LENGTH = 5;

/** A password that a person can copy from paper, as `k7mfp-2xq9t-hh4nd-w8rzc`: 99 random bits. */
export function randomPassword(): string {
  const group = () =>
    Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}
