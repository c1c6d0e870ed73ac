// `npm run check:coverage`: every test that docs/spec-coverage.md names exists, and passed when the tests last ran.
// A reference is `contract/tools › describe › title`: the file below test/ without its ending, then the full title;
// `…` at the end of a title stands for all tests that begin so, at least one.
// Before the first `npm test` of a clone there is nothing that ran: then only files and titles are looked for.
import { existsSync, readFileSync } from 'node:fs';
import { hashOf, readResults } from '../test/support/results-reporter.mjs';

const DOCUMENT = 'docs/spec-coverage.md';
const ENDINGS = ['.contract.spec.ts', '.spec.ts'];

const results = readResults();
const hasRun = Object.keys(results).length > 0;
const problems = [];
let statements = 0;
let later = 0;
const references = new Set();

for (const [index, line] of readFileSync(DOCUMENT, 'utf8').split('\n').entries()) {
  const cells = cellsOf(line);
  if (!cells) continue;
  statements += 1;
  const proof = cells.at(-1) ?? '';
  const named = [...proof.matchAll(/(?<!`)(`+) ?((?:(?!\1).)+?) ?\1(?!`)/g)].map(
    ([, , reference]) => reference,
  );
  if (proof.startsWith('Later')) later += 1;
  else if (named.length === 0 && !proof.startsWith('Left open')) {
    problems.push(`${DOCUMENT}:${index + 1}: no test is named for: ${cells[0]}`);
  }
  for (const reference of named) {
    references.add(reference);
    const problem = problemOf(reference);
    if (problem) problems.push(`${DOCUMENT}:${index + 1}: ${reference}: ${problem}`);
  }
}

if (statements === 0) problems.push(`${DOCUMENT} holds no statement`);
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
const outcome = hasRun ? 'exist and passed' : 'exist; run `npm test` to know whether they pass';
console.log(
  `${statements} statements, ${references.size} tests named: they ${outcome}; ${later} statements are left for later`,
);

/** The cells of a table's row; undefined for what is no row of statements. */
function cellsOf(line) {
  if (!line.startsWith('| ') || /^\| (Statement|-)/.test(line)) return undefined;
  return line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

function problemOf(reference) {
  const [name, ...titles] = reference.split(' › ');
  const file = ENDINGS.map((ending) => `test/${name}${ending}`).find((path) => existsSync(path));
  if (!file) return `there is no test/${name}.contract.spec.ts or test/${name}.spec.ts`;
  return hasRun ? outcomeOf(file, titles.join(' › ')) : lookUp(file, titles);
}

function outcomeOf(file, title) {
  const run = results[file];
  if (!run) return 'its file did not run';
  if (run.hash !== hashOf(file)) return 'its file has changed since it ran';
  const matches = Object.entries(run.tests).filter(([full]) =>
    title.endsWith('…') ? full.startsWith(title.slice(0, -1)) : full === title,
  );
  if (matches.length === 0) return 'no test of this title ran';
  const failed = matches.filter(([, status]) => status !== 'passed').map(([full]) => full);
  return failed.length > 0 ? `failed: ${failed.join(', ')}` : undefined;
}

/** Without a run, titles made of parameters cannot be known: their first words must stand in the file. */
function lookUp(file, titles) {
  const source = readFileSync(file, 'utf8').replaceAll("\\'", "'");
  const missing = titles.filter((title) => !source.includes(title.split(/[%…]/)[0].slice(0, 12)));
  return missing.length > 0 ? `the file does not hold: ${missing.join(', ')}` : undefined;
}
