import { describe, expect, it } from '@jest/globals';
import { pathOfSample, sampleOfPath } from './voice-sample-request.js';

const SAMPLE = {
  userId: 7,
  provider: 'azure',
  voiceCode: 'pt-BR-FranciscaNeural',
  gender: 'female',
  language: 'pt-BR',
  text: 'Olá! Como posso ajudar? a=b&c',
} as const;

describe('the path by which a voice process is asked for a sample', () => {
  it('holds all of it', () => {
    expect(sampleOfPath(pathOfSample(SAMPLE))).toEqual(SAMPLE);
  });

  it.each([
    ['another path', '/calls/7/send?may_dial=true'],
    ['a part that is missing', '/voice-sample?userId=7&provider=azure'],
    ['a text that is longer than any greeting', pathOfSample({ ...SAMPLE, text: 'a'.repeat(201) })],
  ])('is none for %s', (_what, path) => {
    expect(sampleOfPath(path)).toBeNull();
  });
});
