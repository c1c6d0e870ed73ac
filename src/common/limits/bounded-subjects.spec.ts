import { describe, expect, it } from '@jest/globals';
import { BoundedSubjects } from './bounded-subjects.js';

const WINDOW_MS = 60_000;

describe('BoundedSubjects', () => {
  it('gives each subject a counter of its own', () => {
    const subjects = new BoundedSubjects(WINDOW_MS);
    expect(subjects.counterOf('a', 0)).toBe('a');
    expect(subjects.counterOf('b', 0)).toBe('b');
  });

  it('lets newcomers share a few counters when too many come in one window', () => {
    const subjects = new BoundedSubjects(WINDOW_MS, 100, 8);
    const own = Array.from({ length: 100 }, (_, i) => `own-${i}`);
    for (const subject of own) subjects.counterOf(subject, 0);
    const shared = Array.from({ length: 10_000 }, (_, i) => subjects.counterOf(`new-${i}`, 1));
    expect(new Set(shared).size).toBe(8);
    expect(own.map((subject) => subjects.counterOf(subject, 2))).toEqual(own);
  });

  it('keeps a newcomer on the same shared counter, so that its own requests add up', () => {
    const subjects = new BoundedSubjects(WINDOW_MS, 1, 8);
    subjects.counterOf('first', 0);
    const counters = Array.from({ length: 20 }, () => subjects.counterOf('newcomer', 1));
    expect(new Set(counters).size).toBe(1);
  });

  it('forgets subjects when their window has passed', () => {
    const subjects = new BoundedSubjects(WINDOW_MS, 2, 8);
    subjects.counterOf('a', 0);
    subjects.counterOf('b', 30_000);
    expect(subjects.counterOf('c', 59_999)).toMatch(/^shared-/);
    expect(subjects.counterOf('c', 60_000)).toBe('c');
    expect(subjects.counterOf('d', 60_001)).toMatch(/^shared-/);
  });
});
