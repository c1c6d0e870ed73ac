import { stt } from '@livekit/agents';
import { describe, expect, it } from '@jest/globals';
import { withWords } from './with-words.js';

const heard = (text: unknown) =>
  ({
    type: stt.SpeechEventType.FINAL_TRANSCRIPT,
    alternatives: [{ text, language: 'pt', startTime: 0, endTime: 0, confidence: 1 }],
  }) as unknown as stt.SpeechEvent;

describe('withWords', () => {
  it.each([['boa tarde'], [''], [undefined]])('hands %j on', (text) => {
    const event = heard(text);
    expect(withWords(event)).toBe(event);
  });

  it('hands on what has no words', () => {
    const event: stt.SpeechEvent = { type: stt.SpeechEventType.START_OF_SPEECH };
    expect(withWords(event)).toBe(event);
  });

  it.each([[5], [{ text: 'nested' }], [['boa', 'tarde']], [true]])('refuses %j', (text) => {
    expect(() => withWords(heard(text))).toThrow('something else than words');
  });

  it('cuts a text that is too long for one utterance', () => {
    expect(withWords(heard('la '.repeat(100_000))).alternatives?.[0].text).toHaveLength(8_000);
  });
});
