// `npm run test:mutation -- [group …]`: plants one fault after another in the files of a group (scripts/mutation-groups.mjs)
// and runs their unit specs on each. Prints the share of faults that the specs noticed, by file, and every fault they let
// through. Without a name all groups run, one after another. Fails when a group stays below the score it must reach.
// `npm run test:mutation -- sql [function …]` does the same with the functions and triggers of the database (scripts/mutate-sql.mjs).
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { GROUPS, MIN_SCORE } from './mutation-groups.mjs';
import { showHelp } from './show-help.mjs';

showHelp(import.meta.url);

const COUNTED = new Set(['Killed', 'Timeout', 'Survived', 'NoCoverage']);
const NOTICED = new Set(['Killed', 'Timeout']);
const SQL = 'sql';

const names = process.argv.slice(2);
if (names[0] === SQL) process.exit(mutateSql(names.slice(1)));
const unknown = names.filter((name) => !Object.hasOwn(GROUPS, name));
if (unknown.length > 0) {
  console.error(`No group ${unknown.join(', ')}. There are: ${[...Object.keys(GROUPS), SQL].join(', ')}.`);
  process.exit(2);
}

/** In a process of its own, as Jest needs the modules of the virtual machine. */
function mutateSql(functions) {
  const script = join(import.meta.dirname, 'mutate-sql.mjs');
  const flags = ['--experimental-vm-modules', '--no-warnings'];
  return spawnSync(process.execPath, [...flags, script, ...functions], { stdio: 'inherit' }).status ?? 1;
}

async function mutantsOf({ files, specs = [] }) {
  // A file that was moved would be passed over, and its group would look flawless.
  const missing = [...files, ...specs].filter((file) => !existsSync(file));
  if (missing.length > 0)
    throw new Error(`scripts/mutation-groups.mjs names what is not there: ${missing.join(', ')}`);
  const neighbours = files
    .map((file) => file.replace(/\.ts$/, '.spec.ts'))
    .filter((spec) => existsSync(spec));
  const all = [...neighbours, ...specs];
  // Loading it takes seconds, which the faults of SQL do without.
  const { Stryker } = await import('@stryker-mutator/core');
  const stryker = new Stryker({
    mutate: files,
    testRunner: 'jest',
    // Without them Stryker looks for its plugins next to its own files, where another package manager may keep none.
    plugins: ['@stryker-mutator/jest-runner'],
    testRunnerNodeArgs: ['--experimental-vm-modules', '--no-warnings'],
    jest: {
      configFile: 'jest.config.js',
      // Those below are all there are: looking through the imports of the whole source would cost each fault seconds.
      enableFindRelatedTests: false,
      config: {
        roots: [...new Set(all.map((spec) => `<rootDir>/${dirname(spec)}`))],
        testMatch: all.map((spec) => `<rootDir>/${spec}`),
        globalSetup: null,
        globalTeardown: null,
        // Each fault is to be met by modules that are loaded anew.
        testSequencer: '@jest/test-sequencer',
        testEnvironment: 'node',
        runtime: 'jest-runtime',
      },
    },
    coverageAnalysis: 'perTest',
    concurrency: 1,
    // Jest finds no spec below a node_modules, and tools that walk the repository would find the copies below it.
    tempDirName: join(tmpdir(), 'prosa-mutation'),
    // The specs of pure rules need the source alone, and some of them a server of the test support.
    ignorePatterns: ['/bench', '/dist', '/docker', '/docs', '/test/*', '!/test/support', '/.prosa'],
    reporters: ['progress-append-only'],
    // Of a type that is declared as an enumeration, which a script cannot import.
    logLevel: /** @type {never} */ ('error'),
    timeoutMS: 20_000,
  });
  return stryker.runMutationTest();
}

const scoreOf = (mutants) => {
  const counted = mutants.filter(({ status }) => COUNTED.has(status));
  const noticed = counted.filter(({ status }) => NOTICED.has(status));
  const percent = counted.length === 0 ? 100 : (noticed.length / counted.length) * 100;
  return { percent, text: `${percent.toFixed(1).padStart(5)} %  ${noticed.length} of ${counted.length}` };
};

const relative = (fileName) => fileName.replace(`${process.cwd()}/`, '');

function report(name, mutants) {
  for (const file of new Set(mutants.map(({ fileName }) => fileName))) {
    const own = mutants.filter(({ fileName }) => fileName === file);
    console.log(`${scoreOf(own).text}  ${relative(file)}`);
  }
  for (const { fileName, location, mutatorName, replacement, status } of mutants) {
    if (NOTICED.has(status) || !COUNTED.has(status)) continue;
    const { line, column } = location.start;
    const planted = replacement?.replaceAll(/\s+/g, ' ').slice(0, 120);
    console.log(`  ${status} ${relative(fileName)}:${line}:${column} ${mutatorName}: ${planted}`);
  }
  const { percent, text } = scoreOf(mutants);
  console.log(`${text}  group ${name}\n`);
  return percent >= MIN_SCORE;
}

let isEnough = true;
for (const name of names.length > 0 ? names : Object.keys(GROUPS)) {
  isEnough = report(name, await mutantsOf(GROUPS[name])) && isEnough;
}
if (names.length === 0) isEnough = mutateSql([]) === 0 && isEnough;
if (!isEnough) console.error(`A group stays below ${MIN_SCORE} %.`);
process.exit(isEnough ? 0 : 1);
