// `npm run check`: everything a change must pass besides the tests. Stops at the first failure and says which. Names of steps
// run those alone, `--without` all but those: `npm run check -- --without coverage`.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const STEPS = [
  'types',
  'lint',
  'imports',
  'dead',
  'format',
  'migrations',
  'client',
  'notices',
  'coverage',
  'pages',
];

const { values, positionals } = parseArgs({
  options: { without: { type: 'string', multiple: true, default: [] } },
  allowPositionals: true,
});
const unknown = [...values.without, ...positionals].find((name) => !STEPS.includes(name));
if (unknown !== undefined) {
  console.error(`There is no step "${unknown}". There are: ${STEPS.join(', ')}.`);
  process.exit(1);
}
const chosen = positionals.length > 0 ? positionals : STEPS;

for (const step of chosen.filter((name) => !values.without.includes(name))) {
  const startedAt = performance.now();
  process.stdout.write(`check:${step} … `);
  const run = spawnSync('npm', ['run', '--silent', `check:${step}`], {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  if (run.status !== 0) {
    console.log(`failed (${seconds} s)\n\n${run.stdout}${run.stderr}`);
    console.log(`Run it alone with: npm run check:${step}`);
    process.exit(1);
  }
  console.log(`ok (${seconds} s)`);
}
