// `npm run check`: everything a change must pass besides the tests, two steps at a time. All steps run, and the last lines name
// those that failed; `--fail-fast` stops at the first failure. Names of steps run those alone, `--without` all but those:
// `npm run check -- --without coverage`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { buildIfNeeded } from './build-if-needed.mjs';
import { showHelp } from './show-help.mjs';

showHelp(import.meta.url);

/** The long ones first, so that none of them is left to run alone at the end. */
const STEPS = [
  'types',
  'lint',
  'imports',
  'format',
  'dead',
  'regex',
  'migrations',
  'client',
  'pages',
  'notices',
  'audit',
  'configuration',
  'language',
  'coverage',
];
/** Most steps keep one core busy. */
const AT_ONCE = 2;
const isWindows = process.platform === 'win32';

const { values, positionals } = parseArgs({
  options: {
    without: { type: 'string', multiple: true, default: [] },
    'fail-fast': { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const unknown = [...values.without, ...positionals].find((name) => !STEPS.includes(name));
if (unknown !== undefined) {
  console.error(`There is no step "${unknown}". There are: ${STEPS.join(', ')}.`);
  process.exit(1);
}
const chosen = positionals.length > 0 ? positionals : STEPS;
// Types, lint and dead code read it.
await buildIfNeeded({ server: false, client: true });
const waiting = chosen.filter((name) => !values.without.includes(name));
const running = new Set();
const failed = [];

await Promise.all(Array.from({ length: AT_ONCE }, runWaiting));
if (failed.length > 0) {
  console.log(`\nFailed: ${failed.join(', ')}. Run one alone with: npm run check:${failed[0]}`);
  process.exit(1);
}

async function runWaiting() {
  for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) await run(step);
}

async function run(step) {
  const startedAt = performance.now();
  // In a group of its own, so that a step ends with the programs it runs.
  const child = spawn('npm', ['run', '--silent', `check:${step}`], {
    shell: isWindows,
    detached: !isWindows,
  });
  running.add(child);
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  running.delete(child);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  if (code === 0) {
    console.log(`check:${step} ok (${seconds} s)`);
    // What is no failure, and to be seen.
    if (err) process.stderr.write(err);
    return;
  }
  console.log(`check:${step} failed (${seconds} s)\n\n${out}${err}`);
  failed.push(step);
  if (!values['fail-fast']) return;
  console.log(`Run it alone with: npm run check:${step}`);
  end(1);
}

/** Stops everything that runs. */
function end(code) {
  for (const { pid, exitCode } of running) {
    if (exitCode === null) process.kill(isWindows ? pid : -pid);
  }
  process.exit(code);
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(1));
