// `npm run test:release [-- options of jest]`: the longest tests of the whole product, which `.ci/run` leaves out
// (test/support/jest/release-files.mjs). A release must pass them.
import { spawnSync } from 'node:child_process';
import { RELEASE_FILES } from '../test/support/jest/release-files.mjs';
import { showHelp } from './show-help.mjs';

showHelp(import.meta.url);

const run = spawnSync('npm', ['test', '--', ...RELEASE_FILES, ...process.argv.slice(2)], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
process.exit(run.status ?? 1);
