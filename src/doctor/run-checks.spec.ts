import { describe, expect, it } from '@jest/globals';
import { type Check, type Finding, ok, warning } from './check.js';
import { runChecks } from './run-checks.js';

const LIMIT_MS = 50;

function check(name: string, run: () => Promise<readonly Finding[]>): Check {
  return { name, run };
}

describe('running checks', () => {
  it('returns the findings in the order of the checks, and one for each that fails or hangs', async () => {
    const startedAt = performance.now();
    const found = await runChecks(
      [
        check('hangs', () => new Promise(() => undefined)),
        check('breaks', () => Promise.reject(new Error('no route', { cause: 'password=secret' }))),
        check('works', () => Promise.resolve([ok('Fine.'), warning('Nearly.')])),
      ],
      LIMIT_MS,
    );
    expect(performance.now() - startedAt).toBeLessThan(20 * LIMIT_MS);
    expect(found.map(({ check: name, verdict }) => [name, verdict])).toEqual([
      ['hangs', 'failure'],
      ['breaks', 'failure'],
      ['works', 'ok'],
      ['works', 'warning'],
    ]);
    expect(found[0]?.text).toContain('no answer within 0.05 s');
    expect(found[1]?.text).toBe('The check failed (no route).');
  });
});
