import { describe, expect, it } from '@jest/globals';
import { realtimeUsageOf } from './realtime-usage.js';

const details = (cachedTokens: number) => ({ audioTokens: 0, textTokens: 0, imageTokens: 0, cachedTokens });

describe('realtimeUsageOf', () => {
  it('is what the server counted', () => {
    const measure = { inputTokens: 120, inputTokenDetails: details(64), outputTokens: 30 };
    expect(realtimeUsageOf(measure)).toEqual({
      inputTokens: 120,
      cachedInputTokens: 64,
      outputTokens: 30,
    });
  });

  it('is unknown when the provider reported nothing', () => {
    expect(realtimeUsageOf({ inputTokens: 0, inputTokenDetails: details(0), outputTokens: 0 })).toBeNull();
  });
});
