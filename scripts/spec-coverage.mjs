// `npm run spec-coverage`: writes docs/reference/spec-coverage.md from the statements of the customer's document
// (test/contract/spec-statements.json) and the tags of the tests that prove them (scripts/spec-coverage/spec-tags.mjs).
// It reads sources only. With --check (`npm run check:coverage`) it writes nothing, and fails when the document would differ,
// or when a tagged test failed when its file last ran. With --all it also fails for a file that did not run, or has changed since.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { hashOf, readResults } from '../test/support/results-reporter.mjs';
import { tagsOf } from './spec-coverage/spec-tags.mjs';

const DOCUMENT = 'docs/reference/spec-coverage.md';
const STATEMENTS = 'test/contract/spec-statements.json';
const INTRODUCTION = `# The customer's document, statement by statement

Each row is a row of a table, or a sentence with a rule, of the customer's API document, in its order. It names the
tests that prove it: the file below \`test/\` and the full title. \`…\` in a title means any text. "Left open" marks what the
document does not show; [API behaviour](api-behaviour.md) says what Prosa does there, and [decisions](../decisions.md) why.

This page is made by \`npm run spec-coverage\` from the tags of the tests (\`// spec: <id of the statement>\`).
\`npm run check:coverage\` fails when it is not up to date, or a statement has no test. It also fails when a test named
here did not pass when the tests last ran.
`;

const isCheck = process.argv.includes('--check');
const isWhole = process.argv.includes('--all');
const sections = JSON.parse(readFileSync(STATEMENTS, 'utf8'));
const problems = [];
const proofs = readProofs();
const document = made();

if (isCheck) {
  if (readFileSync(DOCUMENT, 'utf8') !== document) {
    problems.push(`${DOCUMENT} is not what the tags of the tests say. Run: npm run spec-coverage`);
  }
} else if (problems.length === 0) writeFileSync(DOCUMENT, document);

const results = readResults();
const hasRun = isWhole || Object.keys(results).length > 0;
const named = new Map([...proofs.values()].flat().map((proof) => [referenceOf(proof), proof]));
if (isCheck && hasRun && problems.length === 0) {
  for (const [reference, proof] of named) {
    const problem = outcomeOf(proof);
    if (problem) problems.push(`${reference}: ${problem}`);
  }
}

if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
const outcome = isWhole
  ? 'which passed when they last ran'
  : 'none of which failed when it last ran here (--all asks for every one)';
console.log(
  isCheck
    ? `${proofs.size} statements, ${named.size} tests, ${outcome}`
    : `${DOCUMENT}: ${proofs.size} statements, ${named.size} tests`,
);

/** The tagged tests of each statement, by its id: `{ file, title }`. */
function readProofs() {
  const known = new Map(
    Object.values(sections).flatMap((statements) => Object.keys(statements).map((id) => [id, []])),
  );
  for (const file of specFiles()) {
    for (const { line, ids, title } of tagsOf(file)) {
      if (title === undefined) {
        problems.push(`${file}:${line}: the tag is above no test`);
        continue;
      }
      for (const id of ids) {
        if (known.has(id)) known.get(id).push({ file, title });
        else problems.push(`${file}:${line}: ${STATEMENTS} has no statement "${id}"`);
      }
    }
  }
  return known;
}

function specFiles() {
  return readdirSync('test', { recursive: true })
    .map((path) => `test/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.spec.ts'))
    .sort();
}

function made() {
  const parts = Object.entries(sections).map(
    ([section, statements]) =>
      `## ${section}\n\n| Statement | Proven by |\n| --- | --- |\n${Object.entries(statements).map(rowOf).join('')}`,
  );
  return [INTRODUCTION, ...parts].join('\n');
}

function rowOf([id, statement]) {
  const isOpen = typeof statement !== 'string';
  const references = proofs.get(id).map((proof) => codeOf(referenceOf(proof)));
  if (!isOpen && references.length === 0) problems.push(`no test is tagged with ${id}: ${statement}`);
  const cell = [...(isOpen ? ['Left open'] : []), ...references].join('<br>');
  return `| ${isOpen ? statement.leftOpen : statement} | ${cell} |\n`;
}

/** `contract/tools › describe › title`: the file below test/ without its ending, then the full title. */
function referenceOf({ file, title }) {
  return `${file.slice('test/'.length).replace(/(\.contract)?\.spec\.ts$/, '')} › ${title}`;
}

function codeOf(text) {
  const escaped = text.replaceAll('|', String.raw`\|`);
  return text.includes('`') ? `\`\` ${escaped} \`\`` : `\`${escaped}\``;
}

function outcomeOf({ file, title }) {
  const run = results[file];
  if (!run) return isWhole ? 'its file did not run' : undefined;
  if (run.hash !== hashOf(file)) return isWhole ? 'its file has changed since it ran' : undefined;
  const pattern = new RegExp(`^${title.split('…').map(escaped).join('.*')}$`, 's');
  const matches = Object.entries(run.tests).filter(([full]) => pattern.test(full));
  // Parts of a file may have run, by their titles.
  if (matches.length === 0) return isWhole ? 'no test of this title ran' : undefined;
  const failed = matches.filter(([, status]) => status !== 'passed').map(([full]) => full);
  return failed.length > 0 ? `failed: ${failed.join(', ')}` : undefined;
}

function escaped(text) {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
