import { describe, expect, it } from '@jest/globals';
import { type AnswerFault, type LookupAnswer, parseAnswer } from './lookup-answer.js';

const NOTHING: LookupAnswer = {
  variables: {},
  assistantId: null,
  initialMessage: null,
  action: null,
  phoneNumber: null,
};

const parsed = (value: unknown) => parseAnswer(JSON.stringify(value));
const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth);

describe('the answer of a lookup', () => {
  it.each<[string, object, Partial<LookupAnswer>]>([
    [
      'all keys',
      { variables: { name: 'Ana' }, initial_message: 'Oi, {{name}}!' },
      {
        variables: { name: 'Ana' },
        initialMessage: 'Oi, {{name}}!',
      },
    ],
    ['another assistant', { assistant_id: 9 }, { assistantId: 9 }],
    ['a refusal', { action: 'reject' }, { action: 'reject' }],
    [
      'a forward, with the number as it is written',
      { action: 'forward', phone_number: '+55 (11) 3000-0009' },
      {
        action: 'forward',
        phoneNumber: '+551130000009',
      },
    ],
    [
      'an object without known keys, as variables',
      { name: 'Ana', tags: ['a', { b: null }] },
      {
        variables: { name: 'Ana', tags: ['a', { b: null }] },
      },
    ],
    ['an empty object', {}, {}],
    [
      'other keys next to known ones, which are ignored',
      { variables: { a: 1 }, name: 'Ana' },
      {
        variables: { a: 1 },
      },
    ],
    [
      'known keys that are null',
      {
        variables: null,
        assistant_id: null,
        initial_message: null,
        action: null,
        phone_number: null,
        name: 'x',
      },
      {},
    ],
    ['a blank initial message, which is that of the assistant', { initial_message: ' \n' }, {}],
    [
      'the longest initial message',
      { initial_message: 'a'.repeat(1_000) },
      { initialMessage: 'a'.repeat(1_000) },
    ],
  ])('may have %s', (_what, sent, expected) => {
    expect(parsed(sent)).toEqual({ answer: { ...NOTHING, ...expected } });
  });

  it.each<[string, string, AnswerFault]>([
    ['nothing', '', 'not_json'],
    ['text', 'who?', 'not_json'],
    ['half of an object', '{"name": "A', 'not_json'],
    ['an object and more', '{} {}', 'not_json'],
    ['HTML', '<html></html>', 'not_json'],
    ['a list', '[{"name": "Ana"}]', 'not_object'],
    ['null', 'null', 'not_object'],
    ['a text of JSON', '"Ana"', 'not_object'],
    ['a number', '12345678901234567890', 'not_object'],
    ['variables that are a list', '{"variables": ["Ana"]}', 'not_object'],
    ['variables that are a text', '{"variables": "Ana"}', 'not_object'],
    ['first words that are a number', '{"initial_message": 7}', 'not_object'],
    ['an unknown action', '{"action": "transfer"}', 'not_object'],
    ['an action that is inherited', '{"action": "constructor"}', 'not_object'],
    ['first words that are too long', JSON.stringify({ initial_message: 'a'.repeat(1_001) }), 'too_large'],
    ['an assistant by name', '{"assistant_id": "Ana"}', 'unknown_assistant'],
    ['an assistant by a text of digits', '{"assistant_id": "9"}', 'unknown_assistant'],
    ['an assistant between two', '{"assistant_id": 1.5}', 'unknown_assistant'],
    ['assistant 0', '{"assistant_id": 0}', 'unknown_assistant'],
    ['an assistant beyond all ids', '{"assistant_id": 2147483648}', 'unknown_assistant'],
    ['an assistant beyond all numbers', '{"assistant_id": 99999999999999999999}', 'unknown_assistant'],
    ['a forward without a number', '{"action": "forward"}', 'bad_phone_number'],
    ['a forward to null', '{"action": "forward", "phone_number": null}', 'bad_phone_number'],
    ['a number of no country', '{"phone_number": "11 3000-0009"}', 'bad_phone_number'],
    ['a number that is none', '{"phone_number": "+55"}', 'bad_phone_number'],
    ['a number with an extension', '{"phone_number": "+551130000009 ext. 4"}', 'bad_phone_number'],
    ['a number that is a number', '{"phone_number": 551130000009}', 'bad_phone_number'],
  ])('is dropped as a whole for %s', (_what, body, fault) => {
    expect(parseAnswer(body)).toEqual({ fault });
  });

  it('is dropped for one fault, whatever else it has', () => {
    expect(parsed({ variables: { name: 'Ana' }, initial_message: 'Oi!', action: 'sing' })).toEqual({
      fault: 'not_object',
    });
  });

  it.each([
    ['objects', `{"a":${nested(10_000, '{"a":', '}').replace(':}', ':1}')}}`],
    ['lists', `{"a":${nested(30_000, '[', ']')}}`],
    ['lists with a long number, which another reader reads', `{"n":1.5e300,"a":${nested(30_000, '[', ']')}}`],
  ])('that nests %s beyond the stack is dropped', (_what, body) => {
    expect(parseAnswer(body)).toEqual({ fault: expect.stringMatching(/^not_(json|object)$/) });
  });

  it('may nest 31 levels below its variables', () => {
    expect(parseAnswer(`{"a":${nested(31, '[', ']')}}`)).toHaveProperty('answer');
    expect(parseAnswer(`{"a":${nested(32, '[', ']')}}`)).toEqual({ fault: 'not_object' });
  });

  it('keeps names that objects have from their prototype, as plain values', () => {
    const result = parseAnswer('{"__proto__": {"polluted": true}, "constructor": "x", "toString": 1}');
    const { variables } = (result as { answer: LookupAnswer }).answer;
    expect(Object.keys(variables)).toEqual(['__proto__', 'constructor', 'toString']);
    expect(Object.getPrototypeOf(variables)).toBe(Object.prototype);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('does not take inherited keys for sent ones', () => {
    expect(parseAnswer('{"__proto__": {"action": "reject"}}')).toMatchObject({ answer: { action: null } });
  });

  it('has no text that PostgreSQL refuses', () => {
    const result = parseAnswer(
      String.raw`{"variables":{"a\u0000b":"x\u0000\ud800y"},"initial_message":"Oi\u0000!"}`,
    );
    expect(result).toEqual({
      answer: { ...NOTHING, variables: { ab: 'x\uFFFDy' }, initialMessage: 'Oi!' },
    });
  });

  it('keeps the digits of numbers that are longer than a double', () => {
    expect(parseAnswer('{"account": 12345678901234567890}')).toMatchObject({
      answer: { variables: { account: '12345678901234567890' } },
    });
  });
});
