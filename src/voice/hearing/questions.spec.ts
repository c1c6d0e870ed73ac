import { describe, expect, it } from '@jest/globals';
import { asksBetween } from './questions.js';

describe('asksBetween', () => {
  const TEXT = 'Aqui é a Bia. Posso falar com o João? É sobre a consulta.';
  const at = (words: string) => TEXT.indexOf(words);

  it('knows a question from its first word to its end', () => {
    expect(asksBetween(TEXT, 0, at('Bia'))).toBe(false);
    expect(asksBetween(TEXT, 0, at('Posso') + 1)).toBe(true);
    expect(asksBetween(TEXT, at('falar'), at('falar'))).toBe(true);
  });

  it('knows a question that was asked a moment ago, and none that was asked long ago', () => {
    expect(asksBetween(TEXT, at('João'), at('sobre'))).toBe(true);
    expect(asksBetween(TEXT, at('sobre'), TEXT.length)).toBe(false);
  });

  it.each([
    ['Custa 1.500 reais?', 5, true],
    ['Veja em loja.com/p?id=5 e me diga.', 30, false],
    ['Sério?! Que bom.', 2, true],
    ['你好。您要预约吗？', 5, true],
    ['Tudo bem', 3, false],
    ['Qual é o seu nome?\nEu anoto.', 3, true],
  ])('reads %s', (text, place, asks) => {
    expect(asksBetween(text, place, place)).toBe(asks);
  });
});
