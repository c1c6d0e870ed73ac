import { foldedName } from '#src/runtime/variable-names.js';

export const PHONE_COLUMN = 'phone_number';
const PHONE_FOLDED = foldedName(PHONE_COLUMN);
const MAX_NAME_LENGTH = 200;

/**
 * Names of columns without what no placeholder can hold; those of empty columns at the end are left out. The column with
 * the numbers to call has its own name in whichever spelling, `Phone Number`, unless another is spelled right.
 */
export function columnNamesIn(header: readonly string[]): string[] {
  const names = header.map(columnName);
  const last = names.findLastIndex((name) => name !== '');
  const isExact = names.some((name) => name.toLowerCase() === PHONE_COLUMN);
  const isPhone = (name: string) => (isExact ? name.toLowerCase() === PHONE_COLUMN : isPhoneColumn(name));
  return names.slice(0, last + 1).map((name) => (isPhone(name) ? PHONE_COLUMN : name));
}

export function isPhoneColumn(name: string): boolean {
  return foldedName(name) === PHONE_FOLDED;
}

function columnName(written: string): string {
  const visible = written.replace(/[\p{Cf}{}]/gu, '').replace(/\s+/gu, ' ');
  return visible.trim().slice(0, MAX_NAME_LENGTH).trim();
}
