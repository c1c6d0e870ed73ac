import { describe, expect, it } from '@jest/globals';
import { positionPhrase } from './queue-phrases.js';

describe('what a waiting caller hears of the position', () => {
  it('is said in the language of the assistant', () => {
    expect(positionPhrase('pt-BR', 1)).toBe('Você é o próximo da fila.');
    expect(positionPhrase('pt-BR', 3)).toBe('Você está na posição 3 da fila.');
    expect(positionPhrase('en', 2)).toBe('You are number 2 in line.');
  });

  it('is not said in a language that we do not know', () => {
    expect(positionPhrase('ja-JP', 1)).toBeNull();
  });
});
