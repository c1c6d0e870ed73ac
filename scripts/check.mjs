// `npm run check`: everything a change must pass besides the tests. Stops at the first failure and says which.
import { spawnSync } from 'node:child_process';

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

for (const step of STEPS) {
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
