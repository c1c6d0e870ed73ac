import { describe, expect, it } from '@jest/globals';
import { storableObject } from './storable-object.js';

/** `{"a": {"a": …}}` with so many objects or arrays within each other. */
const nested = (levels: number, within: (inner: unknown) => object): object =>
  within(levels === 1 ? 'end' : nested(levels - 1, within));

describe('storableObject', () => {
  it('copies names and texts as PostgreSQL accepts them, in objects and arrays', () => {
    const copy = storableObject(
      { 'a\0': ['b\0', { 'c\ud83d': 'd\0' }], n: 1, no: null, is: true },
      () => 'x',
    );
    expect(copy).toEqual({ a: ['b', { 'c\ufffd': 'd' }], n: 1, no: null, is: true });
  });

  it.each([
    ['objects', (inner: unknown) => ({ a: inner })],
    ['arrays in an object', (inner: unknown) => [inner]],
  ])('keeps 32 levels of %s, and asks what replaces more', (_what, within) => {
    const of = (levels: number) => storableObject({ a: nested(levels - 1, within) }, () => '…');
    expect(JSON.stringify(of(32))).toContain('end');
    expect(JSON.stringify(of(33))).not.toContain('end');
    expect(JSON.stringify(of(33))).toContain('…');
  });

  it('passes on what the caller throws for more levels', () => {
    const refuse = () => {
      throw new RangeError('too deep');
    };
    expect(() =>
      storableObject(
        nested(33, (a) => ({ a })),
        refuse,
      ),
    ).toThrow('too deep');
  });
});
