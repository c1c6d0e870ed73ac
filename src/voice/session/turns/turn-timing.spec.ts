import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { TurnMetrics } from '../../../runtime/call/session/assistant-session.js';
import { TurnTiming } from './turn-timing.js';

describe('TurnTiming', () => {
  const reported: TurnMetrics[] = [];
  let timing: TurnTiming;

  beforeEach(() => {
    jest.useFakeTimers({ now: 1_000_000 });
    reported.length = 0;
    timing = new TurnTiming(
      () => Date.now() - 990_000,
      (turn) => reported.push(turn),
    );
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  /** The customer stopped speaking 500 ms ago; the words were there after 200. */
  function turnEnds(): void {
    timing.measured({
      type: 'eou_metrics',
      timestamp: Date.now(),
      lastSpeakingTimeMs: Date.now() - 500,
      endOfUtteranceDelayMs: 500,
      transcriptionDelayMs: 200,
      onUserTurnCompletedDelayMs: 0,
      speechId: 'speech',
    });
  }

  function parts(modelMs: number, synthesisMs: number): void {
    timing.measured({ type: 'llm_metrics', speechId: 'speech', ttftMs: modelMs } as never);
    timing.measured({ type: 'tts_metrics', speechId: 'speech', ttfbMs: synthesisMs } as never);
  }

  it('divides the time a customer waits into its parts', () => {
    turnEnds();
    jest.advanceTimersByTime(400);
    timing.soundStarted();
    parts(250, 120);
    jest.advanceTimersByTime(2_000);
    timing.soundEnded();
    expect(reported).toEqual([
      {
        atMs: 9_500,
        responseMs: 900,
        recognitionMs: 200,
        endpointingMs: 300,
        modelMs: 250,
        synthesisMs: 120,
        platformMs: 30,
      },
    ]);
  });

  it('tells of no turn whose words came without an end of speech that was heard', () => {
    timing.measured({
      type: 'eou_metrics',
      timestamp: Date.now(),
      lastSpeakingTimeMs: 0,
      endOfUtteranceDelayMs: 0,
      transcriptionDelayMs: 0,
      onUserTurnCompletedDelayMs: 0,
      speechId: 'speech',
    });
    timing.soundStarted();
    timing.soundEnded();
    expect(reported).toEqual([]);
  });

  it('counts of a model that began before the turn was over only what was waited for', () => {
    turnEnds();
    jest.advanceTimersByTime(150);
    timing.soundStarted();
    parts(450, 120);
    timing.soundEnded();
    expect(reported).toMatchObject([{ responseMs: 650, modelMs: 30, synthesisMs: 120, platformMs: 0 }]);
  });

  it('says that it does not know a part, and tells of each turn once', () => {
    turnEnds();
    timing.soundStarted();
    timing.soundEnded();
    timing.soundStarted();
    timing.soundEnded();
    expect(reported).toMatchObject([{ responseMs: 500, modelMs: null, synthesisMs: null, platformMs: null }]);
  });

  it('tells nothing of what the assistant says unasked', () => {
    timing.soundStarted();
    timing.soundEnded();
    expect(reported).toEqual([]);
  });
});
