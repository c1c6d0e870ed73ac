import { describe, expect, it } from '@jest/globals';
import { Fillers, toneOf } from './fillers.js';

describe('toneOf', () => {
  it.each([
    ['A que horas vocês abrem?', 'question'],
    ['quando posso ir aí', 'question'],
    ['How much is it', 'question'],
    ['O aparelho não funciona.', 'negative'],
    ['I want to cancel my order.', 'negative'],
    ['Muito obrigada, perfeito!', 'positive'],
    ['¡Genial!', 'positive'],
    ['Meu nome é Ana.', 'neutral'],
    ['', 'neutral'],
  ])('hears the tone of %j', (words, tone) => {
    expect(toneOf(words)).toBe(tone);
  });
});

describe('Fillers', () => {
  it('takes the phrases of a tone in turn, and none where there are none', () => {
    const fillers = new Fillers({
      positive: [],
      negative: [],
      question: ['Vejamos.'],
      neutral: ['Certo.', 'Entendi.'],
    });
    const said = ['Eu sou a Ana.', 'Moro aqui.', 'E aqui.'].map((words) => fillers.next(words));
    expect(said).toEqual(['Certo.', 'Entendi.', 'Certo.']);
    expect(fillers.next('Obrigado!')).toBeNull();
    expect(fillers.all).toEqual(['Vejamos.', 'Certo.', 'Entendi.']);
  });
});
