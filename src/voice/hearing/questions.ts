const MARKS = '.!?…؟？。！';
const QUESTION_MARKS = '?？؟';
/** They end a sentence before any character. */
const FULL_WIDTH = '。！？';

/**
 * Whether any sentence that was spoken between two places of a text is a question. The one that is being spoken counts as a
 * whole.
 *
 * @param from a place in the text, as `to`
 */
export function asksBetween(text: string, from: number, to: number): boolean {
  let begin = 0;
  for (let at = 0; at < text.length && begin <= to; at++) {
    if (!endsAt(text, at)) continue;
    if (at >= from && isQuestionMark(text, at)) return true;
    begin = at + 1;
  }
  return false;
}

/** Marks within numbers and addresses end no sentence. */
function endsAt(text: string, at: number): boolean {
  const mark = text.charAt(at);
  const next = text.charAt(at + 1);
  if (mark === '\n') return true;
  if (!MARKS.includes(mark) || (next !== '' && MARKS.includes(next))) return false;
  return FULL_WIDTH.includes(mark) || !/[\p{L}\p{N}]/u.test(next);
}

/** Also of "?!" and "?…". */
function isQuestionMark(text: string, end: number): boolean {
  for (let at = end; MARKS.includes(text.charAt(at)) && text.charAt(at) !== ''; at--)
    if (QUESTION_MARKS.includes(text.charAt(at))) return true;
  return false;
}
