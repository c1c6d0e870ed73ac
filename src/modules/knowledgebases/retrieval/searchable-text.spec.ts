import { describe, expect, it } from '@jest/globals';
import { searchableText } from './searchable-text.js';

describe('searchableText', () => {
  it.each([
    ['Informação e informações', 'informacao e informacoes'],
    ['É disponível? NÃO!', 'e disponivel? nao!'],
    ['Agência, urgências', 'agencia, urgencias'],
    ['Crème brûlée', 'creme brulee'],
  ])('is the same with accents and without: %s', (accented, plain) => {
    expect(searchableText(accented)).toBe(searchableText(plain));
  });

  it('gives back the accents by which PostgreSQL tells endings and stop words', () => {
    expect(searchableText('informacoes nao disponiveis da agencia')).toBe(
      'informações não disponiveis da agência',
    );
  });

  it('has no word that is too long for the database', () => {
    const words = searchableText('漢'.repeat(5_000)).split(' ');

    expect(words.every((word) => Buffer.byteLength(word) < 2_000)).toBe(true);
    expect(words.join('')).toBe('漢'.repeat(5_000));
  });
});
