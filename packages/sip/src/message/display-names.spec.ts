import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import {
  joinCutNames,
  parseNameAddress,
  quote,
  repairNameAddress,
  splitOutsideQuotes,
} from './header-values.js';

const URI = 'sip:+5511987650000@host.example;user=phone';

describe('parseNameAddress', () => {
  it.each([
    ['Souza, Ana', 'Souza, Ana'],
    ['ana@empresa.com.br', 'ana@empresa.com.br'],
    ['Ramal 12; Recepção: 2º andar', 'Ramal 12; Recepção: 2º andar'],
    ['"Ana Souza', 'Ana Souza'],
    ['Ana Souza"', 'Ana Souza'],
    ['Ana "Nina" Souza', 'Ana Nina Souza'],
    ['"Ana" Souza', 'Ana Souza'],
    ['"', ''],
    ['Ana \\', 'Ana \\'],
  ])('infers the quotes of %j', (name, displayName) => {
    expect(parseNameAddress(`${name} <${URI}>;tag=1`)).toMatchObject({ displayName, uri: URI });
    expect(parseNameAddress(`${name} < ${URI} > ; tag=1`)?.parameters.get('tag')).toBe('1');
  });

  it.each([
    `"A <${URI}> <sip:b@c>`,
    `A, B <${URI}>, <sip:b@c>`,
    `A, B <${URI}`,
    `A, B ${URI}>`,
    'A, B',
    'A, B <>',
    'A, B <sip:a b@c>',
    `A, B <${URI}> tag=1`,
  ])('does not guess the address of %j', (value) => {
    expect(parseNameAddress(value)).toBeNull();
    expect(repairNameAddress(value)).toBe(value);
  });

  it('leaves what is well-formed as it is', () => {
    for (const value of [`"A, \\"B\\" <c>" <${URI}>`, `A B <${URI}>`, `  ${URI};tag=1`, `<${URI}>`])
      expect(repairNameAddress(value)).toBe(value);
    expect(parseNameAddress(`"A, \\"B\\" <c>" <${URI}>`)?.displayName).toBe('A, "B" <c>');
  });

  it('reads every quoted name, and finds the address behind every unquoted one without brackets', () => {
    const names = fc
      .string({ unit: 'binary', maxLength: 40 })
      .map((text) => text.replaceAll(/[\r\n\0]/g, ' '));
    fc.assert(
      fc.property(names, (name) => {
        const quoted = parseNameAddress(`${quote(name)} <${URI}>;tag=1`);
        expect(Buffer.from(quoted?.displayName ?? '', 'latin1').toString('utf8')).toBe(
          Buffer.from(name).toString(),
        );
        const bare = name.replaceAll(/[<>]/g, '');
        const read = parseNameAddress(`${bare} <${URI}>;tag=1`);
        expect(read?.uri).toBe(URI);
        expect(read?.parameters.get('tag')).toBe('1');
        const repaired = repairNameAddress(`${bare} <${URI}>;tag=1`);
        // What is repaired is well-formed, for others that read it.
        expect(repairNameAddress(repaired)).toBe(repaired);
        expect(parseNameAddress(repaired)).toEqual(read);
      }),
      { numRuns: 500 },
    );
  });
});

describe('joinCutNames', () => {
  it.each([
    ['Souza, Ana <sip:a@b>', ['Souza, Ana <sip:a@b>']],
    ['Souza, Ana, Dr. <sip:a@b>;q=1, <sip:c@d>', ['Souza, Ana, Dr. <sip:a@b>;q=1', '<sip:c@d>']],
    ['<sip:a@b>, sip:c@d;q=0.5, tel:+55, *', ['<sip:a@b>', 'sip:c@d;q=0.5', 'tel:+55', '*']],
    ['"x,y" <sip:a@b>, z', ['"x,y" <sip:a@b>', 'z']],
  ])('makes of %s what was meant', (value, expected) => {
    expect(joinCutNames(splitOutsideQuotes(value, ','))).toEqual(expected);
  });
});
