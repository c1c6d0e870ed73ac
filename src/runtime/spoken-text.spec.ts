import { describe, expect, it } from '@jest/globals';
import { fillSpoken } from './spoken-text.js';

describe('fillSpoken', () => {
  it.each([
    ['Olá, {{nome}}! Tudo bem?', 'Olá! Tudo bem?'],
    ['Olá {{nome}}, tudo bem?', 'Olá, tudo bem?'],
    ['Olá, {{nome}}, tudo bem?', 'Olá, tudo bem?'],
    ['Oi {{nome}} tudo bem?', 'Oi tudo bem?'],
    ['{{nome}}, tudo bem?', 'Tudo bem?'],
    ['{{nome}} {{sobrenome}}, tudo bem?', 'Tudo bem?'],
    ['Bom dia, {{nome}}', 'Bom dia'],
    ['Bom dia, {{nome}} {{sobrenome}}.', 'Bom dia.'],
    ['Falo da {{empresa}} sobre {{assunto}}.', 'Falo da Prosa sobre.'],
    ['({{nome}})', '()'],
    ['{{nome}}', ''],
    ['{{"nome": 1}}, oi', '{{"nome": 1}}, oi'],
    ['Olá!', 'Olá!'],
    ['', ''],
  ])('says %j without a name as %j', (template, spoken) => {
    expect(fillSpoken(template, { empresa: 'Prosa', assunto: ' ' })).toBe(spoken);
  });

  it('changes nothing where every value is there', () => {
    const variables = { nome: 'Ana', a: '1' };
    expect(fillSpoken('Olá,  {{ nome }} ! {{a}}{{Nome}}', variables)).toBe('Olá,  Ana ! 1Ana');
  });

  it('takes time in proportion to the text', () => {
    const begins = performance.now();
    fillSpoken(`${' '.repeat(100_000)}{{x}}`, {});
    fillSpoken('a, {{x}} '.repeat(10_000), {});
    expect(performance.now() - begins).toBeLessThan(1_500);
  });
});
