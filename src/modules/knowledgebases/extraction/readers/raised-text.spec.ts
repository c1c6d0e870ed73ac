import { describe, expect, it } from '@jest/globals';
import { addRaised, flatFractions } from './raised-text.js';

const raise = (before: string, text: string, isWeak = false, decimalMark: ',' | '.' = ',') =>
  addRaised({ before, text, isWeak, decimalMark });

describe('raised text', () => {
  it.each([
    ['R$ 49', '95', 'R$ 49,95'],
    ['a partir de R$1.049', '00', 'a partir de R$1.049,00'],
    ['R$ 12 ', '50', 'R$ 12,50'],
    ['€ 8', '99', '€ 8,99'],
    ['US$ 2,499', '90', 'US$ 2,499.90'],
    ['£5', '50', '£5.50'],
    ['2.999', '90', '2.999,90'],
    ['139', '90', '139,90'],
    ['R$ 49', ',95', 'R$ 49,95'],
    ['R$ 49,', '95', 'R$ 49,95'],
  ])('is the cents of a price after %s', (before, text, expected) => {
    expect(raise(before, text)).toBe(expected);
  });

  it('takes the mark of the language for a currency of several countries', () => {
    expect(raise('$ 19', '99', false, '.')).toBe('$ 19.99');
    expect(raise('$ 19', '99', false, ',')).toBe('$ 19,99');
  });

  it.each([
    ['área de 40 m', '2', 'área de 40 m²'],
    ['2,5 m', '3', '2,5 m³'],
    ['10', '12', '10¹²'],
    ['10', '-6', '10⁻⁶'],
    ['garantia', '1', 'garantia¹'],
    ['em 2024', '11', 'em 2024¹¹'],
    ['n', 'o', 'nº'],
    ['3', 'a', '3ª'],
    ['21', 'st', '21st'],
    ['Marca', 'TM', 'Marca™'],
    ['Preço', 'novo', 'Preço novo'],
    ['', 'R$', 'R$'],
  ])('after %s is not the cents of a price', (before, text, expected) => {
    expect(raise(before, text)).toBe(expected);
  });

  it('is cents in a link or in small letters only after a currency', () => {
    expect(raise('R$ 7', '90', true)).toBe('R$ 7,90');
    expect(raise('Sala 7', '90', true)).toBe('Sala 7⁹⁰');
    expect(raise('Sala 7 ', 'fundos', true)).toBe('Sala 7 fundos');
  });
});

it('writes fractions as numbers', () => {
  expect(flatFractions('2¹/2 xícaras, ³⁄4 de hora, km/h')).toBe('2 1/2 xícaras, 3/4 de hora, km/h');
});
