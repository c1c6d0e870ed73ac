import { describe, expect, it } from '@jest/globals';
import { SpokenCodes } from './spoken-codes.js';

const OLD = Buffer.alloc(32, 1).toString('base64');
const NEW = Buffer.alloc(32, 2).toString('base64');

describe('SpokenCodes', () => {
  const codes = new SpokenCodes([OLD]);

  it('are six digits, leading zeros included, and not the same again and again', () => {
    const made = Array.from({ length: 2_000 }, () => codes.create());
    expect(made.every((code) => /^\d{6}$/.test(code))).toBe(true);
    expect(new Set(made).size).toBeGreaterThan(1_980);
    expect(made.some((code) => code.startsWith('0'))).toBe(true);
  });

  it('match their own hash, for their own purpose alone', () => {
    const hash = codes.hash('number 1', '012345');
    expect(codes.matches('number 1', '012345', hash)).toBe(true);
    expect(codes.matches('number 1', '012346', hash)).toBe(false);
    expect(codes.matches('number 2', '012345', hash)).toBe(false);
    expect(codes.matches('number 1', '012345', '')).toBe(false);
    expect(codes.matches('number 1', '012345', hash.slice(0, -2))).toBe(false);
  });

  it('cannot be derived from the hash without the key of the installation, and survive a change of that key', () => {
    const hash = codes.hash('number 1', '012345');
    expect(new SpokenCodes([NEW]).matches('number 1', '012345', hash)).toBe(false);
    expect(new SpokenCodes([NEW, OLD]).matches('number 1', '012345', hash)).toBe(true);
  });
});
