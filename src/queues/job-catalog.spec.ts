import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { JobCatalog } from './job-catalog.js';
import { defineJob, defineSweep } from './job-definition.js';

const dial = defineJob({
  name: 'dial',
  schema: z.object({}),
  retry: { attempts: 1, backoffMs: 1 },
  concurrency: 1,
  everyMs: 5_000,
});
const mail = defineJob({ ...dial, name: 'mail', everyMs: undefined });
const often = defineSweep({ name: 'often', everyMs: 5_000 });
const seldom = defineSweep({ name: 'seldom', everyMs: 15_000 });
const rarely = defineSweep({ name: 'rarely', everyMs: 600_000 });
const catalog = new JobCatalog([dial, mail, often, seldom, rarely]);

/** What runs at moments, each given as when it was due and when it came. */
const runsAt = (moments: readonly (readonly [dueAtMs: number, cameAtMs: number])[]) =>
  moments.map(([dueAtMs, cameAtMs]) =>
    catalog.definitionNamesOf({ name: catalog.tickName, dueAtMs }, cameAtMs),
  );

describe('the intervals of jobs', () => {
  it('are one schedule, of the shortest', () => {
    expect(catalog).toMatchObject({ tickMs: 5_000, tickName: 'every-5000-ms' });
  });

  it.each([0, 3, 4_999])('pass once each, wherever the schedule began (%i ms)', (offset) => {
    const hour = 3_600_000;
    const counts = new Map<string, number>();
    for (let at = 7 * hour + offset; at < 8 * hour + offset; at += 5_000) {
      for (const name of runsAt([[at, at + 7]]).flat()) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    expect(Object.fromEntries(counts)).toEqual({ dial: 720, often: 720, seldom: 240, rarely: 6 });
  });

  it('that were left out while no worker ran are made up for by the late run, once', () => {
    const all = ['dial', 'often', 'seldom', 'rarely'];
    // Due at 9:55, come at 10:01: the tenth minute has passed.
    expect(runsAt([[595_000, 601_000]])).toEqual([all]);
    expect(runsAt([[605_000, 605_000]])).toEqual([['dial', 'often']]);
  });

  it('are not passed twice by a run that is a moment late', () => {
    // The moment is 3 ms before a multiple of all intervals, the run 5 ms later; the next run is to have it.
    const moments = [
      [599_997, 600_002],
      [604_997, 604_997],
    ] as const;
    expect(runsAt(moments)).toEqual([
      ['dial', 'often'],
      ['dial', 'often', 'seldom', 'rarely'],
    ]);
  });

  it('run with a clock that is behind the one that planned them', () => {
    expect(runsAt([[600_000, 598_000]])).toEqual([['dial', 'often', 'seldom', 'rarely']]);
  });

  it('are all over for a schedule that is new', () => {
    expect(catalog.definitionNamesOf({ name: catalog.allIntervalsName, dueAtMs: 1 })).toEqual([
      'dial',
      'often',
      'seldom',
      'rarely',
    ]);
  });

  it('that an earlier release planned one by one still run, and are known as obsolete', () => {
    expect(catalog.isObsoleteSchedule('every-15000-ms')).toBe(true);
    expect(catalog.definitionNamesOf({ name: 'every-15000-ms', dueAtMs: 1 })).toEqual(['seldom']);
    for (const name of ['every-5000-ms', 'every-7-ms', 'often', catalog.allIntervalsName])
      expect(catalog.isObsoleteSchedule(name)).toBe(false);
  });

  it('do not matter to a job that was asked for', () => {
    expect(catalog.definitionNamesOf({ name: 'seldom', dueAtMs: 1 })).toEqual(['seldom']);
  });

  it('need not be multiples of the shortest', () => {
    const odd = new JobCatalog([often, defineSweep({ name: 'odd', everyMs: 7_000 })]);
    const ran = Array.from({ length: 84 }, (_unused, at) => (at + 1) * 5_000).filter((at) =>
      odd.definitionNamesOf({ name: odd.tickName, dueAtMs: at }, at).includes('odd'),
    );
    expect(ran).toHaveLength(60);
    expect(ran.slice(0, 5)).toEqual([10_000, 15_000, 25_000, 30_000, 35_000]);
  });
});
