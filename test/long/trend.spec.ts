import { describe, expect, it } from '@jest/globals';
import { growthOf } from './trend.js';

/** A value a minute, the first third of them a warm-up. */
const series = (...values: number[]) => values.map((value, n) => ({ minutes: n + 1, value }));

describe('the trend of a soak', () => {
  it('is flat when what rises, rises while it warms up', () => {
    expect(growthOf('api heap MB', series(40, 60, 80, 80, 81, 79, 80, 80, 80))).toMatchObject({
      first: 80,
      verdict: 'flat',
    });
  });

  it('tells a steady leak from noise', () => {
    const noisy = series(80, 80, 80, 95, 70, 90, 72, 92, 80);
    const leaking = series(80, 80, 80, 84, 87, 92, 96, 100, 104);

    expect(growthOf('worker heap MB', noisy)).toMatchObject({ verdict: 'flat' });
    expect(growthOf('worker heap MB', leaking)).toMatchObject({ allowed: 10, verdict: 'GROWS' });
  });

  it('lets tables of acknowledged work grow, and others up to their bound', () => {
    const growing = series(0, 500, 1_000, 1_500, 2_000, 2_500);

    expect(growthOf('messages rows', growing)).toMatchObject({ verdict: 'grows with the work' });
    expect(growthOf('call_words rows', growing)).toMatchObject({ verdict: 'grows with the work' });
    expect(growthOf('active_calls rows', growing)).toMatchObject({ verdict: 'GROWS' });
    expect(growthOf('bullmq.job rows', growing)).toMatchObject({ verdict: 'bounded' });
    expect(growthOf('bullmq.job rows', series(1, 20_001))).toMatchObject({ verdict: 'GROWS' });
    expect(growthOf('connections', series(20, 34))).toMatchObject({ verdict: 'GROWS' });
    expect(growthOf('connections', series(20, 34), 3)).toMatchObject({ verdict: 'bounded' });
  });
});
