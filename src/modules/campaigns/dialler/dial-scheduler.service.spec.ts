import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DrainService } from '../../../common/http/connections/drain.service.js';
import type { Logger } from '../../../common/observability/logger.js';
import type { DialClaimsRepository } from './claims/dial-claims.repository.js';
import { DialSchedulerService } from './dial-scheduler.service.js';
import type { DiallerService } from './dialler.service.js';

const SECOND = 1_000;

describe('the beat of the dialler', () => {
  let isRunning: boolean;
  let runs: number;
  let run: () => Promise<void>;
  let errors: number;
  let beat: DialSchedulerService;
  let drain: DrainService;

  beforeEach(() => {
    jest.useFakeTimers();
    [isRunning, runs, errors] = [true, 0, 0];
    run = () => Promise.resolve();
    drain = new DrainService();
    const dialler = { run: () => (runs++, run()) };
    const claims = { isAnyCampaignRunning: () => Promise.resolve(isRunning) };
    beat = new DialSchedulerService(
      dialler as unknown as DiallerService,
      claims as unknown as DialClaimsRepository,
      { error: () => errors++ } as unknown as Logger,
      drain,
    );
  });

  afterEach(() => {
    beat.onModuleDestroy();
    jest.useRealTimers();
  });

  it('dials every second for as long as a campaign runs, however often it is asked to', async () => {
    await beat.run();
    await beat.run();
    expect(runs).toBe(2);
    await jest.advanceTimersByTimeAsync(3 * SECOND);
    expect(runs).toBe(5);
    isRunning = false;
    await jest.advanceTimersByTimeAsync(3 * SECOND);
    expect(runs).toBe(5);
  });

  it('dials nothing while no campaign runs, until one does', async () => {
    isRunning = false;
    await beat.run();
    await jest.advanceTimersByTimeAsync(2 * SECOND);
    expect(runs).toBe(0);
    isRunning = true;
    await beat.run();
    expect(runs).toBe(1);
  });

  it('goes on after a run that failed', async () => {
    await beat.run();
    run = () => Promise.reject(new Error('the database is away'));
    await jest.advanceTimersByTimeAsync(SECOND);
    expect(errors).toBe(1);
    run = () => Promise.resolve();
    await jest.advanceTimersByTimeAsync(SECOND);
    expect(runs).toBe(3);
  });

  it('ends with the process', async () => {
    await beat.run();
    beat.onModuleDestroy();
    await jest.advanceTimersByTimeAsync(2 * SECOND);
    expect(runs).toBe(1);
  });

  it('ends when the process is to stop, while requests are still served', async () => {
    await beat.run();
    drain.leave();
    await jest.advanceTimersByTimeAsync(2 * SECOND);
    expect(runs).toBe(1);
  });
});
