import { describe, expect, it } from '@jest/globals';
import { addTokens, NO_TOKENS } from './token-sum.js';

describe('addTokens', () => {
  const told = { inputTokens: 10, cachedInputTokens: 0, outputTokens: 2 };

  it('adds what was told, each kind apart', () => {
    const partly = { inputTokens: 5, cachedInputTokens: null, outputTokens: 0 };
    expect(addTokens(addTokens(NO_TOKENS, partly), told)).toEqual({
      inputTokens: 15,
      cachedInputTokens: 0,
      outputTokens: 2,
    });
  });

  it('keeps apart what nobody told and what was none', () => {
    expect(addTokens(NO_TOKENS, null)).toEqual(NO_TOKENS);
    expect(addTokens(told, null)).toEqual(told);
    expect(addTokens(told, NO_TOKENS)).toEqual(told);
  });
});
