/** A part of a search: words, which may also be part of a number. */
export interface CallSearchPart {
  readonly words: string;
  /** Digits that numbers are searched for; null where the part is words alone. */
  readonly digits: string | null;
}

/** Fewer digits are in too many numbers. */
const MIN_DIGITS = 4;
/** Longer than any number. */
const MAX_DIGITS = 32;
/** Zeros before a number that is dialled at home or abroad, which calls do not hold. */
const DIALLED_ZEROS = /^0+/;
/** With fewer digits, zeros may be in the middle of a number. */
const WHOLE_NUMBER_DIGITS = 8;
/** Digits, and what people write between them. */
const PART_OF_NUMBER = /^[\d+().-]*$/;

/**
 * Divides a search into parts that a call must all have. Neighbouring pieces that are written as phone numbers are (`+55 (11)
 * 99876`) are one part.
 */
export function callSearchParts(search: string): readonly CallSearchPart[] {
  const written = search
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/[\p{Pd}\u2212]/gu, '-');
  const groups: { isNumber: boolean; words: string[] }[] = [];
  for (const word of written.split(/\s+/u).filter((each) => each !== '')) {
    const isNumber = PART_OF_NUMBER.test(word);
    const last = groups.at(-1);
    if (last?.isNumber === isNumber) last.words.push(word);
    else groups.push({ isNumber, words: [word] });
  }
  return groups
    .map(({ isNumber, words }) => ({ words: words.join(' '), digits: isNumber ? digitsIn(words) : null }))
    .filter(({ words }) => /[\p{L}\p{N}]/u.test(words));
}

function digitsIn(words: readonly string[]): string | null {
  const written = words.join('').replace(/\D/g, '');
  const dialled = written.replace(DIALLED_ZEROS, '');
  const digits = dialled.length < WHOLE_NUMBER_DIGITS ? written : dialled;
  return digits.length < MIN_DIGITS || digits.length > MAX_DIGITS ? null : digits;
}
