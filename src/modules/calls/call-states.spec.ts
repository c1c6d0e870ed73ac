import { describe, expect, it } from '@jest/globals';
import { CALL_MOVES, CALL_STATUSES, type CallStatus, isAllowed, movesBetween } from './call-states.js';

const PATHS: CallStatus[][] = [
  ['initiated', 'ringing', 'in-progress', 'ended_by_customer', 'completed'],
  ['initiated', 'ringing', 'in-progress', 'ended_by_assistant', 'completed'],
  ['initiated', 'ringing', 'in-progress', 'ended', 'completed'],
  ['initiated', 'ringing', 'busy'],
  ['initiated', 'ringing', 'no-answer'],
  ['initiated', 'ringing', 'failed'],
  ['initiated', 'failed'],
];

describe('the moves of a call', () => {
  it.each(PATHS.map((path) => [path.join(' → '), path] as const))('allow %s', (_name, path) => {
    for (const [i, to] of path.slice(1).entries()) {
      expect(isAllowed({ from: path[i] as CallStatus, to })).toBe(true);
    }
  });

  it('allow nothing that is on none of these ways', () => {
    const onTheWay = new Set(PATHS.flatMap((path) => path.slice(1).map((to, i) => `${path[i]} ${to}`)));
    const allowed = CALL_STATUSES.flatMap((from) => CALL_MOVES[from].map((to) => `${from} ${to}`));
    expect(allowed.toSorted()).toEqual([...onTheWay].toSorted());
  });

  it('reach every state from the first, and end in each way in a state without moves', () => {
    expect(new Set(PATHS.flat())).toEqual(new Set(CALL_STATUSES));
    expect(PATHS.map((path) => CALL_MOVES[path.at(-1) as CallStatus])).toEqual(PATHS.map(() => []));
  });
});

describe('the way between two states', () => {
  it('goes over the states between them', () => {
    expect(movesBetween('initiated', 'busy')).toEqual([
      { from: 'initiated', to: 'ringing' },
      { from: 'ringing', to: 'busy' },
    ]);
  });

  it('is empty where the call is there already', () => {
    expect(movesBetween('ringing', 'ringing')).toEqual([]);
  });

  it('does not lead back, nor out of an end', () => {
    expect(() => movesBetween('in-progress', 'ringing')).toThrow('no call gets from in-progress to ringing');
    expect(() => movesBetween('busy', 'completed')).toThrow();
  });
});
