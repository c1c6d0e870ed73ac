import { describe, expect, it } from '@jest/globals';
import {
  checkArguments,
  checkExactArguments,
  parametersSchema,
  type ToolParameterSpec,
} from './tool-arguments.js';

function parameter(extra: Partial<ToolParameterSpec> = {}): ToolParameterSpec {
  return { name: 'value', type: 'string', description: 'A value', required: true, ...extra };
}

/** Out of its prototype-less object, for comparison. */
function argsOf(checked: ReturnType<typeof checkArguments>): unknown {
  return 'args' in checked ? { ...checked.args } : checked;
}

describe('parametersSchema', () => {
  it('describes parameters as a closed JSON Schema object', () => {
    const schema = parametersSchema([
      parameter({ name: 'city' }),
      parameter({ name: 'days', type: 'number', required: false }),
      parameter({ name: 'unit', required: false, options: ['c', 'f'] }),
    ]);

    expect(schema).toEqual({
      type: 'object',
      properties: {
        city: { type: 'string', description: 'A value' },
        days: { type: 'number', description: 'A value' },
        unit: { type: 'string', description: 'A value', enum: ['c', 'f'] },
      },
      required: ['city'],
      additionalProperties: false,
    });
  });
});

describe('checkArguments', () => {
  it.each([
    ['string', 'text', 'text'],
    ['string', 12, '12'],
    ['string', true, 'true'],
    ['number', 1.5, 1.5],
    ['number', ' 42 ', 42],
    ['number', '+1.50', 1.5],
    ['number', '007', 7],
    ['number', '.5', 0.5],
    ['string', '1234567890123456789', '1234567890123456789'],
    ['boolean', false, false],
    ['boolean', 'true', true],
  ] as const)('takes as %s: %j', (type, given, value) => {
    expect(argsOf(checkArguments([parameter({ type })], { value: given }))).toEqual({ value });
  });

  it.each([
    ['string', { a: 1 }],
    ['string', ['a']],
    ['number', 'twelve'],
    ['number', true],
    ['number', Number.NaN],
    ['number', 'Infinity'],
    ['number', '1e999'],
    ['number', '12,5'],
    ['number', '0xffffffffffffffffff'],
    ['boolean', 1],
    ['boolean', 'yes'],
  ] as const)('refuses as %s: %j', (type, given) => {
    expect(checkArguments([parameter({ type })], { value: given })).toEqual({
      problem: `The argument "value" must be a ${type}.`,
    });
  });

  it.each(['9007199254740993', '35261112345678000199550010000012341000012345', '0.12345678901234567890123'])(
    'refuses %s for a tool that calculates, and keeps it for one that hands it on',
    (digits) => {
      const parameters = [parameter({ type: 'number' })];
      expect(checkArguments(parameters, { value: digits })).toEqual({
        problem: 'The argument "value" has more digits than this tool can use.',
      });
      const exact = checkExactArguments(parameters, { value: digits });
      expect('args' in exact && String(exact.args['value'])).toBe(digits);
    },
  );

  it.each(['string', 'number'] as const)('refuses as %s a number that has lost digits already', (type) => {
    expect(checkArguments([parameter({ type })], { value: 2 ** 53 })).toEqual({
      problem: 'The argument "value" has lost digits. Give it as a string with all its digits.',
    });
  });

  it.each([[{}], [{ value: null }], [{ value: '' }]])('misses a required argument in %j', (given) => {
    expect(checkArguments([parameter()], given)).toEqual({ problem: 'The argument "value" is missing.' });
  });

  it('leaves out an optional argument that is not given', () => {
    expect(argsOf(checkArguments([parameter({ required: false })], { value: null }))).toEqual({});
  });

  it('drops what was not declared', () => {
    const given = JSON.parse(
      '{"value":"a","admin":true,"__proto__":{"admin":true},"constructor":"x"}',
    ) as object;

    expect(argsOf(checkArguments([parameter()], given as Record<string, unknown>))).toEqual({ value: 'a' });
  });

  it('does not find an argument in the prototype', () => {
    expect(checkArguments([parameter({ name: 'constructor' })], {})).toEqual({
      problem: 'The argument "constructor" is missing.',
    });
  });

  it('takes __proto__ for a name like any other when it is declared', () => {
    const checked = checkArguments([parameter({ name: '__proto__' })], JSON.parse('{"__proto__":"x"}'));

    expect('args' in checked && Object.entries(checked.args)).toEqual([['__proto__', 'x']]);
  });

  it('takes one of the options and nothing else', () => {
    const parameters = [parameter({ options: ['red', 'blue'] })];

    expect(argsOf(checkArguments(parameters, { value: 'red' }))).toEqual({ value: 'red' });
    expect(checkArguments(parameters, { value: 'green' })).toEqual({
      problem: 'The argument "value" must be one of: red, blue.',
    });
  });

  it('refuses text of more than 4,096 characters', () => {
    expect(argsOf(checkArguments([parameter()], { value: 'x'.repeat(4_096) }))).toHaveProperty('value');
    expect(checkArguments([parameter()], { value: 'x'.repeat(4_097) })).toHaveProperty('problem');
  });
});
