import type { CheckResult } from './contract-run.js';

const WORDS = { passed: 'passed  ', failed: 'FAILED  ', 'left-out': 'left out' } as const;

/** One row of the table, with the reason below. */
export function reportLine({ group, title, outcome, detail, durationMs }: CheckResult): string {
  const row = `${WORDS[outcome]}  ${group.padEnd(18)}  ${title}  (${durationMs} ms)`;
  return detail === '' ? row : `${row}\n            ${detail}`;
}

export function summaryOf(results: readonly CheckResult[]): string {
  const count = (wanted: CheckResult['outcome']) =>
    results.filter(({ outcome }) => outcome === wanted).length;
  return `${results.length} checks: ${count('passed')} passed, ${count('failed')} failed, ${count('left-out')} left out`;
}
