import type { EvaluatedCall, Evaluation, EvaluationField } from './evaluation.js';

const REFUSAL =
  /não tenho interesse|não quero|sem interesse|not interested|no interest|do not call|don't call/i;
const NUMBER = /-?\d+(?:[.,]\d+)?/;
const MAX_QUOTE = 200;

/**
 * What the sandbox model makes of a call: no judgement, but always the same for the same words. A call that a person
 * answered, and did not refuse, has reached its goal; fields quote what the customer said.
 */
export function sandboxEvaluation(
  { transcript, answeredBy, language }: EvaluatedCall,
  fields: readonly EvaluationField[],
): Evaluation {
  const said = transcript
    .split('\n')
    .filter((line) => line.startsWith('Customer: '))
    .map((line) => line.slice('Customer: '.length));
  const words = said.join(' ');
  const status = answeredBy !== 'machine' && said.length > 0 && !REFUSAL.test(words);
  const quote = (said.at(-1) ?? '').slice(0, MAX_QUOTE).toWellFormed();
  const valueOf = ({ name, type }: EvaluationField) => {
    if (name === 'summary') return summary(said.length, quote, language);
    if (type === 'bool') return status;
    if (type === 'string') return quote;
    const number = NUMBER.exec(words)?.[0];
    return number === undefined ? null : Number(number.replace(',', '.'));
  };
  return Object.fromEntries(fields.map((field) => [field.name, valueOf(field)]));
}

function summary(count: number, quote: string, language: string): string {
  if (language === 'pt') {
    return count === 0
      ? '[sandbox] O cliente não disse nada.'
      : `[sandbox] O cliente falou ${count} vez(es), por último: "${quote}"`;
  }
  return count === 0
    ? '[sandbox] The customer said nothing.'
    : `[sandbox] The customer spoke ${count} time(s), lastly: "${quote}"`;
}
