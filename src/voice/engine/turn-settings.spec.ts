import { inference, initializeLogger } from '@livekit/agents';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { turnOptions } from './turn-settings.js';

const SETTINGS = {
  mode: 'pipeline',
  realtime: null,
  interruptions: { allowed: true, minDurationMs: 500, minWords: null, ignoreBackchannels: true },
  endpointing: { type: 'vad', minDelayMs: 500 },
} as const;

const detector = () => new inference.VAD({ minSilenceDuration: 250 });

describe('turnOptions', () => {
  beforeAll(() => initializeLogger({ pretty: false, level: 'silent' }));

  it('hands on what the customer has set', () => {
    const { turnHandling } = turnOptions(
      {
        ...SETTINGS,
        interruptions: { allowed: false, minDurationMs: 1_250, minWords: 3, ignoreBackchannels: true },
        endpointing: { type: 'vad', minDelayMs: 700 },
      },
      false,
      detector,
    );
    expect(turnHandling).toMatchObject({
      turnDetection: 'vad',
      endpointing: { minDelay: 700 },
      interruption: { enabled: false, mode: 'vad', minDuration: 1_250, minWords: 3 },
    });
  });

  it('never waits for less than the customer wants', () => {
    const { turnHandling } = turnOptions(
      { ...SETTINGS, endpointing: { type: 'vad', minDelayMs: 5_000 } },
      false,
      detector,
    );
    expect(turnHandling).toMatchObject({ endpointing: { minDelay: 5_000, maxDelay: 5_000 } });
  });

  it('leaves nothing to defaults that would ignore the customer', () => {
    const options = turnOptions(SETTINGS, false, detector);
    expect(options).toMatchObject({ aecWarmupDuration: null, userAwayTimeout: null });
    expect(options.vad).toBeInstanceOf(inference.VAD);
  });

  it('has the end of a turn judged by its sound where the assistant is set so', () => {
    const { turnHandling } = turnOptions(
      { ...SETTINGS, endpointing: { type: 'ai', minDelayMs: 300 } },
      false,
      detector,
    );
    expect(turnHandling?.turnDetection).toBeInstanceOf(inference.TurnDetector);
  });

  it('leaves the turns to a realtime model that finds them, which can always be interrupted', () => {
    const options = turnOptions(
      {
        ...SETTINGS,
        interruptions: { allowed: false, minDurationMs: 500, minWords: null, ignoreBackchannels: true },
      },
      true,
      detector,
    );
    expect(options).toMatchObject({
      vad: null,
      turnHandling: { turnDetection: 'realtime_llm', interruption: { enabled: true } },
    });
  });
});
