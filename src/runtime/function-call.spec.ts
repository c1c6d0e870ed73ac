import { describe, expect, it } from '@jest/globals';
import { functionCall } from './function-call.js';

describe('functionCall', () => {
  it('keeps an ordinary call as it is', () => {
    const call = {
      name: 'get_order',
      arguments: { id: 7 },
      result: { lines: [{ sku: 'a', n: 1.5, gift: null }] },
    };

    expect(functionCall(call.name, call.arguments, call.result)).toEqual(call);
  });

  it('cuts what is longer than its bound, and says so', () => {
    const { arguments: args, result } = functionCall(
      'f',
      { a: 'x'.repeat(9_000) },
      { b: 'y'.repeat(100_000) },
    );

    expect(args).toEqual({ truncated: true, text: `{"a":"${'x'.repeat(8 * 1024 - 6)}` });
    expect(result).toEqual({ truncated: true, text: `{"b":"${'y'.repeat(16 * 1024 - 6)}` });
  });

  it('takes out the characters that jsonb refuses, from names, keys and values', () => {
    const { name, result } = functionCall('a\0b', {}, { 'k\0': ['v\0', '\ud800'] });

    expect(name).toBe('ab');
    expect(result).toEqual({ k: ['v', '\ufffd'] });
  });

  it('flattens nesting that would overflow the stack of a reader', () => {
    const deep = JSON.parse(`${'['.repeat(8_000)}${']'.repeat(8_000)}`) as unknown;

    expect(JSON.stringify(functionCall('f', {}, { deep }).result)).toMatch(/^\{"deep":\[{31}"…"\]{31}\}$/);
  });
});
