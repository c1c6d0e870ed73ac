import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ResponseDelayTimer } from './response-delay-timer.js';

/** How long it takes to ask for a moment. */
const MOMENT_MS = 1_000;

describe('ResponseDelayTimer', () => {
  let said: string[];
  let isSilent: boolean;
  let isHeldUp: boolean;
  let isWaitingForTool: boolean;
  let timer: ResponseDelayTimer;

  beforeEach(() => {
    jest.useFakeTimers();
    said = [];
    isSilent = true;
    isHeldUp = false;
    isWaitingForTool = false;
    timer = new ResponseDelayTimer({
      isSilent: () => isSilent,
      isHeldUp: () => isHeldUp,
      isWaitingForTool: () => isWaitingForTool,
      sayFiller: (words) => said.push(`filler for ${words}`),
      sayOneMoment: () => {
        said.push('moment');
        isSilent = false;
        setTimeout(() => (isSilent = true), MOMENT_MS);
      },
      onTimeout: () => said.push('gave up'),
    });
  });
  afterEach(() => {
    timer.end();
    jest.useRealTimers();
  });

  it('says a filler when no answer has come within 350 ms, once', () => {
    timer.customerFinished('Bom dia');
    timer.begin();
    jest.advanceTimersByTime(300);
    expect(said).toEqual([]);
    jest.advanceTimersByTime(2_000);
    expect(said).toEqual(['filler for Bom dia']);
  });

  it('says nothing when the answer comes in time', () => {
    timer.customerFinished('Bom dia');
    timer.begin();
    jest.advanceTimersByTime(300);
    timer.end();
    jest.advanceTimersByTime(60_000);
    expect(said).toEqual([]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('asks for a moment of patience, again and again, and gives up after half a minute', () => {
    timer.begin();
    jest.advanceTimersByTime(40_000);
    expect(said).toEqual([...Array.from({ length: 6 }, () => 'moment'), 'gave up']);
  });

  it('does not give up on a customer who spoke during the wait', () => {
    timer.begin();
    jest.advanceTimersByTime(25_000);
    isHeldUp = true;
    jest.advanceTimersByTime(100);
    isHeldUp = false;
    jest.advanceTimersByTime(25_000);
    expect(said).not.toContain('gave up');
  });

  it('waits for a tool for as long as it takes', () => {
    isWaitingForTool = true;
    timer.begin();
    jest.advanceTimersByTime(120_000);
    expect(said).not.toContain('gave up');
  });

  it('counts only silent time', () => {
    timer.begin();
    jest.advanceTimersByTime(3_000);
    isSilent = false;
    jest.advanceTimersByTime(100);
    isSilent = true;
    jest.advanceTimersByTime(3_000);
    expect(said).toEqual([]);
  });
});
