import { describe, expect, it } from '@jest/globals';
import { Phrase, wordsOf } from './phrase.js';

describe('Phrase', () => {
  it.each([
    ['deixe o? recado', 'Deixe o recado!', true],
    ['deixe o? recado', 'deixe recado', true],
    ['deixe o? recado', 'deixe um recado', false],
    ['deix* recado|mensagem', 'deixem mensagem', true],
    ['press # for', 'press 12 for sales', true],
    ['press # for', 'press twelve for sales', false],
    ['voce .. amanha', 'você vem de novo amanhã', true],
    ['voce .. amanha', 'você vem de novo aqui amanhã', false],
    ['nome ...!numero motivo', 'o nome e, por favor, o motivo', true],
    ['nome ...!numero motivo', 'o nome, o número e o motivo', false],
    ['!meu telefone desligado', 'o telefone desligado', true],
    ['!meu telefone desligado', 'meu telefone desligado', false],
    ['aperte um !pouco', 'aperte um', true],
    ['aperte um !pouco', 'aperte um pouco', false],
  ])('"%s" in "%s": %s', (pattern, text, isIn) => {
    expect(new Phrase(pattern).isIn(wordsOf(text))).toBe(isIn);
  });

  it('compares words without accents, apostrophes and punctuation', () => {
    expect(wordsOf('Após o SINAL… l’abonné, größe: 12!')).toEqual([
      'apos',
      'o',
      'sinal',
      'labonne',
      'grosse',
      '12',
    ]);
  });
});
