import type { FillingContext } from './filler.js';
import type { Language } from './language.js';
import type { ToolParameter } from './tool-parameter.js';
import { take, type Taken } from './utterance.js';
import { includesWord, wordsOf } from './words.js';

const NUMERAL = /(?<![\p{L}\d.,/-]|\d:)-?\d+(?:[.,]\d+)*(?![\d/:@]|h(?!\p{L}))/gu;

/** From two on: "um", "uma" and "one" mostly count nothing. */
const SPOKEN: Readonly<Record<string, number>> = {
  dois: 2, duas: 2, tres: 3, quatro: 4, cinco: 5, seis: 6, sete: 7, oito: 8, nove: 9, dez: 10,
  two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10,
}; // prettier-ignore

interface Candidate {
  readonly value: number;
  readonly start: number;
  readonly end: number;
}

/** The number nearest to a word of the parameter, one after it before one ahead of it. */
export function fillNumber(
  parameter: ToolParameter,
  rest: string,
  { language }: FillingContext,
): Taken<number> | null {
  if (parameter.type !== 'number' && parameter.type !== 'integer') return null;
  const candidates = numbersIn(rest, language).filter(
    ({ value }) => parameter.type === 'number' || Number.isInteger(value),
  );
  const labels = wordsOf(rest).filter((word) => includesWord(parameter.hints, word.folded));
  const distanceTo = (candidate: Candidate): number =>
    Math.min(
      ...labels.map((label) =>
        candidate.start >= label.end ? candidate.start - label.end : 2 * (label.start - candidate.end) + 1,
      ),
    );
  const [nearest] =
    labels.length === 0 ? candidates : candidates.toSorted((a, b) => distanceTo(a) - distanceTo(b));
  return nearest === undefined ? null : take(rest, nearest.start, nearest.end, nearest.value);
}

function numbersIn(text: string, language: Language): Candidate[] {
  const numerals = Array.from(text.matchAll(NUMERAL), ({ 0: numeral, index }) => ({
    value: parseNumeral(numeral, language),
    start: index,
    end: index + numeral.length,
  }));
  const spoken = wordsOf(text).flatMap(({ folded, start, end }) => {
    const value = SPOKEN[folded];
    return value === undefined ? [] : [{ value, start, end }];
  });
  return [...numerals, ...spoken].toSorted((a, b) => a.start - b.start);
}

/** 1.234,56 and 1,234.56; with one kind of separator only, the language tells whether it groups thousands. */
function parseNumeral(numeral: string, language: Language): number {
  const hasBoth = numeral.includes('.') && numeral.includes(',');
  const lastSeparator = numeral.lastIndexOf(',') > numeral.lastIndexOf('.') ? ',' : '.';
  const grouping = language === 'pt' ? '.' : ',';
  const groupsThousands = new RegExp(`^-?\\d{1,3}(?:\\${grouping}\\d{3})+$`).test(numeral);
  const decimal = hasBoth ? lastSeparator : groupsThousands ? null : lastSeparator;
  if (decimal === null) return Number(numeral.replaceAll(/[.,]/g, ''));
  const at = numeral.lastIndexOf(decimal);
  if (at < 0) return Number(numeral);
  return Number(`${numeral.slice(0, at).replaceAll(/[.,]/g, '')}.${numeral.slice(at + 1)}`);
}
