import { isContinuousScript } from '../../../continuous-script.js';
import { endOf, isRightToLeft, type TextRun } from './text-run.js';

/** Runs further apart than this part of their height are different words. */
const WORD_GAP = 0.12;
/** In scripts without spaces, where letters are spread. */
const SPREAD_GAP = 0.8;
const RAISED = 0.2;
const RAISED_HEIGHT = 0.8;

const STRONG_LEFT_TO_RIGHT = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Nd}]/u;
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const MAX_PRICE_LENGTH = 30;
/** Currency before an amount without cents. */
const PRICE = /(?:\p{Sc}|\b(?:R|US|AU|CA)\$|\b(?:EUR|USD|BRL|GBP))\s?\d[\d.,\s]*$/u;

/** The text of runs of one row, given from left to right, in the order in which it is read. */
export function textOfRuns(runs: readonly TextRun[]): string {
  const direction = directionOf(runs);
  const ordered = direction === 'rtl' ? inRightToLeftOrder(runs) : inLeftToRightOrder(runs);
  let text = '';
  let previous: TextRun | null = null;
  for (const run of ordered) {
    const own = previous ? withoutRepeatedStart(previous, run) : run.text;
    text = previous ? appended(text, previous, run, own) : own;
    previous = run;
  }
  return text;
}

export function directionOf(runs: readonly TextRun[]): 'ltr' | 'rtl' {
  if (!runs.some(({ text }) => isRightToLeft(text))) return 'ltr';
  let balance = 0;
  for (const { text } of runs) {
    if (isRightToLeft(text)) balance -= text.length;
    else if (STRONG_LEFT_TO_RIGHT.test(text)) balance += text.length;
  }
  return balance < 0 ? 'rtl' : 'ltr';
}

/** Words of the other direction are read in theirs. */
function inLeftToRightOrder(runs: readonly TextRun[]): TextRun[] {
  return withSequencesReversed(runs, (run) => isRightToLeft(run.text));
}

function inRightToLeftOrder(runs: readonly TextRun[]): TextRun[] {
  return withSequencesReversed(runs.toReversed(), (run) => !isRightToLeft(run.text));
}

function withSequencesReversed(runs: readonly TextRun[], isReversed: (run: TextRun) => boolean): TextRun[] {
  if (!runs.some(isReversed)) return [...runs];
  const ordered: TextRun[] = [];
  let sequence: TextRun[] = [];
  for (const run of runs) {
    if (isReversed(run)) {
      sequence.unshift(run);
      continue;
    }
    ordered.push(...sequence, run);
    sequence = [];
  }
  return [...ordered, ...sequence];
}

function appended(text: string, previous: TextRun, run: TextRun, own: string): string {
  if (own === '') return text;
  if (isRaised(previous, run) && /^\d{1,3}$/.test(own.trim())) return withRaised(text, own.trim());
  return isWordGap(text, previous, run) ? `${text} ${own}` : text + own;
}

function isRaised(previous: TextRun, run: TextRun): boolean {
  return run.height <= previous.height * RAISED_HEIGHT && run.y - previous.y >= previous.height * RAISED;
}

/** Raised digits are cents of a price, else an exponent or the mark of a note. */
function withRaised(text: string, digits: string): string {
  if (digits.length === 2 && PRICE.test(text.slice(-MAX_PRICE_LENGTH)))
    return /[.,]$/.test(text) ? text + digits : `${text},${digits}`;
  return text + digits.replace(/\d/g, (digit) => SUPERSCRIPTS[Number(digit)] ?? digit);
}

function isWordGap(text: string, previous: TextRun, run: TextRun): boolean {
  const height = Math.min(previous.height, run.height);
  const gap = Math.max(run.x - endOf(previous), previous.x - endOf(run));
  const isSpread = isContinuousScript(text.slice(-1)) && isContinuousScript(run.text.slice(0, 1));
  if (isSpread) return gap > height * SPREAD_GAP;
  return gap > height * WORD_GAP || (run.followsSpace && gap > 0);
}

/** Letters that are printed twice one by one, of which the second print overlaps the first. */
function withoutRepeatedStart(previous: TextRun, run: TextRun): string {
  const overlap = endOf(previous) - run.x;
  const character = previous.width / Math.max(previous.text.length, 1);
  if (character <= 0 || run.x < previous.x || overlap < character / 2) return run.text;
  const repeated = Math.min(Math.round(overlap / character), run.text.length, previous.text.length);
  return run.text.startsWith(previous.text.slice(-repeated)) ? run.text.slice(repeated) : run.text;
}
