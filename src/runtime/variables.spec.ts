import { describe, expect, it } from '@jest/globals';
import {
  fillPlaceholders,
  mergeVariables,
  placeholdersIn,
  systemVariables,
  textOf,
  withDefaults,
} from './variables.js';

describe('fillPlaceholders', () => {
  it.each([
    ['Hello {{name}}!', 'Hello Ana!'],
    ['Hello {{ name }}!', 'Hello Ana!'],
    ['{{name}}{{name}}', 'AnaAna'],
    ['{{order.id}} and {{order-no}}', '7 and 8'],
    ['Hello {{unknown}}!', 'Hello !'],
    ['{name} {{}} {{ }} {{name', '{name} {{}} {{ }} {{name'],
    ['Hello {{ a b }}!', 'Hello !'],
    ['{{{name}}}', '{Ana}'],
    ['{{endereço}}, {{ São_Paulo.1 }}, {{ende\u0301reco}}', 'Rua 1, SP, NFD'],
    ['', ''],
  ])('makes %j into %j', (template, filled) => {
    const portuguese = { endereço: 'Rua 1', 'São_Paulo.1': 'SP', 'ende\u0301reco': 'NFD' };
    const variables = { name: 'Ana', 'order.id': 7, 'order-no': 8, ...portuguese };
    expect(fillPlaceholders(template, variables)).toBe(filled);
  });

  it.each([
    ['{{Nome Completo}}', 'Ana'],
    ['{{ nome_completo }}', 'Ana'],
    ['{{NOME-COMPLETO}}', 'Ana'],
    ['{{nomecompleto}}', 'Ana'],
    ['{{Valor (R$)}}', '1.290,00'],
    ['{{valor_(r$)}}', '1.290,00'],
    ['{{E-mail (principal)}}', 'a@b.example'],
    ['{{CPF/CNPJ}}', '123'],
    ['{{Endereco}}', 'Rua 1'],
    ['{{% desconto}}', '5'],
    ['{{Nº do pedido}}', '9'],
    ['{{# de parcelas}}', '3'],
    ["{{Customer's name}}{{Telefone 2}}", ''],
  ])('fills %s with the column that is meant', (template, filled) => {
    const columns = {
      'Nome Completo': 'Ana',
      'Valor (R$)': '1.290,00',
      'E-mail (principal)': 'a@b.example',
      'CPF/CNPJ': '123',
      ENDEREÇO: 'Rua 1',
      '% desconto': '5',
      'Nº do pedido': '9',
      '# de parcelas': '3',
    };
    expect(fillPlaceholders(template, columns)).toBe(filled);
  });

  it('prefers the name that is spelled alike', () => {
    const variables = { NOME: 'upper', nome: 'lower', Nome: 'title', 'no me': 'apart' };
    expect(fillPlaceholders('{{nome}} {{Nome}} {{NOME}} {{no me}}', variables)).toBe(
      'lower title upper apart',
    );
    expect(fillPlaceholders('{{nOmE}}', { outro: 1, NOME: 'upper', nome: 'lower' })).toBe('upper');
  });

  it.each([
    '{{"name": "x"}}',
    '{{a: 1}}',
    "{{'a'}}",
    '{{#if vip}}',
    '{{/if}}',
    '{{> footer}}',
    '{{a\nb}}',
    '{{<b>}}',
    `{{${'x'.repeat(230)}}}`,
    '{{%}}',
  ])('leaves %j, which is the name of nothing', (text) => {
    expect(fillPlaceholders(text, { a: 1, x: 2 })).toBe(text);
  });

  it('takes time in proportion to the text', () => {
    const begins = performance.now();
    for (const text of ['{{', '{{ ', '{{a', '{{ a'])
      expect(fillPlaceholders(text.repeat(100_000), {})).toBe(text.repeat(100_000));
    expect(performance.now() - begins).toBeLessThan(2_000);
  });

  it('does not look into values for placeholders', () => {
    expect(fillPlaceholders('{{a}}', { a: '{{b}}', b: 'secret' })).toBe('{{b}}');
    expect(fillPlaceholders('{{a}}{{b}}', { a: '{{', b: 'c}}', c: 'secret' })).toBe('{{c}}');
  });

  it('takes replacement patterns in values as plain text', () => {
    expect(fillPlaceholders('x{{a}}y', { a: "$& $1 $` $'" })).toBe("x$& $1 $` $'y");
  });

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'])(
    'knows no variable %s that was not set',
    (name) => {
      expect(fillPlaceholders(`[{{${name}}}]`, {})).toBe('[]');
      expect(fillPlaceholders(`[{{${name}}}]`, mergeVariables({}))).toBe('[]');
    },
  );

  it('stops filling before a value repeated thousands of times fills the memory', () => {
    const filled = fillPlaceholders('{{a}}'.repeat(5_000), { a: 'x'.repeat(100_000) });

    expect(filled).toHaveLength(256 * 1024);
  });
});

describe('textOf', () => {
  it.each([
    [null, ''],
    [undefined, ''],
    [0, '0'],
    [false, 'false'],
    ['text', 'text'],
    [{ a: [1] }, '{"a":[1]}'],
    [['a', 'b'], '["a","b"]'],
  ])('writes %j as %j', (value, text) => {
    expect(textOf(value)).toBe(text);
  });
});

describe('mergeVariables', () => {
  it('lets later sources win and passes over missing ones', () => {
    expect({ ...mergeVariables({ a: 1, b: 1 }, null, { b: 2 }, undefined, { c: 3 }) }).toEqual({
      a: 1,
      b: 2,
      c: 3,
    });
  });

  it('takes __proto__ of a stranger for a name and nothing more', () => {
    const merged = mergeVariables(JSON.parse('{"__proto__": {"admin": "yes"}}') as Record<string, unknown>);

    expect(fillPlaceholders('[{{admin}}][{{__proto__}}]', merged)).toBe('[][{"admin":"yes"}]');
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
  });
});

describe('withDefaults', () => {
  it.each([
    [{ name: 'you' }, { Name: 'Ana' }, { name: 'Ana', Name: 'Ana' }],
    [{ name: 'you' }, { name: 'Ana', Name: 'Bia' }, { name: 'Ana', Name: 'Bia' }],
    [{ nome_completo: 'você' }, { 'Nome Completo': 'Ana' }, { nome_completo: 'Ana', 'Nome Completo': 'Ana' }],
    [{ tone: 'calm' }, { name: 'Ana' }, { tone: 'calm', name: 'Ana' }],
  ])('%j under %j is %j', (defaults, given, merged) => {
    expect({ ...withDefaults(defaults, given) }).toEqual(merged);
  });
});

describe('placeholdersIn', () => {
  it('names each variable once, as it is spelled first', () => {
    const text = 'Olá {{Nome Completo}}, {{ nome }}, {{nome}} {{#if a}} {{"x": 1}} {{Valor (R$)}}';
    expect(placeholdersIn(text)).toEqual(['Nome Completo', 'nome', 'Valor (R$)']);
  });
});

describe('systemVariables', () => {
  const now = new Date('2026-03-01T01:30:00Z');

  it("tells date and time in the assistant's time zone", () => {
    const variables = systemVariables({
      assistantId: 5,
      assistantName: 'Bia',
      timezone: 'America/Sao_Paulo',
      now,
    });

    expect(variables).toEqual({
      customer_phone: '',
      assistant_phone: '',
      assistant_id: 5,
      assistant_name: 'Bia',
      current_date: '2026-02-28',
      current_time: '22:30',
    });
  });
});
