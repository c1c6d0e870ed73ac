// `npm run check:audit`: known vulnerabilities of the packages that are shipped, as the registry tells them, held against our answers in
// scripts/audit-answers.json. Ends with 1 for one without an answer, and for an answer that is of nothing any more.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { answers: { type: 'string', default: 'scripts/audit-answers.json' } },
});
const answers = JSON.parse(await readFile(values.answers, 'utf8'));
const report = await ask();
if (!report.vulnerabilities) {
  // A mirror or a proxy may have packages and no advisories: that is no fault of this code.
  console.error(`Nothing was checked: ${reasonOf(report)}.`);
  process.exit(0);
}

const advisories = new Map(
  Object.values(report.vulnerabilities)
    .flatMap(({ via }) => via)
    .filter((via) => typeof via === 'object')
    .map((advisory) => [advisory.url.split('/').at(-1), advisory]),
);
for (const [id, { name, severity, title, url }] of advisories) {
  console.log(`${name} (${severity}): ${title}\n  ${url}\n  ${answers[id] ?? 'Not answered.'}`);
}
const unanswered = [...advisories.keys()].filter((id) => !answers[id]);
const stale = Object.keys(answers).filter((id) => !advisories.has(id));
for (const id of stale) console.log(`${id}: stale entry: the advisory is gone. Remove the answer.`);
console.log(`Known vulnerabilities: ${advisories.size}, of these without an answer: ${unanswered.length}.`);
process.exit(unanswered.length + stale.length > 0 ? 1 : 0);

/** npm ends with 1 both for findings and for a registry that has no answer; its JSON tells them apart. */
async function ask() {
  const child = spawn(
    'npm',
    ['audit', '--json', '--omit=dev', '--fetch-retries=0', '--fetch-timeout=30000'],
    {
      shell: process.platform === 'win32',
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  const [said] = await Promise.all([text(child.stdout), once(child, 'close')]);
  try {
    return JSON.parse(said);
  } catch {
    return { message: 'npm has given no report' };
  }
}

function reasonOf({ message, error }) {
  return String(message || error?.summary || 'npm has given no report')
    .trim()
    .split('\n', 1)[0]
    .replace(/\.$/, '');
}
