import { describe, expect, it } from '@jest/globals';
import { isCallingHour } from './calling-hours.js';

const SAO_PAULO = '+5511987654321';
const ACRE = '+5568987654321';
const NEW_YORK = '+12125550123';
const BERLIN = '+4930901820';

describe('calling hours', () => {
  it.each([
    ['Brazil at 09:00 on a Monday', SAO_PAULO, '2026-11-16T09:00:00-03:00', true],
    ['Brazil at 08:59', SAO_PAULO, '2026-11-16T08:59:59-03:00', false],
    ['Brazil at 17:59', SAO_PAULO, '2026-11-16T17:59:59-03:00', true],
    ['Brazil at 18:00', SAO_PAULO, '2026-11-16T18:00:00-03:00', false],
    ['Brazil on a Saturday', SAO_PAULO, '2026-11-21T12:00:00-03:00', false],
    ['Acre when it is 09:00 in São Paulo and 07:00 there', ACRE, '2026-11-16T09:00:00-03:00', false],
    ['Acre at its own 17:59', ACRE, '2026-11-16T17:59:00-05:00', true],
    ['the USA at 08:30 in New York, still night in Honolulu', NEW_YORK, '2026-11-16T08:30:00-05:00', false],
    ['the USA at 14:00 in New York, 09:00 in Honolulu', NEW_YORK, '2026-11-16T14:00:00-05:00', true],
    ['the USA after 20:00 in New York', NEW_YORK, '2026-11-16T20:01:00-05:00', false],
    ['Germany before the clocks change, 09:00 there', BERLIN, '2026-10-23T07:00:00Z', true],
    ['Germany after the clocks changed, 08:00 there', BERLIN, '2026-10-26T07:00:00Z', false],
    [
      'the USA at 12:30 on a Saturday in New York, 07:30 in Honolulu',
      NEW_YORK,
      '2026-11-21T12:30:00-05:00',
      false,
    ],
    [
      'the USA at 13:00 on a Saturday in New York, 08:00 in Honolulu',
      NEW_YORK,
      '2026-11-21T13:00:00-05:00',
      true,
    ],
    [
      'the USA at 17:00 on a Sunday in New York, 12:00 in Honolulu',
      NEW_YORK,
      '2026-11-22T17:00:00-05:00',
      true,
    ],
    [
      'the USA at 16:59 on a Sunday in New York, 11:59 in Honolulu',
      NEW_YORK,
      '2026-11-22T16:59:59-05:00',
      false,
    ],
    ['the USA at 20:00 on a Sunday in New York', NEW_YORK, '2026-11-22T20:00:00-05:00', false],
    ['Germany on a Saturday', BERLIN, '2026-11-21T12:00:00+01:00', false],
    ['a number of no country', '+999123456789', '2026-11-16T12:00:00Z', false],
    ['Kosovo, of whose time zone the calendar knows nothing', '+38343201234', '2026-11-16T12:00:00Z', false],
  ])('judge %s', (_case, phoneNumber, now, allowed) => {
    expect(isCallingHour(phoneNumber, new Date(now))).toBe(allowed);
  });

  it.each([
    [65, 'Mato Grosso', '-04:00'],
    [66, 'Mato Grosso', '-04:00'],
    [67, 'Mato Grosso do Sul', '-04:00'],
    [68, 'Acre', '-05:00'],
    [69, 'Rondônia', '-04:00'],
    [92, 'Amazonas', '-04:00'],
    [95, 'Roraima', '-04:00'],
    [97, 'Amazonas', '-04:00'],
    [91, 'Pará', '-03:00'],
  ])('of the area code %i are those of %s', (areaCode, _state, offset) => {
    const at = (time: string) =>
      isCallingHour(`+55${areaCode}987654321`, new Date(`2026-11-16T${time}${offset}`));
    expect(at('08:59:59')).toBe(false);
    expect(at('09:00:00')).toBe(true);
  });
});
