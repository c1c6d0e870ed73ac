/** One test case of a report. */
export interface ReportedCase {
  readonly group: string;
  readonly title: string;
  readonly outcome: 'passed' | 'failed' | 'left-out';
  readonly detail: string;
  readonly durationMs: number;
}

/** The results in the JUnit form that CI servers read. */
export function junitXml(suite: string, cases: readonly ReportedCase[]): string {
  const count = (wanted: ReportedCase['outcome']) => cases.filter(({ outcome }) => outcome === wanted).length;
  const seconds = cases.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1000;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="${escaped(suite)}" tests="${cases.length}" failures="${count('failed')}" skipped="${count('left-out')}" time="${seconds}">`,
    ...cases.map(caseXml),
    '</testsuite>',
    '',
  ].join('\n');
}

function caseXml({ group, title, outcome, detail, durationMs }: ReportedCase): string {
  const head = `  <testcase classname="${escaped(group)}" name="${escaped(title)}" time="${durationMs / 1000}"`;
  if (outcome === 'passed') return `${head}/>`;
  const element = outcome === 'failed' ? 'failure' : 'skipped';
  return `${head}><${element} message="${escaped(detail)}"/></testcase>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
};

function escaped(text: string): string {
  return (
    text
      .toWellFormed()
      // XML has no form for control characters.
      .replace(/[^\t\n\r\x20-\uFFFD\u{10000}-\u{10FFFF}]/gu, ' ')
      .replace(/[&<>"\n]/g, (character) => ENTITIES[character] ?? character)
  );
}
