import { describe, expect, it } from '@jest/globals';
import { SecretBox, SecretUnreadableError } from './secret-box.js';

const OLD = Buffer.alloc(32, 1).toString('base64');
const NEW = Buffer.alloc(32, 2).toString('base64');
const PLACE = { userId: 1, column: 'tools.headers', rowId: 10 };

describe('SecretBox', () => {
  const box = new SecretBox([OLD]);

  it('opens what it sealed, in the same place', () => {
    const sealed = box.seal('Bearer segredo ✓', PLACE);
    expect(sealed).not.toContain('segredo');
    expect(box.open(sealed, PLACE)).toBe('Bearer segredo ✓');
  });

  it('never seals to the same text twice', () => {
    expect(box.seal('a', PLACE)).not.toBe(box.seal('a', PLACE));
  });

  it.each([
    ['another tenant', { ...PLACE, userId: 2 }],
    ['another row', { ...PLACE, rowId: 11 }],
    ['another column', { ...PLACE, column: 'calls.token' }],
  ])('does not open in %s', (_name, place) => {
    const sealed = box.seal('secret', PLACE);
    expect(() => box.open(sealed, place)).toThrow(SecretUnreadableError);
  });

  it('does not open after any byte was changed', () => {
    const sealed = box.seal('secret', PLACE);
    const [version, key, ...parts] = sealed.split('.');
    parts.forEach((part, index) => {
      const bytes = Buffer.from(part, 'base64url');
      bytes[0] = (bytes[0] ?? 0) ^ 1;
      const forged = [version, key, ...parts.with(index, bytes.toString('base64url'))].join('.');
      expect(() => box.open(forged, PLACE)).toThrow(SecretUnreadableError);
    });
  });

  it.each(['', 'v1', 'v2.a.b.c.d', 'nonsense'])('refuses %j', (sealed) => {
    expect(() => box.open(sealed, PLACE)).toThrow(SecretUnreadableError);
  });

  it('opens old secrets after a key change and seals with the new key', () => {
    const sealed = box.seal('secret', PLACE);
    const rotated = new SecretBox([NEW, OLD]);
    expect(rotated.open(sealed, PLACE)).toBe('secret');
    expect(() => box.open(rotated.seal('secret', PLACE), PLACE)).toThrow(SecretUnreadableError);
  });
});
