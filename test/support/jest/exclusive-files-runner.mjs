// Runs some files one after another, in one worker at a time, while all other files run in parallel.
import { relative } from 'node:path';
import TestRunner from 'jest-runner';
import { FileTurns } from './file-turns.mjs';

/** Each of them places six calls in real time at once. Two cores do not carry both. */
export const EXCLUSIVE_FILES = ['test/voice/provider-faults.spec.ts', 'test/voice/realtime-faults.spec.ts'];

export default class ExclusiveFilesRunner extends TestRunner {
  constructor(...args) {
    super(...args);
    const turns = new FileTurns(EXCLUSIVE_FILES);
    const fileOf = ({ path, context }) => relative(context.config.rootDir, path).replaceAll('\\', '/');
    // Jest waits for this listener before it gives the file to a worker.
    this.on('test-file-start', ([test]) => turns.begin(fileOf(test)));
    this.on('test-file-success', ([test]) => turns.end(fileOf(test)));
    this.on('test-file-failure', ([test]) => turns.end(fileOf(test)));
  }
}
