import { describe, expect, it } from '@jest/globals';
import { DrainRegistry } from './drain-registry.js';

describe('the registry of drains', () => {
  it('drains all work at once, and says how much of each was cut off', async () => {
    const registry = new DrainRegistry();
    const begun: string[] = [];
    const drainOf = (name: string, cut: number) => ({
      name,
      inProgress: () => cut,
      drain: async () => {
        begun.push(name);
        return cut;
      },
    });
    registry.add(drainOf('calls', 2));
    registry.add(drainOf('web-calls', 0));
    expect(registry.inProgress('calls')).toBe(2);
    expect(registry.inProgress('others')).toBe(0);
    const drained = registry.drainAll(1_000);
    expect(begun).toEqual(['calls', 'web-calls']);
    expect(await drained).toEqual(
      new Map([
        ['calls', 2],
        ['web-calls', 0],
      ]),
    );
  });
});
