import { describe, expect, it } from '@jest/globals';
import { languageOf } from './language.js';
import { contentWords, isSameWord, wordsOf } from './words.js';

describe('words', () => {
  it('keep their place in the original while compared without accents and case', () => {
    const text = 'Ação: já!';

    expect(wordsOf(text)).toEqual([
      { folded: 'acao', start: 0, end: 4 },
      { folded: 'ja', start: 6, end: 8 },
    ]);
  });

  it('with content are those beyond grammar and politeness, in both languages', () => {
    expect(contentWords('Por favor, qual é o prazo da minha entrega?')).toEqual(['prazo', 'entrega']);
    expect(contentWords('Could you please tell me where the e-mail went?')).toEqual(['email', 'went']);
  });

  it.each([
    ['pedido', 'pedidos', true],
    ['agendar', 'agendamento', true],
    ['envie', 'enviar', true],
    ['contato', 'contrato', false],
    ['carta', 'carro', false],
    ['123', '1234', false],
  ])('%s and %s are forms of one word: %s', (a, b, same) => {
    expect(isSameWord(a, b)).toBe(same);
  });
});

describe('the language to answer in', () => {
  it.each([
    [['Where is my order?'], '', 'en'],
    [['Onde está meu pedido?'], '', 'pt'],
    [['Where is my order?', '4512'], '', 'en'],
    [['Where is my order?', 'obrigado'], '', 'pt'],
    [['4512'], '', 'pt'],
    [['4512'], 'Always reply in English.', 'en'],
    [['4512'], 'Idioma: inglês', 'en'],
    [['4512'], 'Language: Portuguese, English on request', 'pt'],
  ])('for %j with instructions "%s" is %s', (messages, instructions, language) => {
    expect(languageOf(messages, instructions)).toBe(language);
  });
});
