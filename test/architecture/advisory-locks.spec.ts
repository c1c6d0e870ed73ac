import { describe, expect, it } from '@jest/globals';
import { ADVISORY_LOCK_CLASSES, ADVISORY_LOCKS } from '../../src/database/advisory-locks.js';
import { sourcesIn } from './sql-uses.js';

describe('advisory locks', () => {
  it.each([
    ['one key', ADVISORY_LOCKS],
    ['two keys', ADVISORY_LOCK_CLASSES],
  ])('with %s each have one of their own', (_name, locks) => {
    expect(new Set(Object.values(locks)).size).toBe(Object.values(locks).length);
  });

  it('are taken by the names of the registry alone', () => {
    const users = [...sourcesIn(new URL('../../src/', import.meta.url))].filter(([, source]) =>
      /pg_(try_)?advisory_\w*lock/.test(source),
    );
    expect(users.length).toBeGreaterThan(0);
    expect(
      users.filter(([, source]) => !/import .*advisory-locks\.js/.test(source)).map(([path]) => path),
    ).toEqual([]);
  });
});
