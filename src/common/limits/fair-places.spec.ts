import { beforeEach, describe, expect, it } from '@jest/globals';
import { FairPlaces } from './fair-places.js';

describe('places that several holders share', () => {
  let evicted: string[];
  let places: FairPlaces;

  beforeEach(() => {
    evicted = [];
    places = new FairPlaces(4, 3);
  });

  const enter = (holder: string, name: string, isBusy = false) =>
    places.enter(holder, { evict: () => void evicted.push(name), isBusy: () => isBusy });

  it('are there for all until they are full', () => {
    for (const name of ['a1', 'a2', 'b1', 'c1']) enter(name.charAt(0), name);
    expect(evicted).toEqual([]);
  });

  it('are taken from the holder with the most, its oldest first', () => {
    for (const name of ['a1', 'b1', 'b2', 'b3', 'c1', 'd1']) enter(name.charAt(0), name);
    expect(evicted).toEqual(['b1', 'b2']);
  });

  it('are taken from the oldest where all have the same', () => {
    for (const name of ['a1', 'b1', 'c1', 'd1', 'e1']) enter(name, name);
    expect(evicted).toEqual(['a1']);
  });

  it('are no more for one holder than its share', () => {
    for (const name of ['a1', 'a2', 'a3', 'a4']) enter('a', name);
    expect(evicted).toEqual(['a1']);
  });

  it('are taken first from occupants that do nothing', () => {
    enter('a', 'a1', true);
    enter('a', 'a2', false);
    enter('a', 'a3', true);
    enter('b', 'b1');
    enter('c', 'c1');
    expect(evicted).toEqual(['a2']);
  });

  it('are refused to a newcomer that has nothing but busy ones itself', () => {
    for (const name of ['a1', 'a2', 'a3']) enter('a', name, true);
    enter('a', 'a4');
    expect(evicted).toEqual(['a4']);
  });

  it('are given back once, however often that is said', () => {
    const leave = enter('a', 'a1');
    leave();
    leave();
    for (const name of ['b1', 'c1', 'd1', 'e1']) enter(name, name);
    expect(evicted).toEqual([]);
    enter('f1', 'f1');
    expect(evicted).toEqual(['b1']);
  });
});
