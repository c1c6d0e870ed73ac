import { describe, expect, it } from '@jest/globals';
import { addTokens, NO_TOKENS } from './token-sum.js';

describe('addTokens', () => {
  const reported = { inputTokens: 10, cachedInputTokens: 0, outputTokens: 2 };

  it('adds reported tokens, each kind separately', () => {
    const partly = { inputTokens: 5, cachedInputTokens: null, outputTokens: 0 };
    expect(addTokens(addTokens(NO_TOKENS, partly), reported)).toEqual({
      inputTokens: 15,
      cachedInputTokens: 0,
      outputTokens: 2,
    });
  });

  it('distinguishes unreported tokens from zero tokens', () => {
    expect(addTokens(NO_TOKENS, null)).toEqual(NO_TOKENS);
    expect(addTokens(reported, null)).toEqual(reported);
    expect(addTokens(reported, NO_TOKENS)).toEqual(reported);
  });
});
