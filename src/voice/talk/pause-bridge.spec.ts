import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { PauseBridge } from './pause-bridge.js';

describe('PauseBridge', () => {
  let said: string[];
  let isSilent: boolean;
  let isWaitingForTool: boolean;
  let bridge: PauseBridge;

  beforeEach(() => {
    jest.useFakeTimers();
    said = [];
    isSilent = true;
    isWaitingForTool = false;
    bridge = new PauseBridge({
      isSilent: () => isSilent,
      isWaitingForTool: () => isWaitingForTool,
      sayFiller: (words) => said.push(`filler for ${words}`),
      sayOneMoment: () => said.push('moment'),
      giveUp: () => said.push('gave up'),
    });
  });
  afterEach(() => {
    bridge.end();
    jest.useRealTimers();
  });

  it('says a filler when no answer has come within 350 ms, once', () => {
    bridge.customerFinished('Bom dia');
    bridge.begin();
    jest.advanceTimersByTime(300);
    expect(said).toEqual([]);
    jest.advanceTimersByTime(2_000);
    expect(said).toEqual(['filler for Bom dia']);
  });

  it('says nothing when the answer comes in time', () => {
    bridge.customerFinished('Bom dia');
    bridge.begin();
    jest.advanceTimersByTime(300);
    bridge.end();
    jest.advanceTimersByTime(60_000);
    expect(said).toEqual([]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('asks for a moment of patience, again and again, and gives up after half a minute', () => {
    bridge.begin();
    jest.advanceTimersByTime(40_000);
    expect(said).toEqual([...Array.from({ length: 8 }, () => 'moment'), 'gave up']);
  });

  it('waits for a tool for as long as it takes', () => {
    isWaitingForTool = true;
    bridge.begin();
    jest.advanceTimersByTime(120_000);
    expect(said).not.toContain('gave up');
  });

  it('counts only the time in which nobody is heard', () => {
    bridge.begin();
    jest.advanceTimersByTime(3_000);
    isSilent = false;
    jest.advanceTimersByTime(100);
    isSilent = true;
    jest.advanceTimersByTime(3_000);
    expect(said).toEqual([]);
  });
});
