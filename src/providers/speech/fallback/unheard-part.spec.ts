import { describe, expect, it } from '@jest/globals';
import { unheardPart } from './unheard-part.js';

describe('unheardPart', () => {
  const TEXT = 'Sua consulta está marcada para amanhã às três horas da tarde.';

  it.each([
    [0, TEXT],
    [50, TEXT],
    [2_000, 'marcada para amanhã às três horas da tarde.'],
    [60_000, 'tarde.'],
  ])('after %d ms says the rest from the beginning of a word', (heardMs, rest) => {
    expect(unheardPart(TEXT, heardMs)).toBe(rest);
  });

  it('never leaves a word out', () => {
    for (let ms = 0; ms < 10_000; ms += 37) {
      const rest = unheardPart(TEXT, ms);
      expect(TEXT.endsWith(rest)).toBe(true);
      expect(rest.length).toBeGreaterThan(0);
    }
  });
});
