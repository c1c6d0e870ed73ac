import { describe, expect, it } from '@jest/globals';
import { filtersOf, isSame, MOST_FILTERS, savedFiltersFrom, withFilter } from './saved-filter.js';

describe('saved filters', () => {
  it('are read from what the browser keeps, without what is none', () => {
    const vip = { name: 'VIP', search: { tag: 'VIP' } };
    expect(
      savedFiltersFrom([vip, null, 'x', { name: 5, search: {} }, { name: 'a', search: [] }, { name: 'b' }]),
    ).toEqual([vip]);
    for (const stored of [null, undefined, 'x', {}, 5]) expect(savedFiltersFrom(stored)).toEqual([]);
    expect(savedFiltersFrom(Array.from({ length: 40 }, () => vip))).toHaveLength(MOST_FILTERS);
  });

  it('have neither the page nor what is open', () => {
    expect(filtersOf({ status: 'busy', tag: undefined, page: 3, call: 7, sort: 'oldest' })).toEqual({
      status: 'busy',
      sort: 'oldest',
    });
  });

  it('are the same whatever their order', () => {
    expect(isSame({ a: 1, b: 'x' }, { b: 'x', a: 1 })).toBe(true);
    expect(isSame({ a: 1 }, { a: '1' })).toBe(false);
    expect(isSame({ a: 1 }, { a: 1, b: 2 })).toBe(false);
    expect(isSame({}, {})).toBe(true);
  });

  it('are replaced by those with the same name', () => {
    const [a, b] = [
      { name: 'a', search: { q: '1' } },
      { name: 'b', search: {} },
    ];
    const changed = { name: 'a', search: { q: '2' } };
    expect(withFilter([b], a)).toEqual([a, b]);
    expect(withFilter([a, b], changed)).toEqual([changed, b]);
  });
});
