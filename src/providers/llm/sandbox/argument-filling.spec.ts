import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { ToolDefinition } from '../chat-model.js';
import { fillArguments } from './argument-filling.js';
import type { Language } from './language.js';

type Schema = Record<string, { type: string; description?: string; enum?: string[] }>;

function tool(
  properties: Schema,
  required = Object.keys(properties),
  name = 'registrar_dados',
): ToolDefinition {
  return { name, description: 'Registra os dados', parameters: { type: 'object', properties, required } };
}

function fill(properties: Schema, message: string, language: Language = 'pt'): Record<string, unknown> {
  return fillArguments(tool(properties), message, language).values;
}

describe('filling a string', () => {
  it.each([
    [
      'quoted text',
      { titulo: { type: 'string' } },
      'crie com "Bolo de milho" hoje',
      { titulo: 'Bolo de milho' },
    ],
    [
      'what follows its name',
      { nome: { type: 'string' } },
      'meu nome é João da Silva, obrigado',
      { nome: 'João da Silva' },
    ],
    [
      'what follows a word of its description',
      { city: { type: 'string', description: 'Cidade de entrega' } },
      'a cidade é Rio de Janeiro e o resto depois',
      { city: 'Rio de Janeiro' },
    ],
    [
      'all that a colon announces',
      { endereco: { type: 'string' } },
      'endereço: Rua do Sol e da Lua',
      { endereco: 'Rua do Sol e da Lua' },
    ],
    [
      'an address',
      { email: { type: 'string' } },
      'escreva para ana.b+x@exemplo.com.br.',
      { email: 'ana.b+x@exemplo.com.br' },
    ],
    [
      'a phone number',
      { telefone: { type: 'string' } },
      'ligue +55 (11) 98765-4321 já',
      { telefone: '+5511987654321' },
    ],
    [
      'a code with digits',
      { order_id: { type: 'string', description: 'The order' } },
      'where is order AB-123 now?',
      { order_id: 'AB-123' },
    ],
    ['a date', { data: { type: 'string' } }, 'quero para 12 de maio', { data: '12 de maio' }],
    [
      'date and time apart',
      { data: { type: 'string' }, hora: { type: 'string' } },
      'marque 12/05/2026 às 14:30',
      { data: '12/05/2026', hora: '14:30' },
    ],
    [
      'one of its choices',
      { cor: { type: 'string', enum: ['azul', 'verde'] } },
      'quero o Verde',
      { cor: 'verde' },
    ],
    [
      'the rest of the text',
      { city: { type: 'string' } },
      'por favor, registrar dados de São Paulo',
      { city: 'São Paulo' },
    ],
    ['the whole message for a query', { query: { type: 'string' } }, ' Como pago? ', { query: 'Como pago?' }],
  ] as [string, Schema, string, Record<string, unknown>][])(
    'takes %s',
    (_what, schema, message, expected) => {
      expect(fill(schema, message)).toEqual(expected);
    },
  );

  it('keeps parameters apart whose descriptions share words', () => {
    const schema = {
      name: { type: 'string', description: 'Nome completo' },
      city: { type: 'string', description: 'Nome da cidade' },
    };

    expect(fill(schema, 'Meu nome é Ana Souza, cidade Recife')).toEqual({
      name: 'Ana Souza',
      city: 'Recife',
    });
  });

  it('reads the parameters in whatever order they are said', () => {
    const schema = { nome: { type: 'string' }, cidade: { type: 'string' }, idade: { type: 'integer' } };

    expect(fill(schema, 'cidade Olinda, tenho 30 anos de idade e meu nome é Bia')).toEqual({
      nome: 'Bia',
      cidade: 'Olinda',
      idade: 30,
    });
  });

  it('leaves an optional one out when the text does not speak of it', () => {
    const definition = tool({ cidade: { type: 'string' }, obs: { type: 'string' } }, ['cidade']);

    expect(fillArguments(definition, 'cidade Natal', 'pt')).toEqual({
      values: { cidade: 'Natal' },
      missing: [],
    });
  });

  it('reports a required code or address that is not there, instead of guessing', () => {
    const definition = tool({ codigo: { type: 'string' }, email: { type: 'string' } });
    const { values, missing } = fillArguments(definition, 'registrar dados do João', 'pt');

    expect(values).toEqual({});
    expect(missing.map(({ name }) => name)).toEqual(['codigo', 'email']);
  });
});

describe('filling a number', () => {
  it.each([
    ['R$ 1.234,56', 'pt', 1234.56],
    ['1,234.56 dollars', 'en', 1234.56],
    ['1.500', 'pt', 1500],
    ['1.500', 'en', 1.5],
    ['12,5%', 'pt', 12.5],
    ['-3 graus', 'pt', -3],
    ['quantity 12', 'en', 12],
  ] as const)('reads %s (%s)', (text, language, value) => {
    expect(fill({ valor: { type: 'number' } }, text, language)).toEqual({ valor: value });
  });

  it('prefers the number next to its own word', () => {
    const schema = { quantidade: { type: 'integer' }, preco: { type: 'number' } };

    expect(fill(schema, 'preço 9,90 e quantidade 3')).toEqual({ preco: 9.9, quantidade: 3 });
  });

  it('takes no part of a date, a time or a code for a number', () => {
    expect(fill({ valor: { type: 'number' } }, 'em 12/05 às 14:30 com AB12')).toEqual({});
  });

  it('takes no fraction for an integer', () => {
    expect(fill({ pessoas: { type: 'integer' } }, '2,5 pessoas')).toEqual({});
  });
});

describe('filling a boolean', () => {
  it.each([
    ['é urgente', true],
    ['não é urgente', false],
    ['urgente: sim', true],
    ['urgente? não', false],
    ['yes', true],
    ['sem urgente', false],
  ])('reads "%s" as %s', (message, value) => {
    expect(fill({ urgente: { type: 'boolean' } }, message)).toEqual({ urgente: value });
  });

  it('stays open when the message does not say', () => {
    expect(fill({ urgente: { type: 'boolean' } }, 'registre o pedido')).toEqual({});
  });
});

it('gives every value the type its schema declares, whatever is said', () => {
  const schema: Schema = {
    nome: { type: 'string', description: 'Nome do cliente' },
    codigo: { type: 'string' },
    valor: { type: 'number', description: 'Valor em reais' },
    vezes: { type: 'integer' },
    ativo: { type: 'boolean' },
  };
  const expected: Record<string, string> = {
    nome: 'string',
    codigo: 'string',
    valor: 'number',
    vezes: 'number',
    ativo: 'boolean',
  };
  const word = fc.constantFrom(
    'nome',
    'código',
    'valor',
    'vezes',
    'ativo',
    'não',
    ':',
    '12',
    '3,5',
    'é',
    'Ana',
    ',',
    '"x y"',
    '.',
  );
  const message = fc.oneof(
    fc.array(word).map((words) => words.join(' ')),
    fc.string({ unit: 'grapheme', maxLength: 200 }),
  );
  fc.assert(
    fc.property(message, (text) => {
      const { values, missing } = fillArguments(tool(schema), text, 'pt');
      for (const [name, value] of Object.entries(values)) {
        expect(typeof value).toBe(expected[name]);
        expect(typeof value === 'number' ? Number.isFinite(value) : value !== '').toBe(true);
      }
      expect([...Object.keys(values), ...missing.map(({ name }) => name)].toSorted()).toEqual(
        Object.keys(schema).toSorted(),
      );
    }),
    { numRuns: 500 },
  );
});
