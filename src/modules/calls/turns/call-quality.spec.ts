import { describe, expect, it } from '@jest/globals';
import { qualityOf } from './call-quality.js';

const turn = (atMs: number, responseMs: number) => {
  const parts = { endpointingMs: 300.4, recognitionMs: null, modelMs: 99.6, synthesisMs: 50, platformMs: 10 };
  return { atMs, responseMs, ...parts };
};

const NOTHING_IGNORED = { noise: 0, backchannel: 0 };

describe('the quality of a call', () => {
  it('is nothing where nothing was measured', () => {
    expect(qualityOf([])).toBeNull();
  });

  it('counts the words that were no turn of the customer', () => {
    expect(qualityOf([], { noise: 2, backchannel: 0 })).toEqual({
      response_ms: null,
      ignored_noise: 2,
      turns: [],
    });
    expect(qualityOf([turn(0, 500)], { noise: 0, backchannel: 3 })).toMatchObject({
      response_ms: { p50: 500 },
      ignored_backchannels: 3,
    });
    expect(qualityOf([turn(0, 500)])).not.toHaveProperty('ignored_noise');
  });

  it('has how late the sound was, also where the customer never waited', () => {
    const late = { lateMs: 1_240, maxLateMs: 380, gapMs: 60 };
    const inTime = { lateMs: 0, maxLateMs: 0, gapMs: 0 };
    const lateness = { late_ms: 1_240, max_late_ms: 380, gap_ms: 60 };
    expect(qualityOf([turn(0, 500)], NOTHING_IGNORED, late)).toMatchObject({
      response_ms: { max: 500 },
      lateness,
    });
    expect(qualityOf([], NOTHING_IGNORED, late)).toEqual({ response_ms: null, lateness, turns: [] });
    expect(qualityOf([turn(0, 500)], NOTHING_IGNORED, inTime)?.lateness).toEqual({
      late_ms: 0,
      max_late_ms: 0,
      gap_ms: 0,
    });
    expect(qualityOf([], NOTHING_IGNORED, inTime)).toBeNull();
  });

  it('is what the customer waited for each answer, and how long for most of them', () => {
    const waits = [500.2, 400, 900, 450, 480, 410, 430, 470, 460, 490];
    const quality = qualityOf(waits.map((ms, at) => turn(at * 5_000, ms)));
    expect(quality?.response_ms).toEqual({ p50: 460, p95: 900, max: 900 });
    expect(quality?.turns).toHaveLength(10);
    expect(quality?.turns[0]).toEqual({
      at_ms: 0,
      response_ms: 500,
      endpointing_ms: 300,
      recognition_ms: null,
      model_ms: 100,
      synthesis_ms: 50,
      platform_ms: 10,
    });
  });
});
