// For .ci/run, after a failed run of tests: prints the failed files, which run once more, one a line. Only tests that need
// real time may be repeated: they wait for jobs, processes, browsers and calls, and may miss a time limit on a busy machine.
// It fails when another file has failed, and when no failed file is known, because then the run itself has failed.
import { readResults } from '../test/support/results-reporter.mjs';

const NEED_REAL_TIME = [
  /^test\/(e2e|faults|integration|pages|security|voice)\//,
  // They send and hear sound in real time.
  /^(packages\/sip|src\/voice|src\/providers\/(speech|telephony))\//,
];

const failed = Object.entries(readResults())
  .filter(([, { last }]) => last.failed > 0)
  .map(([file]) => file);
const others = failed.filter((file) => !NEED_REAL_TIME.some((pattern) => pattern.test(file)));

if (failed.length === 0) fail('The test run failed without a failed file.');
if (others.length > 0) fail(`These files have failed and are not repeated:\n${others.join('\n')}`);
console.log(failed.join('\n'));

function fail(reason) {
  console.error(reason);
  process.exit(1);
}
