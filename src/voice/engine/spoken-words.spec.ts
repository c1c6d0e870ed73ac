import { voice } from '@livekit/agents';
import { describe, expect, it } from '@jest/globals';
import { SpokenWords } from './spoken-words.js';

const SENTENCE = 'Claro, posso marcar a consulta para amanhã às três.';

function words(...chunks: readonly (string | voice.TimedString)[]): SpokenWords {
  const spoken = new SpokenWords();
  for (const chunk of chunks) spoken.add(chunk);
  return spoken;
}

describe('SpokenWords', () => {
  it('counts all words as heard at the end of the sound, and none before its beginning', () => {
    expect(words('Claro, ', 'posso ajudar. ').heard(2, 2, true)).toBe('Claro, posso ajudar.');
    expect(words(SENTENCE).heard(0, 3, true)).toBe('');
  });

  it('cuts at the share of the sound that was heard, after a whole word', () => {
    expect(words(SENTENCE).heard(1, 4, true)).toBe('Claro, posso');
    expect(words(SENTENCE).heard(2, 4, true)).toBe('Claro, posso marcar a');
    expect(words(SENTENCE).heard(0.05, 4, true)).toBe('');
  });

  it('reckons with the pace of a voice while sound is still being made', () => {
    expect(words(SENTENCE).heard(1.5, 2, false)).toBe('Claro, posso marcar a');
    expect(words(SENTENCE).heard(60, 61, false)).toBe(SENTENCE);
  });

  it('reckons with it as well where the sound was cut off and does not cover the words', () => {
    const cutOff = words(SENTENCE, voice.createTimedString({ text: '', startTime: Infinity }));
    expect(cutOff.heard(1.5, 1.5, true)).toBe('Claro, posso marcar a');
    expect(cutOff.heard(4, 4, true)).toBe(SENTENCE);
  });

  it('uses the times of the words where the voice tells them', () => {
    const timed = (text: string, startTime: number) => voice.createTimedString({ text, startTime });
    const sentences = words(timed('Um. ', 0), timed('Dois três quatro. ', 1), timed('Cinco.', 3));
    expect(sentences.heard(0.9, 4, true)).toBe('Um.');
    expect(sentences.heard(2.1, 4, true)).toBe('Um. Dois três');
    expect(sentences.heard(3.1, 4, false)).toBe('Um. Dois três quatro.');
  });
});
