// `npm run test:node -- 24 [what npm test takes]`: the tests on another version of Node, which comes from npm's `node` package.
// What a test starts as `node` is of that version too.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { showHelp } from './show-help.mjs';

showHelp(import.meta.url);

const [version = '', ...rest] = process.argv.slice(2);
if (!/^\d+(\.\d+){0,2}$/.test(version)) {
  console.error('Which version? For example: npm run test:node -- 24');
  process.exit(2);
}

const folder = resolve('node_modules/.cache/prosa', `node-${version}`);
const bin = join(folder, 'node_modules/node/bin');

if (!existsSync(join(bin, 'node'))) {
  console.log(`Fetching Node ${version}…`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "allowScripts": { "node": true } }\n');
  const install = ['install', '--no-audit', '--no-fund', `node@${version}`];
  const fetched = spawnSync('npm', install, { cwd: folder, stdio: 'inherit' });
  if (fetched.status !== 0) process.exit(fetched.status ?? 1);
}

const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
const { stdout } = spawnSync('node', ['--version'], { env, encoding: 'utf8' });
console.log(`Node ${stdout.trim()}`);
const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js', ...rest];
process.exit(spawnSync('node', jest, { env, stdio: 'inherit' }).status ?? 1);
