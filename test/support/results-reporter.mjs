// Remembers what ran: one entry a spec file, with the outcome of each test by its full title. `npm run check:coverage`
// reads it. Runs of a few files or titles add to what earlier runs of the same text of a file have left.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';

export const RESULTS_FILE = 'node_modules/.cache/prosa/test-results.json';

export const hashOf = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');

export function readResults() {
  try {
    return JSON.parse(readFileSync(RESULTS_FILE, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return {};
    throw error;
  }
}

export default class ResultsReporter {
  onRunComplete(_contexts, { testResults }) {
    const results = readResults();
    for (const { testFilePath, testExecError, testResults: tests } of testResults) {
      const file = relative(process.cwd(), testFilePath).replaceAll('\\', '/');
      const hash = hashOf(testFilePath);
      const known = results[file]?.hash === hash ? results[file].tests : {};
      for (const { ancestorTitles, title, status } of tests) {
        const name = [...ancestorTitles, title].join(' › ');
        if (status === 'passed' || status === 'failed') known[name] = status;
      }
      const count = (...statuses) => tests.filter(({ status }) => statuses.includes(status)).length;
      const last = {
        passed: count('passed'),
        // A file that cannot be loaded has no tests.
        failed: testExecError ? 1 : count('failed'),
        skipped: count('pending', 'skipped', 'todo'),
      };
      results[file] = { hash, tests: known, last };
    }
    mkdirSync(dirname(RESULTS_FILE), { recursive: true });
    writeFileSync(RESULTS_FILE, JSON.stringify(results, null, 1));
  }
}
