// Tests run as ES modules (`--experimental-vm-modules`), compiled by swc with the same
// options as the product, so that decorator metadata is the same in both.
import { readFileSync } from 'node:fs';
import { RELEASE_FILES } from './test/support/jest/release-files.mjs';

const swc = JSON.parse(readFileSync(new URL('.swcrc', import.meta.url), 'utf8'));
delete swc.exclude;
swc.sourceMaps = 'inline';
// Otherwise swc reads the file itself as well, and refuses the specs it excludes.
swc.swcrc = false;

// These run when they are named: `npm run test:integration`, `npm run test:system`, or one of them by its path. The first take
// as long as all unit and contract tests together. The others have the whole product in processes of its own: killed,
// started, run as a command, seen in a browser, spoken with, attacked. Those of `livekit` and `operate` need servers of
// others: `npm run test:livekit`, `npm run test:operate`.
const WHEN_NAMED = /test\/(integration|faults|e2e|livekit|operate|pages|security|voice)\b/;
const isNamed = process.argv.slice(2).some((argument) => WHEN_NAMED.test(argument));
// The longest of them run when they are named by their own path: `npm run test:release`.
const isGiven = (file) =>
  process.argv.some((argument) => /^test\/\w+\/./.test(argument) && file.startsWith(argument));
const left = [
  ...(isNamed ? [] : [`/${WHEN_NAMED.source}/`]),
  ...RELEASE_FILES.filter((file) => !isGiven(file)),
];

/** @type {import('jest').Config} */
export default {
  testEnvironment: '<rootDir>/test/support/jest/main-realm-environment.mjs',
  runtime: '<rootDir>/test/support/jest/shared-modules-runtime.mjs',
  runner: '<rootDir>/test/support/jest/shared-workers-runner.mjs',
  rootDir: '.',
  roots: ['<rootDir>/src', '<rootDir>/packages', '<rootDir>/test', '<rootDir>/web'],
  testMatch: ['**/*.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/', ...left],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    // Its ES modules import JSON in a way jest warns about at each import.
    '^libphonenumber-js/max$': '<rootDir>/node_modules/libphonenumber-js/max/index.cjs',
  },
  transform: { '^.+\\.ts$': ['@swc/jest', swc] },
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  reporters: ['default', '<rootDir>/test/support/results-reporter.mjs'],
  testSequencer: '<rootDir>/test/support/sequencer.mjs',
  // Two more than the cores of a small machine: a third of the time a spec file waits, for calls in real time, for
  // processes that start, for the database and for time limits to pass.
  maxWorkers: 4,
  workerIdleMemoryLimit: '1200MB',
  // A busy machine takes half a minute to copy a database and to start the product.
  testTimeout: 60_000,
  clearMocks: true,
};
