import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { callerOf, type CallingFormat } from '../trunk-number.js';
import type { NumberForm } from './number-spellings.js';

const FORMATS: readonly CallingFormat[] = ['+e164', 'e164', 'national'];
const AREAS = [
  11, 12, 13, 14, 15, 16, 17, 18, 19, 21, 22, 24, 27, 28, 31, 32, 33, 34, 35, 37, 38, 41, 42, 43, 44, 45, 46,
  47, 48, 49, 51, 53, 54, 55, 61, 62, 63, 64, 65, 66, 67, 68, 69, 71, 73, 74, 75, 77, 79, 81, 82, 83, 84, 85,
  86, 87, 88, 89, 91, 92, 93, 94, 95, 96, 97, 98, 99,
];

describe('A caller of Brazil', () => {
  const read = (
    written: string,
    callingFormat: CallingFormat = '+e164',
    calledAs: NumberForm | null = null,
  ) => callerOf(written, { callingFormat, countryCode: 'BR', number: '+551130000001' }, calledAs);

  it('has 67 area codes to be of', () => expect(AREAS).toHaveLength(67));

  describe.each(AREAS)('of the area %i', (area) => {
    it.each(['991234567', '987001122', '34567890', '21234567', '50123456'])('and the number %s', (local) => {
      const national = `${area}${local}`;
      for (const format of ['+e164', 'national'] as const) {
        const carriers = ['015', '041', '017', '098'].map((prefix) => prefix + national);
        for (const written of [national, `0${national}`, `55${national}`, `+55${national}`, ...carriers]) {
          expect([written, read(written, format)]).toEqual([written, `+55${national}`]);
        }
      }
      expect(read(national, 'e164', 'national')).toBe(`+55${national}`);
      expect(read(`55${national}`, 'e164')).toBe(`+55${national}`);
    });
  });

  it('is one of another country where the number is written with the country code', () => {
    // Area 49 in Brazil, and Germany.
    expect(read('4930901820', '+e164')).toBe('+554930901820');
    expect(read('4930901820', '+e164', 'national')).toBe('+554930901820');
    expect(read('4930901820', '+e164', 'international')).toBe('+4930901820');
    expect(read('4930901820', 'national', 'international')).toBe('+4930901820');
    expect(read('4930901820', 'e164')).toBe('+4930901820');
    expect(read('4930901820', 'e164', 'national')).toBe('+554930901820');
  });

  it.each([
    ['0055 11 98765-1112', '+5511987651112'],
    ['00155511987651112', '+5511987651112'],
    ['0036351912345678', '+351912345678'],
    ['(11) 98765-1112', '+5511987651112'],
    ['11-98765-1112', '+5511987651112'],
    ['9011987651112', '+5511987651112'],
    ['1187651112', '+5511987651112'],
    ['+011987651112', '+5511987651112'],
    ['+01511987651112', '+5511987651112'],
    ['+00351912345678', '+351912345678'],
    ['5501511987651112', '+5511987651112'],
    ['12125550123', '+12125550123'],
    ['351912345678', '+351912345678'],
    ['08001234567', '+558001234567'],
    ['+4930901820', '+4930901820'],
    ['1001', '1001'],
    ['190', '190'],
    ['32145678', '32145678'],
    // Dialled so from all of Brazil.
    ['40041234', '+5540041234'],
    ['maria', 'maria'],
  ])('is read: %s is %s', (written, number) => expect(read(written)).toBe(number));

  it('is of the area of the trunk where the called number is written without one', () => {
    expect(read('32145678', '+e164', 'local')).toBe('+551132145678');
    expect(read('987651112', '+e164', 'local')).toBe('+5511987651112');
    expect(read('32145678', '+e164', 'national')).toBe('32145678');
    expect(read('1001', '+e164', 'local')).toBe('1001');
  });
});

describe('A caller of another country', () => {
  it.each([
    ['5125550123', 'US', '+15125550123'],
    ['4155550123', 'US', '+14155550123'],
    ['01144 20 7946 0958', 'US', '+442079460958'],
    ['+011442079460958', 'US', '+442079460958'],
    ['612345678', 'ES', '+34612345678'],
    ['5512345678', 'MX', '+525512345678'],
    ['6641234567', 'MX', '+526641234567'],
    ['1123456789', 'AR', '+541123456789'],
    ['0612345678', 'FR', '+33612345678'],
    ['0612345678', 'IT', '+390612345678'],
    ['9157654321', 'RU', '+79157654321'],
    ['810551130000001', 'RU', '+551130000001'],
    ['0412345678', 'AU', '+61412345678'],
    ['9876543210', 'IN', '+919876543210'],
    ['07400123456', 'GB', '+447400123456'],
    ['09012345678', 'JP', '+819012345678'],
    ['0201234567', 'DE', '+49201234567'],
    ['912345678', 'PT', '+351912345678'],
    ['00551130000001', 'PT', '+551130000001'],
  ])('%s on a trunk in %s is %s', (written, countryCode, number) => {
    for (const callingFormat of FORMATS)
      expect(callerOf(written, { callingFormat, countryCode })).toBe(number);
  });

  it('is read by the format of the trunk, where both readings are numbers and nothing else decides', () => {
    // Moscow behind the trunk prefix 8, or Vietnam.
    const russian = (callingFormat: CallingFormat) =>
      callerOf('84951234567', { callingFormat, countryCode: 'RU' });
    expect(FORMATS.map(russian)).toEqual(['+74951234567', '+84951234567', '+74951234567']);
  });

  it('keeps the own country code of the trunk, where both readings are numbers', () => {
    const german = { countryCode: 'DE', callingFormat: 'national' } as const;
    // Berlin with the country code, or the area 04930.
    expect(callerOf('4930123456', german)).toBe('+4930123456');
    expect(callerOf('4930123456', german, 'international')).toBe('+4930123456');
  });
});

describe('A caller without a number', () => {
  const read = (written: string) => callerOf(written, { callingFormat: '+e164', countryCode: 'BR' });

  it.each([
    'Restricted',
    'RESTRICTED',
    'unavailable',
    'Anonymous',
    'anonymous',
    'private',
    'Private-Number',
    'withheld',
    'Unknown',
    'unknown caller',
    'blocked',
    'anônimo',
    'restrito',
    'Privado',
    'no_caller_id',
    'out-of-area',
    '0000000000',
    '+000000000',
    '+5500000000000',
    '+10000000000',
    '+anonymous',
    '+Restricted',
    '+',
    'numero-oculto',
    'número_desconhecido',
    'sem-identificacao',
    'privatecall',
    'restricted_number',
    'number unavailable',
    'no-cli',
    'bloqueado',
    'masqué',
    'sconosciuto',
    'unterdrückt',
    'Rufnummer unterdrueckt',
    'undefined',
    'none',
    '+266696687',
    '+7378742833',
    '',
    '<script>',
    'João Silva',
  ])('is anonymous: %s', (written) => expect(read(written)).toBe('anonymous'));

  it.each([
    '0',
    '000',
    'recepcao',
    'bob.private',
    'unknown2',
    'call',
    'number',
    'nocturne',
    'private.office',
  ])('is not %s, which is an extension', (written) => expect(read(written)).toBe(written));

  it('is the only one whose name is not a number or an extension', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[+0-9().\- ]{0,24}$/)), (written) => {
        expect(read(written)).toMatch(/^(?:\+[1-9]\d{6,14}|[\w*#+.-]{1,32})$/);
      }),
      { numRuns: 500 },
    );
  });
});
