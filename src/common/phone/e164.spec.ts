import { describe, expect, it } from '@jest/globals';
import { currentForm, formsOf, toDialledE164, toE164 } from './e164.js';

describe('toE164', () => {
  it('keeps a number that is in international form', () => {
    expect(toE164('+5511987654321', 'US')).toBe('+5511987654321');
  });

  it('reads a national number as one of the default country', () => {
    expect(toE164('(11) 98765-4321', 'BR')).toBe('+5511987654321');
    expect(toE164('030 901820', 'DE')).toBe('+4930901820');
  });

  it.each([
    '',
    '   ',
    'abc',
    '+55',
    '123',
    '+5511987654321 ext. 5',
    'tel: 11987654321 Ana',
    'tel:+5511987654321;ext=5',
    '11987654321 / 11987654322',
    '11987654321;11987654322',
    '5.51199E+12',
    '5,51199E+12',
    '="Ana"',
    '1'.repeat(5000),
  ])('refuses %j', (input) => {
    expect(toE164(input, 'BR')).toBeNull();
  });

  it('refuses a national number when the country is not known', () => {
    expect(toE164('11987654321', 'XX')).toBeNull();
  });

  it('reads a number with spaces around it, of up to 40 characters', () => {
    expect(toE164('  +5511987654321 ', 'US')).toBe('+5511987654321');
    const spaced = `+55${' '.repeat(26)}11987654321`;
    expect(spaced).toHaveLength(40);
    expect(toE164(spaced, 'US')).toBe('+5511987654321');
    expect(toE164(spaced.replace(' ', '  '), 'US')).toBeNull();
  });

  it('judges an international number by its length, and a national one by the ranges that are given out', () => {
    // Possible, and of no known range.
    expect(toE164('+5511000000000', 'BR')).toBe('+5511000000000');
    expect(toE164('11000000000', 'BR')).toBeNull();
    // The area code is missing.
    expect(toE164('987654321', 'BR')).toBeNull();
    expect(toE164('11987654321+', 'BR')).toBeNull();
  });

  it.each([
    ['marks of direction', '\u202A+55 11 98765-4321\u202C'],
    ['isolates and a non-breaking hyphen', '\u2066+55 11 98765\u20114321\u2069'],
    ['a zero-width space', '11\u200B98765-4321'],
    ['non-breaking and narrow spaces', '+55\u00A011\u202F98765\u20074321'],
    ['an en dash', '11 98765–4321'],
    ['a minus sign', '11 98765\u22124321'],
    ['full-width digits', '＋５５（１１）９８７６５－４３２１'],
    ['Arabic digits', '٠١١٩٨٧٦٥٤٣٢١'],
    ['an apostrophe', "'+5511987654321"],
    ['a typographic apostrophe', '’11987654321'],
    ['a text formula', '="+5511987654321"'],
    ['a text formula with an apostrophe', '\'="11987654321"'],
    ['a URI', 'tel:+55-11-98765-4321'],
    ['a URI with a context', 'TEL:11987654321;phone-context=+55'],
    ['a messenger', 'whatsapp:+5511987654321'],
    ['brackets around the country code', '(+55) 11 98765-4321'],
    ['the place of an operator code', '(0xx11) 98765-4321'],
    ['an operator code', '0 15 11 98765-4321'],
    ['the prefix of a call abroad', '0055 11 98765-4321'],
    ['a decimal that programs make of it', '11987654321.0'],
    ['an exponent with all digits', '1.1987654321E+10'],
    ['an exponent as Java writes it', '5.511987654321E12'],
    ['an exponent with a comma', '5,511987654321E+12'],
  ])('reads a number with %s', (_what, written) => {
    expect(toE164(written, 'BR')).toBe('+5511987654321');
  });

  it.each([
    ['+54 11 15-2345-6789', 'BR', '+5491123456789'],
    ['+54 9 11 2345-6789', 'BR', '+5491123456789'],
    ['011 15 2345-6789', 'AR', '+5491123456789'],
    ['+54 2345 15 123456', 'BR', '+5492345123456'],
    ['+52 1 55 1234 5678', 'BR', '+525512345678'],
    ['00351 912 345 678', 'BR', '+351912345678'],
    ['001 415 555 2671', 'BR', '+14155552671'],
    ['+44 (0)20 7946 0958', 'BR', '+442079460958'],
  ])('reads %s as %s writes it', (written, country, number) => {
    expect(toE164(written, country)).toBe(number);
  });

  it.each(['11 8765-4321', '+55 11 8765-4321', '551187654321', '(011) 8765-4321', '0 21 11 8765-4321'])(
    'completes a Brazilian mobile number without its ninth digit: %s',
    (written) => {
      expect(toE164(written, 'BR')).toBe('+5511987654321');
    },
  );

  it('leaves numbers of eight digits alone that are no mobile numbers', () => {
    expect(toE164('11 3123-4567', 'BR')).toBe('+551131234567');
    expect(toE164('+55 11 5123-4567', 'BR')).toBe('+551151234567');
    expect(toE164('+1 187 654 3210', 'BR')).not.toContain('9187');
    // There is no area code 20.
    expect(toE164('20 8765-4321', 'BR')).toBeNull();
  });
});

describe('the forms of a number', () => {
  it.each([
    ['+551187654321', '+5511987654321', ['+5511987654321', '+551187654321']],
    ['+5511987654321', '+5511987654321', ['+5511987654321', '+551187654321']],
    ['+551131234567', '+551131234567', ['+551131234567']],
    ['+5215512345678', '+525512345678', ['+525512345678', '+5215512345678']],
    ['+14155552671', '+14155552671', ['+14155552671']],
    ['1001', '1001', ['1001']],
  ])('%s is %s today', (number, current, forms) => {
    expect(currentForm(number)).toBe(current);
    expect(formsOf(number)).toEqual(forms);
  });
});

describe('A number that is to be dialled', () => {
  it.each([
    ['+551187654321', '+551187654321'],
    ['+55 (11) 8765-4321', '+551187654321'],
    ['tel:+5215512345678', '+5215512345678'],
    ['+5511987654321', '+5511987654321'],
    ['11 8765-4321', '+5511987654321'],
    ['551187654321', '+5511987654321'],
  ])('is, written as %s, %s: only a national form is completed', (written, dialled) => {
    expect(toDialledE164(written, 'BR')).toBe(dialled);
  });

  it('is none where nothing can be dialled', () => {
    expect(toDialledE164('+5511', 'BR')).toBeNull();
    expect(toDialledE164('ramal 12', 'BR')).toBeNull();
  });
});
