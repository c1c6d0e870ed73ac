import type { TestedLookupResponse } from '#client/types.gen.js';
import { type Texts, useTexts } from '#web/console/src/texts/texts.jsx';
import { useFormat } from '#web/console/src/texts/use-format.js';

type Outcome = Omit<TestedLookupResponse, 'answer'>;

/** Results of lookups as sentences for people. */
export function useLookupWords() {
  const { lookup: t } = useTexts('numberRouting');
  const format = useFormat();
  return {
    /** `Failed: the answer is not JSON`. */
    result: (outcome: Outcome) => resultText(outcome, t),
    /** `850 ms`; a dash for a server that was not asked. */
    wait: (outcome: Outcome) => (isAsked(outcome) ? `${format.number(outcome.ms)} ms` : '–'),
  };
}

function resultText(outcome: Outcome, t: Texts['numberRouting']['lookup']): string {
  if (!isAsked(outcome)) return t.notAsked;
  const { status, error } = outcome;
  return error === null ? t.statuses[status] : `${t.statuses[status]}: ${t.errors[error]}`;
}

/** An answer that is ignored has a fault. */
function isAsked({ status, error }: Outcome): boolean {
  return status !== 'ignored' || error !== null;
}
