import { parsePhoneNumberFromString, type PhoneNumber } from 'libphonenumber-js/max';
import { COSTLY_CODES, type DestinationRules } from '../../config/destination-rules.js';

export type DestinationRefusal = 'country' | 'kind-of-number';

/** The shortest national number of any country that is tried as the beginning of a longer one. */
const MIN_NATIONAL_LENGTH = 4;

/**
 * Why a call may not go to a number; null where it may. What is no number in international form may: a SIP address, an
 * extension or a short number of the country.
 */
export function destinationRefusal(to: string, rules: DestinationRules): DestinationRefusal | null {
  const number = numberOf(to.replace(/^00(?=[1-9])/, '+'));
  if (!number) return isCostlyWithoutPlus(to, rules) ? 'kind-of-number' : null;
  const code = number.countryCallingCode;
  if (isNamed(code, rules)) return null;
  if (isCostly(code)) return 'kind-of-number';
  if (rules.countries.length > 0 && !rules.countries.includes(number.country ?? '')) return 'country';
  const type = number.getType() ?? 'UNKNOWN';
  if (!rules.types.has(type)) return 'kind-of-number';
  return type === 'UNKNOWN' && beginsWithRefused(number, rules) ? 'kind-of-number' : null;
}

function numberOf(text: string): PhoneNumber | undefined {
  return parsePhoneNumberFromString(text, { extract: false });
}

function isNamed(code: string, { serviceCodes }: DestinationRules): boolean {
  return serviceCodes.includes(code);
}

function isCostly(code: string): boolean {
  return COSTLY_CODES.some((costly) => costly === code);
}

/** Carriers may add the plus sign to a number without one. */
function isCostlyWithoutPlus(to: string, rules: DestinationRules): boolean {
  const number = /^\d+$/.test(to) ? numberOf(`+${to}`) : undefined;
  if (!number?.isPossible()) return false;
  const code = number.countryCallingCode;
  return isCostly(code) && !isNamed(code, rules);
}

/** Networks ignore digits after a complete number, so a number of a refused type with more digits reaches the same line. */
function beginsWithRefused({ countryCallingCode, nationalNumber }: PhoneNumber, rules: DestinationRules) {
  for (let length = nationalNumber.length - 1; length >= MIN_NATIONAL_LENGTH; length--) {
    const type = numberOf(`+${countryCallingCode}${nationalNumber.slice(0, length)}`)?.getType();
    if (type !== undefined && !rules.types.has(type)) return true;
  }
  return false;
}
