// `node scripts/test-long.mjs <faults|soak|calls|fuzz> [arguments]`: the long tests, each a program of its own on the built product.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { buildIfNeeded } from './build-if-needed.mjs';
import { showHelp } from './show-help.mjs';

const [name = '', ...rest] = process.argv.slice(2);
const program = new URL(`../test/long/${name}.ts`, import.meta.url);
showHelp(existsSync(program) ? program : import.meta.url);
await buildIfNeeded();
const run = spawnSync(process.execPath, ['--import', 'tsx', `test/long/${name}.ts`, ...rest], {
  stdio: 'inherit',
});
process.exit(run.status ?? 1);
