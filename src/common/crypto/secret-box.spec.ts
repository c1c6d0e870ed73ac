import { describe, expect, it } from '@jest/globals';
import { keyIdOf, SecretBox, SecretUnreadableError } from './secret-box.js';

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

  it('names its form and its key in what it seals', () => {
    const [version, key, nonce = '', ciphertext = '', tag = ''] = box.seal('secret', PLACE).split('.');
    expect([version, key]).toEqual(['v1', keyIdOf(OLD)]);
    expect([nonce, ciphertext, tag].map((part) => Buffer.from(part, 'base64url').length)).toEqual([
      12, 6, 16,
    ]);
    // Stored secrets carry it: another way to name a key would lose them.
    expect(keyIdOf(OLD)).toBe('cs1uhCLE');
  });

  it('refuses what another form or an unknown key sealed, and says so', () => {
    const sealed = box.seal('secret', PLACE);
    const unknown = 'the secret was sealed with an unknown key';
    expect(() => box.open(sealed.replace('v1.', 'v2.'), PLACE)).toThrow(new SecretUnreadableError(unknown));
    expect(() => new SecretBox([NEW]).open(sealed, PLACE)).toThrow(new SecretUnreadableError(unknown));
  });

  it('does not open with a part of the tag, which is easier to guess', () => {
    const [version, key, nonce, ciphertext, tag = ''] = box.seal('secret', PLACE).split('.');
    const short = Buffer.from(tag, 'base64url').subarray(0, 4).toString('base64url');
    expect(() => box.open([version, key, nonce, ciphertext, short].join('.'), PLACE)).toThrow(
      SecretUnreadableError,
    );
  });

  it('says that the place or the bytes are wrong, and why', () => {
    const open = () => box.open(box.seal('secret', PLACE), { ...PLACE, userId: 2 });
    expect(open).toThrow(
      expect.objectContaining({
        name: 'SecretUnreadableError',
        message: 'the secret does not belong to this place or was changed',
        cause: expect.anything(),
      }),
    );
  });

  it('needs a key', () => {
    expect(() => new SecretBox([])).toThrow('a secret box needs a key');
  });

  it('opens old secrets after a key change and seals with the new key', () => {
    const sealed = box.seal('secret', PLACE);
    const rotated = new SecretBox([NEW, OLD]);
    expect(rotated.open(sealed, PLACE)).toBe('secret');
    expect(() => box.open(rotated.seal('secret', PLACE), PLACE)).toThrow(SecretUnreadableError);
  });
});
